import { Link } from 'wouter';
import { type Schema, useProfile } from '../shared/client.tsx';
import { money, number, timeOfDay } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Badge, EmptyState, ErrorNotice, Meter, Skeleton } from '../shared/ui/basics.tsx';
import { Branded } from '../shared/ui/branded.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { worthOf } from '../shared/worth.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { Contacts, recognisedBy } from './contacts.tsx';
import { CountUp } from './count-up.tsx';
import { Erasing } from './erasing.tsx';
import { InstallOffer } from './install.tsx';
import { OwnData } from './own-data.tsx';
import {
  type Redemption,
  useCard,
  useOpenCodes,
  useWallets,
  type Wallet,
  waitingOf,
} from './queries.ts';

const { wallets: texts, open: openTexts, invites: inviteTexts, card: cardTexts } = walletTexts;

/** What somebody has, and what they can use now. */
export function HomePage() {
  const wallets = useWallets();
  const codes = useOpenCodes();
  const profile = useProfile();
  return (
    <>
      <PageTitle>{walletTexts.title}</PageTitle>
      <Erasing />
      <Invites invites={profile.data?.pendingInvites ?? []} />
      <Contacts />
      <OpenCodes codes={codes.data ?? []} />
      <ErrorNotice error={wallets.error} retry={wallets.refetch} />
      {wallets.isPending && <Skeleton shape="cards" count={1} />}
      {wallets.data?.length === 0 && (
        <EmptyState
          picture="points"
          title={texts.empty}
          text={profile.data && texts.emptyHow(recognisedBy(profile.data))}
        />
      )}
      {wallets.data !== undefined && wallets.data.length > 0 && (
        <ul className="cards" aria-label={texts.list}>
          {wallets.data.map((wallet) => (
            <li key={wallet.id}>
              <Branded color={wallet.tenant.branding.color}>
                <WalletCard wallet={wallet} />
              </Branded>
            </li>
          ))}
        </ul>
      )}
      {wallets.data?.some(({ balance }) => balance > 0) && <InstallOffer />}
      <CardLink />
      <OwnData />
    </>
  );
}

/** The way to the card that is shown at the till. */
function CardLink() {
  const card = useCard();
  if (card.data === undefined) return null;
  return (
    <Link className="card wallet-card" href="/card">
      <Icon name="qr" />
      <span className="wallet-name">{cardTexts.open}</span>
      <span className="muted">{cardTexts.openHow}</span>
      <Icon name="chevron" />
    </Link>
  );
}

function WalletCard({ wallet }: { wallet: Wallet }) {
  const { id, tenant, balance, worthMinorUnits, currency, status, redeemable } = wallet;
  return (
    <Link className="card wallet-card" href={`/wallets/${id}`}>
      <Logo tenant={tenant} />
      <span className="wallet-name">{tenant.name}</span>
      <strong className="wallet-points">
        <CountUp points={balance} />
      </strong>
      <span className="muted">{texts.worth(money(worthMinorUnits, currency))}</span>
      {status === 'frozen' && <Badge kind="warn">{texts.frozen}</Badge>}
      {redeemable.max > 0 && redeemable.max < balance && (
        <span className="wallet-ready">{texts.ready(money(redeemable.max, currency))}</span>
      )}
      {waitingOf(wallet) > 0 && (
        <span className="muted">{texts.waiting(number(waitingOf(wallet)))}</span>
      )}
      <ToGo wallet={wallet} />
      <Icon name="chevron" />
    </Link>
  );
}

/** How far it is to the first points that can be redeemed, where it is not that far yet. */
export function ToGo({ wallet: { balance, redeemsFrom } }: { wallet: Wallet }) {
  if (redeemsFrom === null || balance >= redeemsFrom) return null;
  const label = texts.toGo(pointsText(redeemsFrom - balance));
  return (
    <span className="to-go">
      <Meter value={balance} max={redeemsFrom} label={label} />
      <span>{label}</span>
    </span>
  );
}

/** The sign of a shop, if it has one. */
export function Logo({ tenant }: { tenant: Pick<Wallet['tenant'], 'name' | 'branding'> }) {
  const { logoUrl } = tenant.branding;
  return logoUrl === null ? (
    <span className="logo logo-none" aria-hidden="true">
      {[...tenant.name][0]}
    </span>
  ) : (
    <img className="logo" src={logoUrl} alt="" width="48" height="48" />
  );
}

function OpenCodes({ codes }: { codes: readonly Redemption[] }) {
  if (codes.length === 0) return null;
  return (
    <section className="section">
      <h2>{openTexts.title}</h2>
      <ul className="cards">
        {codes.map(({ id, tenant, expiresAt, ...code }) => (
          <li key={id}>
            <Link className="card wallet-card open-code" href={`/codes/${id}`}>
              <Icon name="qr" />
              <span className="wallet-name">{tenant.name}</span>
              <strong className="wallet-points">{worthOf(code)}</strong>
              <span className="muted">{openTexts.until(timeOfDay(expiresAt))}</span>
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
