import { Link } from 'wouter';
import { type Schema, useProfile } from '../shared/client.tsx';
import { money, timeOfDay } from '../shared/format.ts';
import { Badge, ErrorNotice, Money, Points, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { walletTexts } from '../texts/wallet.ts';
import { type Redemption, useOpenCodes, useWallets, type Wallet } from './queries.ts';

const { wallets: texts, open: openTexts, invites: inviteTexts } = walletTexts;

/** What somebody has, and what they can use now. */
export function HomePage() {
  const wallets = useWallets();
  const codes = useOpenCodes();
  const profile = useProfile();
  return (
    <>
      <PageTitle>{walletTexts.title}</PageTitle>
      <Invites invites={profile.data?.pendingInvites ?? []} />
      <OpenCodes codes={codes.data ?? []} />
      <ErrorNotice error={wallets.error} retry={wallets.refetch} />
      {wallets.isPending && <Skeleton />}
      {wallets.data?.length === 0 && <p className="empty">{texts.empty}</p>}
      {wallets.data !== undefined && wallets.data.length > 0 && (
        <ul className="cards" aria-label={texts.list}>
          {wallets.data.map((wallet) => (
            <li key={wallet.id}>
              <WalletCard wallet={wallet} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function WalletCard({ wallet }: { wallet: Wallet }) {
  const { id, tenant, balance, worthMinorUnits, currency, status } = wallet;
  const { logoUrl } = tenant.branding;
  return (
    <Link className="card wallet-card" href={`/wallets/${id}`}>
      {logoUrl !== null && <img className="logo" src={logoUrl} alt="" width="48" height="48" />}
      <span className="wallet-name">{tenant.name}</span>
      <strong className="wallet-points changed" key={balance}>
        <Points points={balance} />
      </strong>
      <span className="muted">{texts.worth(money(worthMinorUnits, currency))}</span>
      {status === 'frozen' && <Badge kind="warn">{texts.frozen}</Badge>}
      <Icon name="chevron" />
    </Link>
  );
}

function OpenCodes({ codes }: { codes: readonly Redemption[] }) {
  if (codes.length === 0) return null;
  return (
    <section className="section">
      <h2>{openTexts.title}</h2>
      <ul className="cards">
        {codes.map(({ id, tenant, discountValueMinorUnits, currency, expiresAt }) => (
          <li key={id}>
            <Link className="card wallet-card open-code" href={`/codes/${id}`}>
              <span className="wallet-name">{tenant.name}</span>
              <strong className="wallet-points">
                <Money minorUnits={discountValueMinorUnits} currency={currency} />
              </strong>
              <span className="until">{openTexts.until(timeOfDay(expiresAt))}</span>
              <Icon name="chevron" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Invites({ invites }: { invites: readonly Schema['PendingInvite'][] }) {
  if (invites.length === 0) return null;
  return (
    <section className="section">
      <h2>{inviteTexts.title}</h2>
      <ul className="cards">
        {invites.map(({ inviteId, tenantName }) => (
          <li key={inviteId}>
            <a className="card" href={`/invites/${inviteId}`}>
              {inviteTexts.from(tenantName)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
