import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MonthPoints, pointsAbsorbable, pointsDue } from '../../domain/expiry.ts';
import { reverse } from '../../domain/refund.ts';

// A month's end and refunds of sales come to the same in any order.

const MONTHS = 6;
const validity = 2;
const dueOf = (earned: number) => earned + validity;

type Sale = { month: number; earned: number };
type Wallet = {
  sales: readonly Sale[];
  balance: number;
  owed: number;
  expired: MonthPoints[];
  reversed: number[];
  absorbed: number[];
  owes: number[];
};

const sale = fc.record({
  month: fc.nat(MONTHS - 1),
  earned: fc.integer({ min: 1, max: 60 }),
});
const story = fc
  .record({ sales: fc.array(sale, { minLength: 1, maxLength: 5 }), spent: fc.nat(200) })
  .chain(({ sales, spent }) =>
    fc.record({
      sales: fc.constant(sales),
      spent: fc.constant(spent),
      month: fc.nat(MONTHS),
      refunds: fc.array(fc.tuple(fc.nat(sales.length - 1), fc.nat(60)), { maxLength: 4 }),
      at: fc.nat(4),
    }),
  );

function begin(sales: readonly Sale[], spent: number): Wallet {
  const all = sales.reduce((sum, { earned }) => sum + earned, 0);
  const none = () => sales.map(() => 0);
  const nothing = { reversed: none(), absorbed: none(), owes: none() };
  return { sales, balance: Math.max(0, all - spent), owed: 0, expired: [], ...nothing };
}

function endMonth(wallet: Wallet, month: number): void {
  const lots = wallet.sales.map(({ month: earned, earned: points }, nth) => {
    return { month: earned, points: points - (wallet.reversed[nth] ?? 0) };
  });
  const due = pointsDue({ balance: wallet.balance, lots }, { month, dueOf });
  if (due === null) return;
  wallet.balance -= due.points;
  wallet.expired.push({ month, points: due.points });
}

/** Refunds a sale, so that in all the share of these points is refunded. */
function refund(wallet: Wallet, nth: number, refunded: number): void {
  const { month, earned } = wallet.sales[nth] ?? { month: 0, earned: 0 };
  const [reversed, absorbed, owed] = [
    wallet.reversed[nth] ?? 0,
    wallet.absorbed[nth] ?? 0,
    wallet.owes[nth] ?? 0,
  ];
  const known = wallet.sales.map((each, at) => {
    return { month: dueOf(each.month), points: wallet.absorbed[at] ?? 0 };
  });
  const absorbable = pointsAbsorbable({ expired: wallet.expired, absorbed: known }, dueOf(month));
  const payment = { earned, paid: earned, refunded, reversed, owed, writtenOff: 0, absorbed };
  const change = reverse(payment, { balance: wallet.balance, absorbable });
  if (change === null) return;
  const { points, owed: newlyOwed = 0, absorbed: newlyAbsorbed = 0 } = change;
  wallet.balance -= points;
  wallet.owed += newlyOwed;
  wallet.reversed[nth] = reversed + points;
  wallet.absorbed[nth] = absorbed + newlyAbsorbed;
  wallet.owes[nth] = owed + newlyOwed;
}

describe('refunds and the end of a month', () => {
  it('leave the same balance and debts in any order', () => {
    fc.assert(
      fc.property(story, ({ sales, spent, month, refunds, at }) => {
        // Refunds of a sale only grow.
        const growing = refunds.map(([nth], index) => {
          const so = refunds.slice(0, index + 1).filter(([other]) => other === nth);
          return [
            nth,
            Math.min(
              sales[nth]?.earned ?? 0,
              so.reduce((s, [, p]) => s + p, 0),
            ),
          ] as const;
        });
        const ends = [0, Math.min(at, growing.length), growing.length].map((when) => {
          const wallet = begin(sales, spent);
          for (const [index, [nth, refunded]] of growing.entries()) {
            if (index === when) endMonth(wallet, month);
            refund(wallet, nth, refunded);
          }
          if (when === growing.length) endMonth(wallet, month);
          return [wallet.balance, wallet.owed];
        });
        const [first, ...others] = ends;
        for (const other of others) expect(other).toEqual(first);
      }),
      { numRuns: 2_000 },
    );
  });
});
