import { Big } from 'big.js';
import type { PaymentId, UserId } from './ids.ts';
import { type DecisionRecord, decide } from './ingestion.ts';
import type { Span } from './intervals.ts';
import { worthMinorUnits } from './redemption.ts';
import { type RefundPolicy, reversalTarget } from './refund.ts';
import type { RehearsalResult, Skipped } from './rehearsal-result.ts';
import type { EarningTerms } from './reward-rule.ts';
import type { OutcomeReason } from './texts/coded-sentence.ts';
import { explainPayment } from './texts/explanation.ts';

// A rule is rehearsed over sales of the past: each is decided once more, as if the draft had been
// in effect then, and compared with what happened. Nothing is moved.

/** A stored sale of a consumer, as it was decided and with what is refunded of it now. */
export type DecidedSale = {
  id: PaymentId;
  userId: UserId;
  occurredAt: Date;
  outcomeReason: OutcomeReason | null;
  ruleVersion: number | null;
  pointsAwarded: number;
  refundedMinorUnits: number;
  record: DecisionRecord;
};

/** The rule that is rehearsed, the tenant's currency, and how the span is cut in weeks. */
export type RehearsalTerms = {
  rule: EarningTerms & { version: number };
  currency: string | null;
  refunds: RefundPolicy;
  weeks: readonly Span[];
};

/** How many of the largest gains, and of the largest losses, are told as examples. */
const EXAMPLES_EACH = 5;

type Example = { sale: DecidedSale; points: number; reason: OutcomeReason | null } & {
  record: DecisionRecord;
};
type Pair = { actualPoints: number; rehearsedPoints: number };

/**
 * Adds up a rehearsal sale by sale, in memory that does not grow with them. The sales of a consumer
 * have to follow each other.
 */
export class Rehearsal {
  readonly #terms: RehearsalTerms;
  readonly #skipped = { otherCurrency: 0, suspended: 0 };
  readonly #earned = { actual: 0, rehearsed: 0 };
  readonly #net = { actual: 0, rehearsed: 0 };
  readonly #versions = new Map<number | null, Pair & { sales: number }>();
  readonly #weeks: Pair[];
  readonly #consumers = { more: 0, fewer: 0, same: 0 };
  #gains: Example[] = [];
  #losses: Example[] = [];
  #sales = 0;
  #consumer: { id: UserId; difference: number } | undefined;

  constructor(terms: RehearsalTerms) {
    this.#terms = terms;
    this.#weeks = terms.weeks.map(() => ({ actualPoints: 0, rehearsedPoints: 0 }));
  }

  add(sale: DecidedSale): void {
    if (sale.outcomeReason === 'tenant_suspended') {
      this.#skipped.suspended += 1;
      return;
    }
    const { points, reason, record } = this.#decided(sale);
    if (reason === 'currency_mismatch') {
      this.#skipped.otherCurrency += 1;
      return;
    }
    this.#sales += 1;
    const actual = sale.pointsAwarded;
    this.#earned.actual += actual;
    this.#earned.rehearsed += points;
    const net = { actual: netOf(sale, actual), rehearsed: netOf(sale, points) };
    this.#net.actual += net.actual;
    this.#net.rehearsed += net.rehearsed;
    this.#count(sale.userId, net.rehearsed - net.actual);
    this.#file(sale, { actualPoints: actual, rehearsedPoints: points });
    const example = { sale, points, reason, record };
    if (points > actual) this.#gains = firstOf([...this.#gains, example], -1);
    if (points < actual) this.#losses = firstOf([...this.#losses, example], 1);
  }

