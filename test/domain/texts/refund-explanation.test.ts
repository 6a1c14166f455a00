import { describe, expect, it } from 'vitest';
import type { Reversal } from '../../../domain/refund.ts';
import { english } from '../../../domain/texts/english.ts';
import { explainReversal } from '../../../domain/texts/refund-explanation.ts';

describe('explainReversal', () => {
  const lost = { refundedMinorUnits: 1255, target: 125 } as const;
  it.each<{ about: string; reversal: Omit<Reversal, 'outcome'>; step: string }>([
    {
      about: 'a refund of points that were used',
      reversal: { ...lost, cause: 'refund', points: 1, owed: 124, writtenOff: 0 },
      step:
        '12.55 EUR of it had been refunded by then, worth 125 points in all: 1 point was taken ' +
        'back. Your balance did not hold 124 points more, which will be taken from what you ' +
        'earn next.',
    },
    {
      about: 'what paid for it later',
      reversal: { ...lost, cause: 'debt_paid', points: 4, owed: -4, writtenOff: 0 },
      step: '4 points were taken back from what came in later.',
    },
    {
      about: 'a refund that failed after all',
      reversal: {
        refundedMinorUnits: 0,
        target: 0,
        cause: 'refund_failed',
        points: -1,
        owed: -124,
        writtenOff: 0,
      },
      step:
        'A refund failed after all. 0.00 EUR of it had been refunded by then, worth 0 points in ' +
        'all: 1 point was given back. 124 points more were no longer to be taken back.',
    },
    {
      about: 'a refund of points that had expired before',
      reversal: { ...lost, cause: 'refund', points: 0, owed: 0, writtenOff: 0, absorbed: 125 },
      step:
        '12.55 EUR of it had been refunded by then, worth 125 points in all: 0 points were taken ' +
        'back. 125 points more had expired before.',
    },
    {
      about: 'one that failed after all, of points that had expired',
      reversal: {
        refundedMinorUnits: 0,
        target: 0,
        cause: 'refund_failed',
        points: 0,
        owed: 0,
        writtenOff: 0,
        absorbed: -16,
      },
      step:
        'A refund failed after all. 0.00 EUR of it had been refunded by then, worth 0 points in ' +
        'all: 0 points were given back. 16 points more of what had expired are no longer set ' +
        'against it.',
    },
    {
      about: 'a refund that failed after some of it had been given up',
      reversal: {
        refundedMinorUnits: 0,
        target: 0,
        cause: 'refund_failed',
        points: 0,
        owed: -100,
        writtenOff: -24,
      },
      step:
        'A refund failed after all. 0.00 EUR of it had been refunded by then, worth 0 points in ' +
        'all: 0 points were given back. 124 points more were no longer to be taken back.',
    },
    {
      about: 'what was given up with an account',
      reversal: { ...lost, cause: 'written_off', points: 0, owed: -124, writtenOff: 124 },
      step: '124 points were not taken back, because the account was erased.',
    },
  ])('explains $about', ({ reversal, step }) => {
    const full: Reversal = { outcome: 'refund_reversed', ...reversal };
    expect(english(explainReversal(full, { currency: 'EUR' }), 'consumer')).toBe(step);
  });

  it('names the consumer to the merchant', () => {
    const reversal: Reversal = {
      ...lost,
      outcome: 'refund_reversed',
      points: 0,
      owed: 1,
      writtenOff: 0,
    };
    expect(english(explainReversal(reversal, { currency: 'EUR' }), 'merchant')).toContain(
      'The balance did not hold 1 point more, which will be taken from what the consumer earns',
    );
  });
});
