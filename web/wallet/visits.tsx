import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type Schema, useClient } from '../shared/client.tsx';
import { dayAndTime, moment, money, monthOf, number, otherDay } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { providers } from '../shared/providers.ts';
import { EmptyState, Skeleton } from '../shared/ui/basics.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { Segments } from '../shared/ui/segments.tsx';
import { useOnline } from '../shared/use-online.ts';
import { usePages } from '../shared/use-pages.ts';
import { walletTexts } from '../texts/en/wallet.ts';

const { visits: texts } = walletTexts;

/** With the sentences of all that can have happened, for who asks. */
const Explanation = lazy(async () => {
  const module = await import('../shared/ui/explanation.tsx');
  return { default: module.Explanation };
});

type Entry = Schema['LedgerEntry'];
type Filter = 'all' | 'payment' | 'redemption';
const FILTERS: readonly Filter[] = ['all', 'payment', 'redemption'];

/** What happened in a wallet, month by month: what was paid, earned, refunded and taken off. */
export function Visits({ walletId }: { walletId: string }) {
  const client = useClient();
  const isOnline = useOnline();
  const [asked, setAsked] = useState<Entry>();
  const [filter, setFilter] = useState<Filter>('all');
  const history = usePages(['history', walletId, filter], () =>
    client.all.listWalletHistory({ walletId, ...(filter !== 'all' && { sourceType: filter }) }),
  );
  if (history.items === undefined && !isOnline) return <NotKept />;
  const months = firstOfMonths(history.items ?? []);
  return (
    <section className="section">
      <div className="section-head">
        <h2>{texts.title}</h2>
        <Segments
          legend={texts.filter}
          options={FILTERS.map((value) => ({ value, text: texts.filters[value] }))}
          value={filter}
          onValue={setFilter}
        />
      </div>
      <PagedItems
        list={history}
        empty={<EmptyState picture="history" title={texts.empty[filter]} />}
        label={texts.title}
      >
        {(entry) => (
          <>
            {months.has(entry.id) && <h3 className="month">{monthOf(entry.createdAt)}</h3>}
            <EntryRow entry={entry} isOnline={isOnline} onWhy={() => setAsked(entry)} />
          </>
        )}
      </PagedItems>
      <Dialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked === undefined ? '' : texts.reasons[asked.reason]}
      >
        {asked !== undefined && <Receipt entry={asked} />}
      </Dialog>
    </section>
  );
}

/** What is said in place of what no phone keeps without a connection. */
export function NotKept() {
  return <EmptyState picture="offline" title={texts.notKept} text={texts.notKeptWhy} />;
}

/** The entries with which another month begins. */
function firstOfMonths(entries: readonly Entry[]): ReadonlySet<string> {
  const months = entries.map(({ createdAt }) => monthOf(createdAt));
  return new Set(entries.filter((_, at) => months[at] !== months[at - 1]).map(({ id }) => id));
}

function EntryRow(props: { entry: Entry; isOnline: boolean; onWhy(): void }) {
  const { entry, isOnline, onWhy } = props;
  const { reason, points, entry_type: type, createdAt: when } = entry;
  const what = texts.reasons[reason];
  return (
    <div className="entry">
      <span className="entry-what">
        {what}
        {amountOf(entry)}
      </span>
      <strong className={`number entry-${type}`}>
        {type === 'credit' ? '+' : '−'}
        {number(points)}
      </strong>
      <span className="muted">
        <time dateTime={when}>{dayAndTime(when)}</time>
        {entry.sale !== null && ` · ${providers[entry.sale.provider].label}`}
        {boughtBefore(entry)}
      </span>
      <button
        type="button"
        className="link"
        aria-label={texts.whyOf(what, moment(when))}
        // It is asked for, and so may be the dialog in which it is shown.
        disabled={!isOnline}
        onClick={onWhy}
      >
        {texts.why}
      </button>
      <Refund entry={entry} />
    </div>
  );
}

/** The day of the purchase, where the points moved on another: its report may come weeks later. */
function boughtBefore({ sale, createdAt }: Entry): string {
  const bought = sale === null ? undefined : otherDay(sale.occurredAt, createdAt);
  return bought === undefined ? '' : ` · ${texts.bought(bought)}`;
}

function amountOf({ sale, discount }: Entry): string {
  if (sale !== null) return ` · ${money(sale.amountMinorUnits, sale.currency)}`;
  if (discount === null || discount.discountValueMinorUnits === 0) return '';
  return ` · ${texts.off(money(discount.discountValueMinorUnits, discount.currency))}`;
}

function Refund({ entry: { reason, sale } }: { entry: Entry }) {
  if (reason !== 'purchase' || sale === null || sale.refundedMinorUnits === 0) return null;
  const { refundedMinorUnits, amountMinorUnits, currency } = sale;
  return (
    <span className="entry-refund">
      {refundedMinorUnits >= amountMinorUnits
        ? texts.refundedWhole
        : texts.refunded(money(refundedMinorUnits, currency))}
    </span>
  );
}

function Receipt({ entry }: { entry: Entry }) {
  const client = useClient();
  const { id: entryId, walletId, balanceAfter } = entry;
  const explained = useQuery({
    queryKey: ['explanation', entryId],
    queryFn: () => client.explainHistoryEntry({ walletId, entryId }),
  });
  const points = pointsText(balanceAfter);
  return (
    <>
      <Suspense fallback={<Skeleton />}>
        <Explanation to="customer" explained={explained} />
      </Suspense>
      <p className="muted">{texts.balance(points)}</p>
    </>
  );
}
