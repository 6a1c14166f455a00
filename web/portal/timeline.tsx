import { type Schema, useClient } from '../shared/client.tsx';
import { dayAndTime, money, number, otherDay } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { providers } from '../shared/providers.ts';
import { EmptyState, Section } from '../shared/ui/basics.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { serviceTexts as texts } from '../texts/en/service.ts';
import { useShop } from './shop.tsx';

type Entry = Schema['LedgerEntry'];

/** What moved the points of a customer: sales, codes, refunds, corrections, what has expired. */
export function Timeline({ userId }: { userId: string }) {
  const client = useClient();
  const { tenantId } = useShop();
  const history = usePages(['consumer', tenantId, userId, 'history'], () =>
    client.all.listConsumerHistory({ tenantId, userId }),
  );
  return (
    <Section title={texts.timeline}>
      <PagedItems
        list={history}
        empty={<EmptyState picture="history" title={texts.noTimeline} />}
        label={texts.timeline}
      >
        {(entry) => <EntryRow entry={entry} />}
      </PagedItems>
    </Section>
  );
}

function EntryRow({ entry }: { entry: Entry }) {
  const { reason, points, entry_type: type, balanceAfter, createdAt: when } = entry;
  return (
    <div className="entry">
      <span className="entry-what">{[texts.reasons[reason], ...amountsOf(entry)].join(' · ')}</span>
      <strong className={`number entry-${type}`}>
        {type === 'credit' ? '+' : '−'}
        {number(points)}
      </strong>
      <span className="muted">
        <time dateTime={when}>{dayAndTime(when)}</time>
        {saleOf(entry).map((part) => ` · ${part}`)}
      </span>
      <span className="muted">{texts.balance(pointsText(balanceAfter))}</span>
    </div>
  );
}

/** Where the sale was and, if the points moved on another day, on which. */
function saleOf({ sale, createdAt }: Entry): string[] {
  if (sale === null) return [];
  const { label } = providers[sale.provider];
  const sold = otherDay(sale.occurredAt, createdAt);
  return sold === undefined ? [label] : [label, texts.sold(sold)];
}

/** What was paid and paid back, or what a code took off. */
function amountsOf({ reason, sale, discount }: Entry): string[] {
  if (sale !== null) {
    const { amountMinorUnits, refundedMinorUnits, currency } = sale;
    const paid = money(amountMinorUnits, currency);
    if (reason !== 'purchase' || refundedMinorUnits === 0) return [paid];
    return [paid, texts.refunded(money(refundedMinorUnits, currency))];
  }
  if (discount === null || discount.discountValueMinorUnits === 0) return [];
  return [texts.off(money(discount.discountValueMinorUnits, discount.currency))];
}
