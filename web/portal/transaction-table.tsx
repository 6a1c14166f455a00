import { lazy, Suspense, useState } from 'react';
import type { Schema } from '../shared/client.tsx';
import { moment, money, number } from '../shared/format.ts';
import { Badge, Moment } from '../shared/ui/basics.tsx';
import type { Column } from '../shared/ui/lists.tsx';
import { portalTexts } from '../texts/en/portal.ts';

const WhyDialog = lazy(() => import('./why.tsx'));
const { transactions: texts } = portalTexts;
const { columns } = texts;

export type Transaction = Schema['Transaction'];

/** The columns of transactions, and the dialog that their last one opens. */
export function useTransactionColumns() {
  const [asked, setAsked] = useState<string>();
  const list: Column<Transaction>[] = [
    { title: columns.when, cell: ({ occurredAt }) => <Moment iso={occurredAt} /> },
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
        <button
          type="button"
          className="link"
          aria-label={texts.whyOf(money(amountMinorUnits, currency), moment(occurredAt))}
          onClick={() => setAsked(id)}
        >
          {texts.why}
        </button>
      ),
    },
  ];
  const dialog = (
    <Suspense>
      <WhyDialog transactionId={asked} onClose={() => setAsked(undefined)} />
    </Suspense>
  );
  return { columns: list, dialog };
}

/** How a shop may see a consumer: by the masked address that it is shown. */
export function nameOf(consumer: { email: string | null; phone: string | null } | null): string {
  return consumer?.email ?? consumer?.phone ?? texts.unknown;
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

function OutcomeOf({ transaction }: { transaction: Transaction }) {
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
