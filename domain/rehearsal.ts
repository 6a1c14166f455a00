import { Big } from 'big.js';
import { z } from 'zod';
import type { PaymentId, UserId } from './ids.ts';
import { type DecisionRecord, decide } from './ingestion.ts';
import { type Span, startOfLastDays } from './intervals.ts';
import { keptOffers } from './offers.ts';
import { worthMinorUnits } from './redemption.ts';
import { type RefundPolicy, reversalTarget } from './refund.ts';
import { type EarningTerms, RewardRuleInput } from './reward-rule.ts';
import type { OutcomeReason } from './texts/coded-sentence.ts';
import { explainPayment } from './texts/explanation.ts';

// A rule is rehearsed over sales of the past: each is decided once more, as if the draft had been
// in effect then, and compared with what happened. Nothing is moved.

/** What is to be rehearsed. */
export const RehearsalInput = z.object({
  days: z
    .int()
    .min(7)
    .max(90)
    .default(90)
    .describe('Over the sales of how many whole days before today, by the clocks of the shop.'),
  rule: RewardRuleInput.describe('The rule that would be published. Its date does not matter.'),
});
export type RehearsalInput = z.infer<typeof RehearsalInput>;

/** `cancelled`: an operator ended its run. */
export const REHEARSAL_STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;
export type RehearsalStatus = (typeof REHEARSAL_STATUSES)[number];

/** Returns the whole days before today that a rehearsal is over, by the clocks of a time zone. */
export function spanOfRehearsal(
  { days }: Pick<RehearsalInput, 'days'>,
  now: Date,
  timeZone: string,
): Span {
  const to = startOfLastDays(1, now, timeZone);
  return { from: startOfLastDays(days, to, timeZone), to };
}

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

/** Sums of points: what was earned, and what the draft gives. */
type Pair = { actualPoints: number; rehearsedPoints: number };
const none = (): Pair => ({ actualPoints: 0, rehearsedPoints: 0 });

type Example = {
  sale: DecidedSale;
  points: number;
  reason: OutcomeReason | null;
  record: DecisionRecord;
};

/** Sales that nobody can be given points for, which are counted apart. */
export type NobodysSales = { anonymous: number; beforeConnection: number };

/**
 * Adds up a rehearsal sale by sale, in memory that does not grow with them. The sales of a consumer
 * have to follow each other.
 */
export class Rehearsal {
  readonly #terms: RehearsalTerms;
  readonly #skipped = { otherCurrency: 0, suspended: 0 };
  readonly #earned = none();
  readonly #net = none();
  readonly #versions = new Map<number | null, Pair & { sales: number }>();
  readonly #weeks: (Span & { sums: Pair })[];
  readonly #consumers = { more: 0, fewer: 0, same: 0 };
  #gains: Example[] = [];
  #losses: Example[] = [];
  #sales = 0;
  #consumer: { id: UserId; difference: number } | undefined;

  constructor(terms: RehearsalTerms) {
    this.#terms = terms;
    this.#weeks = terms.weeks.map((week) => ({ ...week, sums: none() }));
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
    const earned = { actualPoints: actual, rehearsedPoints: points };
    const net = { actualPoints: netOf(sale, actual), rehearsedPoints: netOf(sale, points) };
    addTo(this.#earned, earned);
    addTo(this.#net, net);
    this.#count(sale.userId, net.rehearsedPoints - net.actualPoints);
    this.#file(sale, earned);
    const example = { sale, points, reason, record };
    if (points > actual) this.#gains = firstOf([...this.#gains, example], -1);
    if (points < actual) this.#losses = firstOf([...this.#losses, example], 1);
  }

  /** What was found over a span, with the sales that were not to be added. */
  result({ from, to }: Span, others: NobodysSales) {
    this.#closeConsumer();
    const { more, fewer, same } = this.#consumers;
    const [earned, net] = [this.#earned, this.#net];
    const points = net.rehearsedPoints - net.actualPoints;
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      sales: this.#sales,
      consumers: more + fewer + same,
      skipped: { ...others, ...this.#skipped },
      actual: { pointsEarned: earned.actualPoints, pointsNet: net.actualPoints },
      rehearsed: { pointsEarned: earned.rehearsedPoints, pointsNet: net.rehearsedPoints },
      difference: {
        points,
        minorUnits: worthMinorUnits(points),
        percent: percentOf(points, net.actualPoints),
      },
      consumersMore: more,
      consumersFewer: fewer,
      consumersSame: same,
      versions: [...this.#versions]
        .sort(([one], [other]) => (one ?? 0) - (other ?? 0))
        .map(([version, sums]) => ({ version, ...sums })),
      weeks: this.#weeks.map((week) => ({
        from: week.from.toISOString(),
        to: week.to.toISOString(),
        ...week.sums,
      })),
      examples: [...this.#gains, ...this.#losses].map(told),
    };
  }

  /** Decides the sale as ingestion does, for the consumer whose it is. */
  #decided({ userId, occurredAt, refundedMinorUnits, record }: DecidedSale) {
    const { rule, currency, refunds } = this.#terms;
    const { amountMinorUnits, tipMinorUnits, currency: paidIn, contacts, match, names } = record;
    const amounts = { amountMinorUnits, tipMinorUnits, refundedMinorUnits };
    const sale = { ...amounts, currency: paidIn, occurredAt };
    const offers = keptOffers(record.awards);
    const whose = { userByEmail: userId, userByPhone: null };
    const facts = { ...whose, rule, currency, isSuspended: false, offers };
    const { points, reason, ...decision } = decide(
      { ...sale, email: null, phone: null },
      facts,
      refunds,
    );
    return {
      points,
      reason,
      record: { ...decision.record, contacts, match, ...(names && { names }) },
    };
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

  #file({ ruleVersion, occurredAt }: DecidedSale, earned: Pair): void {
    const version = this.#versions.get(ruleVersion) ?? { sales: 0, ...none() };
    version.sales += 1;
    addTo(version, earned);
    this.#versions.set(ruleVersion, version);
    const week = this.#weeks.find(({ from, to }) => from <= occurredAt && occurredAt < to);
    if (week !== undefined) addTo(week.sums, earned);
  }
}

/** What a rehearsal found, as it is stored. */
export type RehearsalResult = ReturnType<Rehearsal['result']>;

function addTo(sums: Pair, { actualPoints, rehearsedPoints }: Pair): void {
  sums.actualPoints += actualPoints;
  sums.rehearsedPoints += rehearsedPoints;
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
  const { steps, coded } = explainPayment({ outcome, reason, points, record }, 'merchant');
  return {
    transactionId: sale.id,
    amountMinorUnits: record.amountMinorUnits,
    actualPoints: sale.pointsAwarded,
    rehearsedPoints: points,
    steps,
    coded: coded.steps,
  };
}
