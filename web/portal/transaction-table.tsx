import type { Schema } from '../shared/client.tsx';
import { moment, money, number, otherDay } from '../shared/format.ts';
import { Badge, Moment } from '../shared/ui/basics.tsx';
import type { Column } from '../shared/ui/lists.tsx';
import { saleTexts } from '../texts/en/sales.ts';
import { nameOf } from './customer-name.ts';
import { PanelLink } from './panel-link.tsx';

const texts = saleTexts;
const { columns } = texts;

export type Transaction = Schema['Transaction'];

/** The columns of transactions; the last one leads to all about it. */
export const TRANSACTION_COLUMNS: Column<Transaction>[] = [
  { title: columns.when, cell: (transaction) => <When transaction={transaction} /> },
  {
    title: columns.amount,
    cell: (transaction) => <Amount transaction={transaction} />,
    isNumber: true,
  },
  { title: columns.who, cell: ({ consumer }) => nameOf(consumer) },
  { title: columns.outcome, cell: (transaction) => <OutcomeOf transaction={transaction} /> },
  {
    title: columns.points,
    cell: (transaction) => <Earned transaction={transaction} />,
    isNumber: true,
  },
  {
    title: columns.why,
    cell: ({ id, amountMinorUnits, currency, occurredAt }) => (
      <PanelLink
        shows="sale"
        id={id}
        label={texts.whyOf(money(amountMinorUnits, currency), moment(occurredAt))}
      >
        {texts.why}
      </PanelLink>
    ),
  },
];

/** When a sale was and, if its report came on another day, when: lists may be in that order. */
function When({ transaction: { occurredAt, createdAt } }: { transaction: Transaction }) {
  const received = otherDay(createdAt, occurredAt);
  return (
    <>
      <Moment iso={occurredAt} />
      {received !== undefined && <span className="muted"> {texts.received(received)}</span>}
    </>
  );
}

function Amount({ transaction }: { transaction: Transaction }) {
  const { amountMinorUnits, refundedMinorUnits, currency } = transaction;
  return (
    <>
      <span className="number">{money(amountMinorUnits, currency)}</span>
      {refundedMinorUnits > 0 && (
        <span className="muted"> {texts.refunded(money(refundedMinorUnits, currency))}</span>
      )}
    </>
  );
}

/** What became of a sale, in a word, and why. */
export function OutcomeOf({ transaction }: { transaction: Transaction }) {
  const { outcome, outcomeReason, pointsAwarded } = transaction;
  const hasEarned = outcome === 'credited' && pointsAwarded > 0;
  const word = outcome === 'credited' && !hasEarned ? texts.noPoints : texts.outcomes[outcome];
  const reason = Object.entries(texts.reasons).find(([name]) => name === outcomeReason)?.[1];
  return (
    <>
      <Badge kind={hasEarned ? 'good' : 'plain'}>{word}</Badge>
      {reason !== undefined && <span className="muted"> {reason}</span>}
    </>
  );
}

function Earned({ transaction }: { transaction: Transaction }) {
  const { pointsAwarded, pointsReversed, pointsOwed } = transaction;
  return (
    <>
      <span className="number">{number(pointsAwarded)}</span>
      {pointsReversed > 0 && (
        <span className="muted"> {texts.reversed(number(pointsReversed))}</span>
      )}
      {pointsOwed > 0 && <span className="muted"> {texts.owed(number(pointsOwed))}</span>}
    </>
  );
}
