import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PaymentId } from '../../domain/ids.ts';
import { type Debt, reversalTarget, reverse, settleDebts } from '../../domain/refund.ts';

const none = { reversed: 0, owed: 0, writtenOff: 0 };

describe('reversalTarget', () => {
  it.each([
    { earned: 100, paid: 1000, refunded: 0, target: 0 },
    { earned: 100, paid: 1000, refunded: 9, target: 0 },
    { earned: 100, paid: 1000, refunded: 10, target: 1 },
    { earned: 100, paid: 1000, refunded: 999, target: 99 },
    { earned: 100, paid: 1000, refunded: 1000, target: 100 },
    { earned: 100, paid: 1000, refunded: 5000, target: 100 },
    { earned: 0, paid: 0, refunded: 0, target: 0 },
    { earned: 7, paid: 3, refunded: 2, target: 4 },
    { earned: 2 ** 53 - 1, paid: 2 ** 53 - 1, refunded: 2 ** 53 - 2, target: 2 ** 53 - 2 },
  ])('reverses $target of $earned after $refunded of $paid', ({ target, ...payment }) => {
    expect(reversalTarget(payment)).toBe(target);
  });
});

describe('reverse', () => {
  const refunded = { earned: 100, paid: 1000, refunded: 500, ...none };
  const poor = { balance: 10, parked: 0 };

  it('returns null when nothing is due', () => {
    expect(reverse({ ...refunded, reversed: 30, owed: 5, writtenOff: 15 }, poor)).toBeNull();
    expect(reverse({ ...refunded, refunded: 0 }, poor)).toBeNull();
  });

  it.each([
    { balance: 50, parked: 0, points: 50, owed: 0, writtenOff: 0 },
    { balance: 10, parked: 100, points: 10, owed: 40, writtenOff: 0 },
    { balance: 10, parked: 30, points: 10, owed: 30, writtenOff: 10 },
    { balance: 10, parked: -3, points: 10, owed: 0, writtenOff: 40 },
  ])('takes $points, is owed $owed and writes off $writtenOff', ({ balance, parked, ...taken }) => {
    expect(reverse(refunded, { balance, parked })).toEqual({
      outcome: 'refund_reversed',
      cause: 'refund',
      refundedMinorUnits: 500,
      target: 50,
      ...taken,
    });
  });

  it.each([
    { now: 400, points: 0, owed: 0, writtenOff: -10 },
    { now: 200, points: 0, owed: -10, writtenOff: -20 },
    { now: 0, points: -10, owed: -20, writtenOff: -20 },
  ])('releases what was written off, then owed, then taken, at $now', ({ now, ...returned }) => {
    const was = { ...refunded, reversed: 10, owed: 20, writtenOff: 20 };
    expect(reverse({ ...was, refunded: now }, poor)).toEqual({
      outcome: 'refund_reversed',
      cause: 'refund_failed',
      refundedMinorUnits: now,
      target: now / 10,
      ...returned,
    });
  });

  it('accounts for every point, in any steps', () => {
    const amount = fc.integer({ min: 1, max: 1_000_000 });
    const step = fc.record({
      refunded: fc.nat(2_000_000),
      balance: fc.nat(500),
      parked: fc.nat(99),
    });
    fc.assert(
      fc.property(amount, fc.nat(2_000_000), fc.array(step), (paid, earned, steps) => {
        let payment = { earned, paid, refunded: 0, ...none };
        for (const { refunded: sum, ...reach } of steps) {
          payment = { ...payment, refunded: sum };
          const change = reverse(payment, reach);
          if (change === null) continue;
          expect(change.points).toBeLessThanOrEqual(reach.balance);
          payment = {
            ...payment,
            reversed: payment.reversed + change.points,
            owed: payment.owed + (change.owed ?? 0),
            writtenOff: payment.writtenOff + change.writtenOff,
          };
          const { reversed, owed, writtenOff } = payment;
          expect(Math.min(reversed, owed, writtenOff)).toBeGreaterThanOrEqual(0);
        }
        const { reversed, owed, writtenOff } = payment;
        expect(reversed + owed + writtenOff).toBe(reversalTarget(payment));
      }),
    );
  });
});

describe('settleDebts', () => {
  const ids = ['a', 'b', 'c'].map((digit) =>
    PaymentId.parse(`00000000-0000-4000-8000-00000000000${digit}`),
  );
  const debtsOf = (...owed: number[]): Debt[] =>
    owed.map((points, nth) => ({
      earned: 100,
      paid: 100,
      refunded: points,
      ...none,
      owed: points,
      paymentId: ids[nth] ?? PaymentId.parse(''),
    }));
  const settled = (owed: number[], closing: { returned: number; parked: number }) =>
    settleDebts(debtsOf(...owed), closing).map(({ paymentId, reversals }) => [
      ids.indexOf(paymentId),
      ...reversals.map(({ cause, points, owed: less, writtenOff }) => [
        cause,
        points,
        less,
        writtenOff,
      ]),
    ]);

  it.each([
    {
      about: 'the oldest debts are paid first',
      owed: [10, 10, 10],
      closing: { returned: 15, parked: 100 },
      changes: [
        [0, ['code_returned', 10, -10, 0]],
        [1, ['code_returned', 5, -5, 0]],
      ],
    },
    {
      about: 'the youngest debts are written off, when other codes hold less',
      owed: [10, 10, 10],
      closing: { returned: 0, parked: 15 },
      changes: [
        [1, ['code_spent', 0, -5, 5]],
        [2, ['code_spent', 0, -10, 10]],
      ],
    },
    {
      about: 'nothing changes while other codes hold as much',
      owed: [10, 10],
      closing: { returned: 0, parked: 20 },
      changes: [],
    },
    {
      about: 'one debt is paid in part, and the rest of it is written off',
      owed: [10],
      closing: { returned: 4, parked: 1 },
      changes: [[0, ['code_returned', 4, -4, 0], ['code_spent', 0, -5, 5]]],
    },
  ])('$about', ({ owed, closing, changes }) => {
    expect(settled(owed, closing)).toEqual(changes);
  });

  it('pays no more than returned, and leaves no more than open codes hold', () => {
    const someDebts = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 3 });
    fc.assert(
      fc.property(someDebts, fc.nat(100), fc.nat(100), (owed, returned, parked) => {
        const reversals = settleDebts(debtsOf(...owed), { returned, parked }).flatMap(
          (settlement) => settlement.reversals,
        );
        const sum = (part: (one: (typeof reversals)[number]) => number) =>
          reversals.reduce((total, one) => total + part(one), 0);
        const all = owed.reduce((total, one) => total + one, 0);
        const paid = sum(({ points }) => points);
        expect(paid).toBe(Math.min(all, returned));
        expect(all + sum(({ owed: less = 0 }) => less)).toBe(Math.min(all - paid, parked));
        expect(sum(({ points, owed: less = 0, writtenOff }) => points + less + writtenOff)).toBe(0);
      }),
    );
  });
});
