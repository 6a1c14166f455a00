import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEVER } from '../../domain/expiry.ts';
import { parseMonth } from '../../domain/intervals.ts';
import { addUp, type LiabilityRun, liabilityOf } from '../../domain/liability.ts';

const month = (text: string) => parseMonth(text) ?? Number.NaN;
const [january, february, march] = [month('2026-01'), month('2026-02'), month('2026-03')];
/** The run of March, where points are valid for two months after that in which they were earned. */
const run: LiabilityRun = { month: march, since: march, dueOf: (earned) => earned + 2 };

describe('what is owed after the end of a month', () => {
  it('is what is left of each month, beside what was refunded, used and expired', () => {
    // 10 of February were refunded, 60 are in an open code, and 40 of January have expired.
    const lots = [
      { month: january, points: 100, earned: 100 },
      { month: february, points: 30, earned: 40 },
      { month: march, points: 30, earned: 30 },
    ];
    expect(liabilityOf({ balance: 60, lots, expired: 40 }, run)).toEqual([
      { month: january, earned: 100, reversed: 0, used: 60, expired: 40, left: 0 },
      { month: february, earned: 40, reversed: 10, used: 0, expired: 0, left: 30 },
      { month: march, earned: 30, reversed: 0, used: 0, expired: 0, left: 30 },
    ]);
  });

  it('is of what is due last, and of that of what was earned last', () => {
    const lots = [january, february, march].map((each) => ({
      month: each,
      points: 10,
      earned: 10,
    }));
    const dueOf = (earned: number) => (earned === january ? NEVER : march + 1);
    // In whatever order the lots are read.
    for (const read of [lots, lots.toReversed()]) {
      const left = liabilityOf({ balance: 15, lots: read, expired: 0 }, { ...run, dueOf });
      expect(left.map((each) => [each.month, each.left, each.used])).toEqual([
        [february, 0, 10],
        [march, 5, 5],
        [january, 10, 0],
      ]);
    }
  });

  it('leaves out what was due earlier, unless no run before has taken it', () => {
    const lots = [{ month: january - 1, points: 50, earned: 50 }];
    expect(liabilityOf({ balance: 0, lots, expired: 0 }, run)).toEqual([]);
    expect(liabilityOf({ balance: 0, lots, expired: 20 }, { ...run, since: february })).toEqual([
      { month: january - 1, earned: 50, reversed: 0, used: 30, expired: 20, left: 0 },
    ]);
  });

  it('adds up, whatever was earned and used', () => {
    const lot = fc.record({ earned: fc.nat(50), reversed: fc.nat(50), late: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(lot, { maxLength: 6 }), fc.nat(200), fc.nat(3), (all, spent, over) => {
        const lots = all.map(({ earned, reversed }, nth) => {
          return { month: january + nth, points: Math.max(0, earned - reversed), earned };
        });
        const dueOf = (earned: number) => earned + 1 + (all[earned - january]?.late ?? 0);
        const its: LiabilityRun = { month: january + over, since: january, dueOf };
        const sum = (some: typeof lots) => some.reduce((total, { points }) => total + points, 0);
        const before = Math.max(0, sum(lots) - spent);
        const later = sum(lots.filter((each) => dueOf(each.month) > its.month));
        const balance = Math.min(before, later);
        const rows = liabilityOf({ balance, lots, expired: before - balance }, its);
        const total = (name: 'left' | 'expired' | 'used') =>
          rows.reduce((points, row) => points + row[name], 0);
        expect([total('left'), total('expired')]).toEqual([balance, before - balance]);
        for (const { earned, reversed, used, expired, left } of rows) {
          expect(earned - reversed - used - expired).toBe(left);
          expect(Math.min(reversed, used, expired, left)).toBeGreaterThanOrEqual(0);
        }
        // The balance of before comes to the same.
        expect(liabilityOf({ balance: before, lots, expired: before - balance }, its)).toEqual(
          rows,
        );
      }),
    );
  });
});

it('adds up wallets by month', () => {
  const row = { earned: 5, reversed: 1, used: 1, expired: 1, left: 2 };
  const doubled = { earned: 10, reversed: 2, used: 2, expired: 2, left: 4 };
  const all = [
    { month: january, ...row },
    { month: march, ...row },
    { month: january, ...row },
  ];
  expect(addUp(all)).toEqual([
    { month: january, ...doubled },
    { month: march, ...row },
  ]);
});
