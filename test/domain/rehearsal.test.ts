import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PaymentId, UserId } from '../../domain/ids.ts';
import { decide } from '../../domain/ingestion.ts';
import {
  type DecidedSale,
  Rehearsal,
  RehearsalInput,
  type RehearsalTerms,
  spanOfRehearsal,
} from '../../domain/rehearsal.ts';
import type { EarningTerms } from '../../domain/reward-rule.ts';

const span = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-16T00:00:00Z') };
const weeks = [
  { from: span.from, to: new Date('2026-03-09T00:00:00Z') },
  { from: new Date('2026-03-09T00:00:00Z'), to: span.to },
];
const rule = (conversionRate: string, more: Partial<EarningTerms> = {}): EarningTerms => ({
  conversionRate,
  minSpendMinorUnits: 0,
  maxPointsPerTransaction: null,
  roundingPolicy: 'floor',
  ...more,
});
const terms = (draft: EarningTerms): RehearsalTerms => ({
  rule: { ...draft, version: 9 },
  currency: 'EUR',
  refunds: 'reverse',
  weeks,
});
const [ada, bob] = [randomUUID(), randomUUID()].sort().map((id) => UserId.parse(id));
if (ada === undefined || bob === undefined) throw new Error('Two people are needed.');

type Sold = {
  amount: number;
  by?: UserId;
  refunded?: number;
  currency?: string;
  at?: Date;
  version?: number | null;
  isSuspended?: boolean;
};

/** A sale as ingestion stores it under a rule. */
function sale(by: EarningTerms, sold: Sold): DecidedSale {
  const { amount, refunded = 0, currency = 'EUR', version = 1, isSuspended = false } = sold;
  const userId = sold.by ?? ada;
  const decision = decide(
    {
      amountMinorUnits: amount,
      tipMinorUnits: 0,
      refundedMinorUnits: refunded,
      currency,
      occurredAt: sold.at ?? new Date(),
      email: 'ada@example.com',
      phone: null,
    },
    {
      userByEmail: userId ?? null,
      userByPhone: null,
      rule: version === null ? null : { ...by, version },
      currency: 'EUR',
      isSuspended,
    },
    'reverse',
  );
  return {
    id: PaymentId.parse(randomUUID()),
    userId: UserId.parse(userId),
    occurredAt: sold.at ?? span.from,
    outcomeReason: decision.reason,
    ruleVersion: decision.ruleVersion,
    pointsAwarded: decision.points,
    refundedMinorUnits: refunded,
    record: decision.record,
  };
}

function rehearsed(draft: EarningTerms, sales: readonly DecidedSale[]) {
  const rehearsal = new Rehearsal(terms(draft));
  for (const each of sales.toSorted((one, other) => (one.userId < other.userId ? -1 : 1))) {
    rehearsal.add(each);
  }
  return rehearsal.result(span, { anonymous: 3, beforeConnection: 1 });
}

