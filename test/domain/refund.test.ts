import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PaymentId } from '../../domain/ids.ts';
import {
  type Debt,
  payDebts,
  type Reversal,
  reversalTarget,
  reverse,
  withReversal,
  writeOffDebts,
} from '../../domain/refund.ts';

const none = { reversed: 0, owed: 0, writtenOff: 0, absorbed: 0 };
const aPaymentId = PaymentId.parse('00000000-0000-4000-8000-00000000000a');
const outcome = 'refund_reversed' as const;
const holding = (balance: number, absorbable = 0) => ({ balance, absorbable });

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

  it('returns null when nothing is due', () => {
    expect(reverse({ ...refunded, reversed: 30, owed: 5, writtenOff: 15 }, holding(10))).toBeNull();
    expect(reverse({ ...refunded, refunded: 0 }, holding(10))).toBeNull();
  });

  it.each([
    { balance: 60, points: 50, owed: 0 },
    { balance: 50, points: 50, owed: 0 },
    { balance: 10, points: 10, owed: 40 },
    { balance: 0, points: 0, owed: 50 },
  ])('takes $points and is owed $owed with a balance of $balance', ({ balance, ...taken }) => {
    expect(reverse(refunded, holding(balance))).toEqual({
      outcome: 'refund_reversed',
      cause: 'refund',
      refundedMinorUnits: 500,
      target: 50,
      writtenOff: 0,
      ...taken,
    });
  });

  it.each([
    { now: 400, points: 0, owed: 0, writtenOff: -10 },
    { now: 200, points: 0, owed: -10, writtenOff: -20 },
    { now: 0, points: -10, owed: -20, writtenOff: -20 },
  ])('releases what was written off, then owed, then taken, at $now', ({ now, ...returned }) => {
    const was = { ...refunded, reversed: 10, owed: 20, writtenOff: 20 };
    expect(reverse({ ...was, refunded: now }, holding(10))).toEqual({
      outcome: 'refund_reversed',
      cause: 'refund_failed',
      refundedMinorUnits: now,
      target: now / 10,
      ...returned,
    });
  });

  it.each([
    { had: 0, now: 500, writtenOff: 50, cause: 'written_off' },
    { had: 10, now: 500, writtenOff: 40, cause: 'written_off' },
    { had: 50, now: 490, writtenOff: -1, cause: 'refund_failed' },
    { had: 50, now: 0, writtenOff: -50, cause: 'refund_failed' },
  ])('writes off what a closed wallet is asked for: $writtenOff', ({ had, now, ...change }) => {
    const payment = { ...refunded, refunded: now, writtenOff: had };
    expect(reverse(payment, { ...holding(99, 99), isClosed: true })).toEqual({
      outcome: 'refund_reversed',
      refundedMinorUnits: now,
      target: now / 10,
      points: 0,
      owed: 0,
      ...change,
    });
  });

  it('gives a closed wallet back no more than what was written off', () => {
    const closed = { ...holding(0), isClosed: true };
    const failed = { ...refunded, refunded: 0, reversed: 30 };
    expect(reverse({ ...failed, writtenOff: 20 }, closed)).toMatchObject({
      cause: 'refund_failed',
      points: 0,
      writtenOff: -20,
    });
    expect(reverse(failed, closed)).toBeNull();
  });

  describe('a refund that fails after points had expired releases', () => {
    type Payment = Parameters<typeof reverse>[0];
    const start: Payment = { earned: 100, paid: 100, refunded: 0, ...none };
    /** The payment after what is refunded has changed, and what of it was released. */
    function refund(payment: Payment, refunded: number, balance: number, absorbable: number) {
      const now = { ...payment, refunded };
      const change = reverse(now, holding(balance, absorbable));
      if (change === null) throw new Error('Nothing was due.');
      const { points, owed = 0, absorbed = 0 } = change;
      const after = {
        ...now,
        reversed: now.reversed + points,
        owed: now.owed + owed,
        absorbed: now.absorbed + absorbed,
        reversals: [...(payment.reversals ?? []), change],
      };
      return { after, moved: [points, owed, absorbed] };
    }

    it('is absorbed first, then the balance is taken, and the rest is owed', () => {
      expect(refund(start, 60, 20, 30).moved).toEqual([20, 10, 30]);
      expect(refund(start, 60, 20, 100).moved).toEqual([0, 0, 60]);
    });

    it('of one refund what was owed, then the balance, then what had expired', () => {
      const { after } = refund(start, 60, 20, 30);
      expect(refund(after, 55, 0, 0).moved).toEqual([0, -5, 0]);
      expect(refund(after, 40, 0, 0).moved).toEqual([-10, -10, 0]);
      expect(refund(after, 0, 0, 0).moved).toEqual([-20, -10, -30]);
    });

    it('is released with its own refund, before what an earlier one took', () => {
      const { after: one } = refund(start, 10, 10, 0);
      const { after: two } = refund(one, 30, 0, 20);
      const { after: three, moved } = refund(two, 5, 0, 0);
      expect(moved).toEqual([-5, 0, -20]);
      expect(refund(three, 0, 0, 0).moved).toEqual([-5, 0, 0]);
    });

    it('is released as far as one that failed in part has not released it', () => {
      const { after: one } = refund(start, 60, 20, 30);
      const { after: two } = refund(one, 40, 0, 0);
      expect(refund(two, 0, 0, 0).moved).toEqual([-10, 0, -30]);
      const { after: three, moved } = refund(two, 15, 0, 0);
      expect(moved).toEqual([-10, 0, -15]);
      expect(refund(three, 0, 0, 0).moved).toEqual([0, 0, -15]);
    });

    it('may have a change of no cause before it, which is a refund', () => {
      const old: Reversal = {
        outcome,
        refundedMinorUnits: 10,
        target: 10,
        points: 10,
        writtenOff: 0,
      };
      const one = { ...start, refunded: 10, reversed: 10, reversals: [old] };
      const { after: two } = refund(one, 30, 0, 20);
      expect(refund(two, 5, 0, 0).moved).toEqual([-5, 0, -20]);
    });

    it('finds the debts of the oldest refunds paid first', () => {
      const { after: one } = refund(start, 30, 0, 10);
      const { after: two } = refund(one, 50, 0, 0);
      const [paid] = payDebts([{ ...two, paymentId: aPaymentId }], 25);
      const reversals = [...two.reversals, ...(paid?.reversals ?? [])];
      const settled = { ...two, reversed: 25, owed: 15, reversals };
      expect(refund(settled, 40, 0, 0).moved).toEqual([0, -10, 0]);
      expect(refund(settled, 30, 0, 0).moved).toEqual([-5, -15, 0]);
    });

    it('leaves a debt that was paid in the balance', () => {
      const { after } = refund(start, 60, 0, 30);
      const [paid] = payDebts([{ ...after, paymentId: aPaymentId }], 20);
      const reversals = [...after.reversals, ...(paid?.reversals ?? [])];
      const settled = { ...after, reversed: 20, owed: 10, reversals };
      expect(refund(settled, 0, 0, 0).moved).toEqual([-20, -10, -30]);
      expect(refund(settled, 45, 0, 0).moved).toEqual([-5, -10, 0]);
    });
  });

  it('accounts for every point, in any steps', () => {
    const amount = fc.integer({ min: 1, max: 1_000_000 });
    const step = fc.record({ refunded: fc.nat(2_000_000), balance: fc.nat(500) });
    fc.assert(
      fc.property(amount, fc.nat(2_000_000), fc.array(step), (paid, earned, steps) => {
        let payment = { earned, paid, refunded: 0, ...none };
        for (const { refunded: sum, balance } of steps) {
          payment = { ...payment, refunded: sum };
          const change = reverse(payment, holding(balance));
          if (change === null) continue;
          expect(change.points).toBeLessThanOrEqual(balance);
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

describe('payDebts', () => {
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

  it.each([
    { balance: 15, paid: [10, 5], because: 'the oldest are paid first' },
    { balance: 30, paid: [10, 10, 10], because: 'all can be paid' },
    { balance: 99, paid: [10, 10, 10], because: 'no more is owed' },
    { balance: 0, paid: [], because: 'there is nothing to pay with' },
  ])('pays $paid from $balance: $because', ({ balance, paid }) => {
    const settlements = payDebts(debtsOf(10, 10, 10), balance);
    expect(settlements).toEqual(
      paid.map((points, nth) => ({
        paymentId: ids[nth],
        reversals: [
          {
            outcome: 'refund_reversed',
            cause: 'debt_paid',
            refundedMinorUnits: 10,
            target: 10,
            points,
            owed: -points,
            writtenOff: 0,
          },
        ],
      })),
    );
  });
});

describe('writeOffDebts', () => {
  it('gives up what each payment owes', () => {
    const ids = ['a', 'b'].map((digit) =>
      PaymentId.parse(`00000000-0000-4000-8000-00000000000${digit}`),
    );
    const debts = ids.map((paymentId, nth) => ({
      earned: 100,
      paid: 1000,
      refunded: 500,
      ...none,
      reversed: 40 - nth,
      owed: 10 + nth,
      paymentId,
    }));
    expect(writeOffDebts(debts)).toEqual(
      ids.map((paymentId, nth) => ({
        paymentId,
        reversals: [
          {
            outcome,
            cause: 'written_off',
            refundedMinorUnits: 500,
            target: 50,
            points: 0,
            owed: -10 - nth,
            writtenOff: 10 + nth,
          },
        ],
      })),
    );
  });
});

describe('withReversal', () => {
  const payment = { earned: 100, paid: 100, refunded: 60, ...none, reversed: 20, owed: 5 };
  const sum = { outcome, refundedMinorUnits: 60, target: 60, writtenOff: 0 };
  const last: Reversal = { ...sum, cause: 'refund', points: 15, owed: 0, absorbed: 20 };

  it('tells as one what refunds took before anything was absorbed', () => {
    const earlier = { ...sum, cause: 'refund', points: 20, owed: 5, absorbed: 0 };
    expect(withReversal({ ...payment, reversals: null }, last)).toEqual([earlier, last]);
  });

  it('adds to the changes that are known', () => {
    const first: Reversal = { ...sum, points: 20, owed: 5 };
    expect(withReversal({ ...payment, reversals: [first] }, last)).toEqual([first, last]);
  });
});
