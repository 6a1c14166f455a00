import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reversalTarget, reverse } from '../../domain/refund.ts';

const none = { reversed: 0, writtenOff: 0 };

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
    expect(reversalTarget({ ...payment, ...none })).toBe(target);
  });
});

describe('reverse', () => {
  it('returns null when nothing is due', () => {
    const refunded = { earned: 100, paid: 1000, refunded: 500 };
    expect(reverse({ ...refunded, reversed: 30, writtenOff: 20 }, 10)).toBeNull();
    expect(reverse({ ...refunded, refunded: 0, ...none }, 10)).toBeNull();
  });

  it('reverses at most the balance and accounts for every point, in any steps', () => {
    const amount = fc.integer({ min: 1, max: 1_000_000 });
    const steps = fc.array(fc.record({ refunded: fc.nat(2_000_000), balance: fc.nat(500) }));
    fc.assert(
      fc.property(amount, fc.nat(2_000_000), steps, (paid, earned, reports) => {
        let [reversed, writtenOff, most] = [0, 0, 0];
        for (const { refunded, balance } of reports) {
          most = Math.max(most, refunded);
          const change = reverse({ earned, paid, refunded: most, reversed, writtenOff }, balance);
          if (change === null) continue;
          expect(change.points).toBeLessThanOrEqual(balance);
          reversed += change.points;
          writtenOff += change.writtenOff;
        }
        const payment = { earned, paid, refunded: most, ...none };
        expect(reversed + writtenOff).toBe(reversalTarget(payment));
      }),
    );
  });
});