  /** What was found over a span, with what was skipped of the sales that nobody was to add. */
  result(
    { from, to }: Span,
    others: Pick<Skipped, 'anonymous' | 'beforeConnection'>,
  ): RehearsalResult {
    this.#closeConsumer();
    const { more, fewer, same } = this.#consumers;
    const points = this.#net.rehearsed - this.#net.actual;
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      sales: this.#sales,
      consumers: more + fewer + same,
      skipped: { ...others, ...this.#skipped },
      actual: { pointsEarned: this.#earned.actual, pointsNet: this.#net.actual },
      rehearsed: { pointsEarned: this.#earned.rehearsed, pointsNet: this.#net.rehearsed },
      difference: {
        points,
        minorUnits: worthMinorUnits(points),
        percent: percentOf(points, this.#net.actual),
      },
      consumersMore: more,
      consumersFewer: fewer,
      consumersSame: same,
      versions: [...this.#versions]
        .sort(([one], [other]) => (one ?? 0) - (other ?? 0))
        .map(([version, sums]) => ({ version, ...sums })),
      weeks: this.#terms.weeks.map((week, nth) => ({
        from: week.from.toISOString(),
        to: week.to.toISOString(),
        actualPoints: this.#weeks[nth]?.actualPoints ?? 0,
        rehearsedPoints: this.#weeks[nth]?.rehearsedPoints ?? 0,
      })),
      examples: [...this.#gains, ...this.#losses].map(told),
    };
  }

  /** Decides the sale as ingestion does, for the consumer whose it is. */
  #decided({ userId, refundedMinorUnits, record }: DecidedSale) {
    const { rule, currency, refunds } = this.#terms;
    const { amountMinorUnits, tipMinorUnits, contacts, match } = record;
    const sale = { amountMinorUnits, tipMinorUnits, refundedMinorUnits, currency: record.currency };
    const facts = { userByEmail: userId, userByPhone: null, rule, currency, isSuspended: false };
    const { points, reason, ...decision } = decide(
      { ...sale, email: null, phone: null },
      facts,
      refunds,
    );
    return { points, reason, record: { ...decision.record, contacts, match } };
  }

  #count(userId: UserId, difference: number): void {
    if (this.#consumer?.id !== userId) this.#closeConsumer();
    this.#consumer ??= { id: userId, difference: 0 };
    this.#consumer.difference += difference;
  }

  #closeConsumer(): void {
    if (this.#consumer === undefined) return;
    const { difference } = this.#consumer;
    this.#consumers[difference > 0 ? 'more' : difference < 0 ? 'fewer' : 'same'] += 1;
    this.#consumer = undefined;
  }

  #file({ ruleVersion, occurredAt }: DecidedSale, pair: Pair): void {
    const version = this.#versions.get(ruleVersion) ?? {
      sales: 0,
      actualPoints: 0,
      rehearsedPoints: 0,
    };
    this.#versions.set(ruleVersion, { sales: version.sales + 1, ...sumOf(version, pair) });
    const nth = this.#terms.weeks.findIndex(
      ({ from, to }) => from <= occurredAt && occurredAt < to,
    );
    const week = this.#weeks[nth];
    if (week !== undefined) this.#weeks[nth] = sumOf(week, pair);
  }
}

function sumOf(one: Pair, other: Pair): Pair {
  return {
    actualPoints: one.actualPoints + other.actualPoints,
    rehearsedPoints: one.rehearsedPoints + other.rehearsedPoints,
  };
}

/** The points of a sale less what its refunds take of them. */
function netOf({ record, refundedMinorUnits }: DecidedSale, earned: number): number {
  const paid = record.amountMinorUnits;
  return earned - reversalTarget({ earned, paid, refunded: refundedMinorUnits });
}

/** Tenths of a per cent, halves rounded up; null of nothing. */
function percentOf(points: number, of: number): number | null {
  if (of === 0) return null;
  return new Big(points).times(100).div(of).round(1, Big.roundHalfUp).toNumber();
}

/** The largest differences in a direction, of equal ones those with the lower ids. */
function firstOf(examples: readonly Example[], direction: 1 | -1): Example[] {
  const differenceOf = ({ sale, points }: Example) => (points - sale.pointsAwarded) * direction;
  return examples
    .toSorted(
      (one, other) =>
        differenceOf(one) - differenceOf(other) || (one.sale.id < other.sale.id ? -1 : 1),
    )
    .slice(0, EXAMPLES_EACH);
}

function told({ sale, points, reason, record }: Example) {
  const outcome = 'credited';
  return {
    transactionId: sale.id,
    amountMinorUnits: record.amountMinorUnits,
    actualPoints: sale.pointsAwarded,
    rehearsedPoints: points,
    steps: explainPayment({ outcome, reason, points, record }, 'merchant').steps,
  };
}
