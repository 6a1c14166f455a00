import { describe, expect, it } from 'vitest';
import type { Reversal } from '../../../domain/refund.ts';
import { explainReversal } from '../../../domain/texts/refund-explanation.ts';

describe('explainReversal', () => {
  const lost = { refundedMinorUnits: 1255, target: 125 } as const;
  it.each<{ about: string; reversal: Omit<Reversal, 'outcome'>; step: string }>([
    {
      about: 'a refund of points in an open code',
      reversal: { ...lost, cause: 'refund', points: 1, owed: 4, writtenOff: 120 },
      step:
        '12.55 EUR of it had been refunded by then, worth 125 points in all: 1 point was taken ' +
        'back. 4 points more were in an open code, to be taken back if its points return. ' +
        '120 points more were written off, since your balance did not hold them.',
    },
    {
      about: 'the return of the code',
      reversal: { ...lost, cause: 'code_returned', points: 4, owed: -4, writtenOff: 0 },
      step: 'A code came back unused: 4 points were taken back of what it held.',
    },
    {
      about: 'the use of the code',
      reversal: { ...lost, cause: 'code_spent', points: 0, owed: -1, writtenOff: 1 },
      step: 'A code was spent: 1 point was written off of what it held.',
    },
    {
      about: 'a refund that failed after all',
      reversal: {
        refundedMinorUnits: 0,
        target: 0,
        cause: 'refund_failed',
        points: -1,
        owed: -4,
        writtenOff: -120,
      },
      step:
        'A refund failed after all. 0.00 EUR of it had been refunded by then, worth 0 points in ' +
        'all: 1 point was given back. 124 points more were no longer to be taken back.',
    },
  ])('explains $about', ({ reversal, step }) => {
    const full: Reversal = { outcome: 'refund_reversed', ...reversal };
    expect(explainReversal(full, { currency: 'EUR' }, 'consumer')).toBe(step);
  });
});
