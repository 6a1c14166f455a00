import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CampaignId, PaymentId, UserId } from '../../domain/ids.ts';
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

  it('counts consumers by what all of their sales come to, refunds taken off', () => {
    const idOf = (nth: number) => UserId.parse(`00000000-0000-4000-8000-00000000000${nth}`);
    const of = (nth: number, ...amounts: number[]) =>
      amounts.map((amount) => sale(tenth, { amount, by: idOf(nth) }));
    const capped = rule('0.2', { minSpendMinorUnits: 100, maxPointsPerTransaction: 40 });
    const found = rehearsed(capped, [
      // 10 and 10 points more.
      ...of(1, 100, 100),
      // 20 points less; 5 points less, twice.
      ...of(2, 600),
      ...of(3, 50, 50),
      // 10 points more, and 10 less; nothing.
      ...of(4, 100, 500),
      sale(tenth, { amount: 100, refunded: 100, by: idOf(5) }),
      ...of(6, 400),
    ]);
    expect(found).toMatchObject({
      sales: 9,
      consumers: 6,
      consumersMore: 1,
      consumersFewer: 2,
      consumersSame: 3,
      difference: { points: -10, percent: -5.3 },
    });
  });

  it('puts each sale in the week of its time, to the millisecond, and no other in any', () => {
    const just = (bound: Date, milliseconds = 0) => new Date(bound.getTime() + milliseconds);
    const second = new Date('2026-03-09T00:00:00Z');
    const times = [
      just(span.from, -1),
      just(span.from),
      just(second, -1),
      just(second),
      just(span.to, -1),
      just(span.to),
    ];
    const sales = times.map((at, nth) => sale(tenth, { amount: 10 * 10 ** nth, at }));
    expect(rehearsed(rule('0.2'), sales).weeks).toEqual([
      {
        from: '2026-03-02T00:00:00.000Z',
        to: '2026-03-09T00:00:00.000Z',
        actualPoints: 110,
        rehearsedPoints: 220,
      },
      {
        from: '2026-03-09T00:00:00.000Z',
        to: '2026-03-16T00:00:00.000Z',
        actualPoints: 11_000,
        rehearsedPoints: 22_000,
      },
    ]);
  });

  it('lists versions in their order, after what no version decided', () => {
    const sales = [3, null, 1, 2].map((version) => sale(tenth, { amount: 100, version }));
    const { versions } = rehearsed(tenth, sales);
    expect(versions.map(({ version }) => version)).toEqual([null, 1, 2, 3]);
  });

  it('tells of equal gains and of equal losses those with the lower ids', () => {
    const idOf = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`;
    const idsOf = (draft: EarningTerms) => {
      const sales = [4, 7, 1, 6, 2, 5, 3].map((nth) => ({
        ...sale(rule('1'), { amount: 100 }),
        id: PaymentId.parse(idOf(nth)),
      }));
      return rehearsed(draft, sales).examples.map(({ transactionId }) => transactionId);
    };
    const lowest = [1, 2, 3, 4, 5].map(idOf);
    expect(idsOf(rule('2'))).toEqual(lowest);
    expect(idsOf(rule('0.5'))).toEqual(lowest);
  });

  it('keeps the campaigns of a sale, by their names', () => {
    const id = CampaignId.parse('00000000-0000-4000-8000-00000000000c');
    const { record, ...sold } = sale(tenth, { amount: 1_000 });
    const doubled: DecidedSale = {
      ...sold,
      pointsAwarded: 200,
      record: {
        ...record,
        awards: { base: 100, campaigns: [{ id, kind: 'multiplier', multiplier: 2, points: 100 }] },
        names: { [id]: 'Happy hour' },
      },
    };
    const { rehearsed: found, examples } = rehearsed(rule('0.3'), [doubled]);
    expect(found).toEqual({ pointsEarned: 600, pointsNet: 600 });
    expect(examples[0]?.steps.slice(-2)).toEqual([
      '1000 × 0.3 = 300.',
      'The campaign “Happy hour” multiplies it by 2: 1000 × 0.3 × 2 = 600 instead of 300.',
    ]);
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