describe('Rehearsal', () => {
  const tenth = rule('0.1');

  it('adds up what would have been earned, by consumer, version and week', () => {
    const sales = [
      sale(tenth, { amount: 1_000 }),
      sale(tenth, { amount: 1_000, refunded: 505, at: new Date('2026-03-09T00:00:00Z') }),
      sale(tenth, { amount: 30, by: bob }),
      sale(tenth, { amount: 2_000, by: bob, version: null }),
      sale(tenth, { amount: 500, currency: 'USD' }),
      sale(tenth, { amount: 700, isSuspended: true }),
    ];
    expect(rehearsed(rule('0.2', { minSpendMinorUnits: 100 }), sales)).toMatchObject({
      from: '2026-03-02T00:00:00.000Z',
      to: '2026-03-16T00:00:00.000Z',
      sales: 4,
      consumers: 2,
      skipped: { anonymous: 3, otherCurrency: 1, beforeConnection: 1, suspended: 1 },
      // The refund takes back 50 of the 100 points, and would take 101 of 200.
      actual: { pointsEarned: 203, pointsNet: 153 },
      rehearsed: { pointsEarned: 800, pointsNet: 699 },
      difference: { points: 546, minorUnits: 546, percent: 356.9 },
      consumersMore: 2,
      consumersFewer: 0,
      consumersSame: 0,
      versions: [
        { version: null, sales: 1, actualPoints: 0, rehearsedPoints: 400 },
        { version: 1, sales: 3, actualPoints: 203, rehearsedPoints: 400 },
      ],
      weeks: [
        { actualPoints: 103, rehearsedPoints: 600 },
        { actualPoints: 100, rehearsedPoints: 200 },
      ],
    });
  });

  it('tells the largest gains, then the largest losses, in words', () => {
    const amounts = [100, 200, 300, 400, 500, 600, 10, 20];
    const sales = amounts.map((amount) => sale(rule('1'), { amount }));
    const { examples } = rehearsed(rule('2', { minSpendMinorUnits: 50 }), sales);
    expect(examples.map(({ amountMinorUnits: amount }) => amount)).toEqual([
      600, 500, 400, 300, 200, 20, 10,
    ]);
    expect(examples[0]).toMatchObject({ actualPoints: 600, rehearsedPoints: 1_200 });
    expect(examples[0]?.steps.at(-1)).toBe('600 × 2 = 1200.');
    expect(examples[5]?.steps.at(-1)).toBe('0.20 EUR is less than 0.50 EUR.');
  });

  it('says nothing in per cent of nothing', () => {
    const { difference } = rehearsed(tenth, [sale(tenth, { amount: 100, version: null })]);
    expect(difference).toEqual({ points: 10, minorUnits: 10, percent: null });
  });

  const anyRule = fc.record({
    conversionRate: fc.constantFrom('0.1', '0.333333', '1', '1.5', '0.001'),
    minSpendMinorUnits: fc.constantFrom(0, 1, 500),
    maxPointsPerTransaction: fc.constantFrom(null, 0, 1, 300),
    roundingPolicy: fc.constantFrom('floor' as const, 'ceil' as const, 'round' as const),
  });
  const anySale = fc.record({
    nth: fc.nat(2),
    amount: fc.oneof(fc.nat(3), fc.nat(5_000)),
    share: fc.constantFrom(0, 0, 0.1, 0.5, 1, 1.2),
    by: fc.constantFrom(ada, bob),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
    isSuspended: fc.constantFrom(false, false, false, true),
  });

  it('of the terms of a version agrees with it to the point, after any history', () => {
    fc.assert(
      fc.property(
        fc.tuple(anyRule, anyRule, anyRule),
        fc.array(anySale, { maxLength: 30 }),
        fc.nat(2),
        (rules, history, chosen) => {
          const sales = history.map(({ nth, share, ...sold }) =>
            sale(rules[nth] ?? rules[0], {
              ...sold,
              version: nth + 1,
              refunded: Math.floor(sold.amount * share),
            }),
          );
          const draft = rules[chosen] ?? rules[0];
          const { versions, examples } = rehearsed(draft, sales);
          const own = versions.find(({ version }) => version === chosen + 1);
          expect(own?.rehearsedPoints).toBe(own?.actualPoints);
          const ofVersion = sales.filter(({ ruleVersion }) => ruleVersion === chosen + 1);
          const ids = ofVersion.map(({ id }) => id);
          expect(
            examples.filter(({ transactionId }) => ids.includes(PaymentId.parse(transactionId))),
          ).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('spanOfRehearsal', () => {
  it('is of whole days before today by the clocks of the shop, over a change of the clocks', () => {
    const now = new Date('2026-04-01T22:30:00Z');
    const { days } = RehearsalInput.parse({ days: 7, rule: { conversionRate: 1 } });
    expect(spanOfRehearsal({ days }, now, 'Europe/Berlin')).toEqual({
      from: new Date('2026-03-25T23:00:00Z'),
      to: new Date('2026-04-01T22:00:00Z'),
    });
    expect(spanOfRehearsal({ days }, now, 'UTC').to).toEqual(new Date('2026-04-01T00:00:00Z'));
  });
});
