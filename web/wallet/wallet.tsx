import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { earningText } from '../shared/earning.ts';
import { moment, money, number } from '../shared/format.ts';
import { Button, ErrorNotice, Moment, Notice, Points, Skeleton } from '../shared/ui/basics.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Explanation } from '../shared/ui/explanation.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { useOnline } from '../shared/use-online.ts';
import { usePages } from '../shared/use-pages.ts';
import { commonTexts } from '../texts/common.ts';
import { walletTexts } from '../texts/wallet.ts';
import { useWallets, type Wallet } from './queries.ts';

const Redeem = lazy(() => import('./redeem.tsx'));
const { wallet: texts, wallets: listTexts } = walletTexts;

type Entry = Schema['LedgerEntry'];

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
      <Holding wallet={wallet} />
      <History walletId={wallet.id} />
    </>
  );
}

function Holding({ wallet }: { wallet: Wallet }) {
  const [isOpen, setOpen] = useState(false);
  const isOnline = useOnline();
  const { balance, owed, worthMinorUnits, currency, redeemable, status } = wallet;
  const problem = problemOf(wallet, isOnline);
  return (
    <section className="card holding" aria-label={texts.back}>
      <p className="holding-points changed" key={balance}>
        <Points points={balance} />
      </p>
      <p className="muted">{listTexts.worth(money(worthMinorUnits, currency))}</p>
      {owed > 0 && <Notice kind="plain">{texts.owed(number(owed))}</Notice>}
      <p>{earningText(wallet.earning, wallet.currency)}</p>
      {status === 'frozen' ? (
        <Notice kind="plain">{texts.frozen}</Notice>
      ) : (
        problem !== undefined && <p className="muted">{problem}</p>
      )}
      <Button
        kind="primary"
        size="big"
        disabled={problem !== undefined || redeemable.max === 0}
        onClick={() => setOpen(true)}
      >
        {texts.redeem}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={walletTexts.redeem.title}>
        <Suspense fallback={<Skeleton />}>
          <Redeem wallet={wallet} onClose={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </section>
  );
}

function problemOf({ redeemable, balance, status }: Wallet, isOnline: boolean): string | undefined {
  if (status === 'frozen') return texts.frozen;
  if (!isOnline) return texts.noConnection;
  if (redeemable.max > 0) return undefined;
  return redeemable.min > balance ? texts.min(number(redeemable.min)) : texts.nothing;
}

function History({ walletId }: { walletId: string }) {
  const client = useClient();
  const [asked, setAsked] = useState<Entry>();
  const history = usePages(['history', walletId], () => client.all.listWalletHistory({ walletId }));
  return (
    <section className="section">
      <h2>{texts.history}</h2>
      <PagedItems list={history} empty={texts.historyEmpty} label={texts.history}>
        {(entry) => <EntryRow entry={entry} onWhy={() => setAsked(entry)} />}
      </PagedItems>
      <Dialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked === undefined ? '' : texts.reasons[asked.reason]}
      >
        {asked !== undefined && <Why entry={asked} />}
      </Dialog>
    </section>
  );
}

function EntryRow({ entry, onWhy }: { entry: Entry; onWhy(): void }) {
  const { reason, createdAt, points, entry_type: type, balanceAfter } = entry;
  const what = texts.reasons[reason];
  return (
    <div className="entry">
      <span>{what}</span>
      <strong className={`number entry-${type}`}>
        {type === 'credit' ? '+' : '−'}
        {number(points)}
      </strong>
      <span className="muted">
        <Moment iso={createdAt} />
        {' · '}
        {texts.balance(number(balanceAfter))}
      </span>
      <button
        type="button"
        className="link"
        aria-label={texts.whyOf(what, moment(createdAt))}
        onClick={onWhy}
      >
        {texts.why}
      </button>
    </div>
  );
}

function Why({ entry }: { entry: Entry }) {
  const client = useClient();
  const { id: entryId, walletId } = entry;
  const explained = useQuery({
    queryKey: ['explanation', entryId],
    queryFn: () => client.explainHistoryEntry({ walletId, entryId }),
  });
  return <Explanation to="customer" explained={explained} />;
}
