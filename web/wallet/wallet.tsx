import { lazy, Suspense, useState } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { earningText } from '../shared/earning.ts';
import { moment, money, number } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Button, ErrorNotice, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { Branded } from '../shared/ui/branded.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { useOnline } from '../shared/use-online.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { commonTexts } from '../texts/en/common.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { spendUntil } from './amounts.ts';
import { CountUp } from './count-up.tsx';
import { Logo, ToGo } from './home.tsx';
import { useWallets, type Wallet, waitingOf } from './queries.ts';
import { Visits } from './visits.tsx';

const PhoneOffer = lazy(() => import('./phone-offer.tsx'));
const Redeem = lazy(() => import('./redeem.tsx'));
const Validity = lazy(() => import('./validity.tsx'));
const Rewards = lazy(() => import('./rewards.tsx'));
const Offers = lazy(() => import('./offers.tsx'));
const Tier = lazy(() => import('./tier.tsx'));
const { wallet: texts, wallets: listTexts } = walletTexts;

/** One wallet: what it holds, how it grows, what it can be turned into, and how it came about. */
export function WalletPage() {
  const { walletId } = useParams();
  const wallets = useWallets();
  const wallet = wallets.data?.find(({ id }) => id === walletId);
  if (wallet === undefined) {
    if (wallets.isPending) return <Skeleton />;
    if (wallets.error !== null) return <ErrorNotice error={wallets.error} />;
    return <p>{commonTexts.notFound}</p>;
  }
  return (
    <>
      <PageTitle back={{ href: '/', text: texts.back }}>{wallet.tenant.name}</PageTitle>
      <Branded color={wallet.tenant.branding.color}>
        <div className="wallet-page">
          <Holding key={wallet.id} wallet={wallet} />
          {wallet.balance > 0 && (
            <Suspense>
              <PhoneOffer />
            </Suspense>
          )}
          <Visits walletId={wallet.id} />
        </div>
      </Branded>
    </>
  );
}

function Holding({ wallet }: { wallet: Wallet }) {
  const isAskedFor = useSearch() === 'redeem';
  const isOnline = useOnline();
  const { balance, owed, worthMinorUnits, currency } = wallet;
  const { sent, confirm, get } = useConfirm(wallet);
  const asked = sent?.wallet ?? wallet;
  const { max } = asked.redeemable;
  const [isOpen, setOpen] = useState(isAskedFor && max > 0);
  const problem = problemOf(asked, isOnline);
  const start = () => {
    // What was refused before is chosen anew.
    if (sent === undefined) confirm.reset();
    setOpen(true);
  };
  return (
    <section className="card holding" aria-label={texts.back}>
      <div className="holding-head">
        <Logo tenant={wallet.tenant} />
        <div>
          <p className="holding-points">
            <CountUp points={balance} />
          </p>
          <p className="muted">{listTexts.worth(money(worthMinorUnits, currency))}</p>
        </div>
      </div>
      {owed > 0 && <Notice kind="plain">{texts.owed(number(owed))}</Notice>}
      <Waiting wallet={wallet} />
      <Goal wallet={wallet} />
      {problem !== undefined && <Notice kind="plain">{problem}</Notice>}
      <Button kind="brand" size="big" disabled={problem !== undefined || max === 0} onClick={start}>
        {texts.redeem}
      </Button>
      <Suspense>
        <Tier wallet={wallet} />
        <Rewards wallet={wallet} />
        <Offers wallet={wallet} />
        {balance > 0 && <Validity wallet={wallet} />}
      </Suspense>
      <p className="muted">{earningText(wallet.earning, wallet.currency)}</p>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={walletTexts.redeem.title}>
        <Suspense fallback={<Skeleton />}>
          <Branded color={wallet.tenant.branding.color}>
            <Redeem
              wallet={asked}
              sent={sent?.points}
              command={confirm}
              onSubmit={get}
              onClose={() => setOpen(false)}
            />
          </Branded>
        </Suspense>
      </Dialog>
    </section>
  );
}

/**
 * Gets a code. Until the service has answered, also after the dialog was closed, the points that
 * were sent stay what is asked for, with the wallet that they were chosen from: any other number
 * would be another command, and a second code.
 */
function useConfirm(wallet: Wallet) {
  const client = useClient();
  const [, navigate] = useLocation();
  const [sent, setSent] = useState<{ wallet: Wallet; points: number }>();
  const confirm = useSubmit({
    send: (pointsToRedeem: number, attempt) =>
      client.confirmRedemption({ walletId: wallet.id, body: { pointsToRedeem } }, attempt),
    changes: [['wallets'], ['redemptions'], ['history', wallet.id]],
    onDone: ({ redemptionId }) => navigate(`/codes/${redemptionId}`),
    onRefused: () => setSent(undefined),
  });
  const get = (points: number) => {
    setSent((before) => before ?? { wallet, points });
    confirm.submit(points);
  };
  return { sent, confirm, get };
}

/** How many of the points cannot be used yet, and until when. */
function Waiting({ wallet }: { wallet: Wallet }) {
  const waiting = waitingOf(wallet);
  if (waiting === 0 || wallet.nextRelease === null) return null;
  const text = texts.waiting(pointsText(waiting), moment(wallet.nextRelease));
  return <Notice kind="plain">{text}</Notice>;
}

/** How far it is until something can be redeemed, in points and in what they are earned by. */
function Goal({ wallet }: { wallet: Wallet }) {
  const { balance, redeemsFrom, earning, currency } = wallet;
  if (redeemsFrom === null || balance >= redeemsFrom) return null;
  const spend = earning && spendUntil(redeemsFrom - balance, earning.conversionRate);
  return (
    <div className="goal">
      <ToGo wallet={wallet} />
      {spend !== null && <p className="muted">{texts.toSpend(money(spend, currency))}</p>}
    </div>
  );
}

function problemOf(wallet: Wallet, isOnline: boolean): string | undefined {
  const { redeemable, redeemsFrom, available, status } = wallet;
  if (status === 'frozen') return texts.frozen;
  if (!isOnline) return texts.noConnection;
  if (redeemable.max > 0 || redeemsFrom === null || available < redeemsFrom) return undefined;
  return texts.notNow;
}
