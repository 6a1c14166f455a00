import type { Reversal } from '../refund.ts';
import type { CodedSentence } from './coded-sentence.ts';

/** Explains what a refund, or what paid for it later, did to the points of a payment. */
export function explainReversal(
  reversal: Reversal,
  { currency }: { currency: string },
): CodedSentence {
  const { cause = 'refund', refundedMinorUnits, target, points, owed = 0, writtenOff } = reversal;
  const { absorbed = 0 } = reversal;
  const refund = { refundedMinorUnits, currency, target };
  switch (cause) {
    case 'refund':
      return { code: 'refunded', params: { ...refund, points, owed, absorbed } };
    case 'refund_failed': {
      // Moved the other way round, they are negative there.
      const moved = { points: 0 - points, owed: 0 - owed - writtenOff, absorbed: 0 - absorbed };
      return { code: 'refund_failed', params: { ...refund, ...moved } };
    }
    case 'debt_paid':
      return { code: 'debt_paid', params: { points } };
    case 'written_off':
      return { code: 'written_off', params: { points: writtenOff } };
  }
}
