import type { Reversal } from '../refund.ts';
import { money, pointsOf } from './wording.ts';

export type Audience = 'merchant' | 'consumer';

/** Explains what a refund, or a code that held its points, did to the points of a payment. */
export function explainReversal(
  reversal: Reversal,
  record: { currency: string },
  to: Audience,
): string {
  const { cause = 'refund', owed = 0, writtenOff } = reversal;
  const sentences = [leadOf(reversal, record)];
  const owner = to === 'consumer' ? 'your' : 'the';
  if (cause === 'refund') {
    if (owed > 0) {
      sentences.push(
        `${counted(owed, 'more')} in an open code, to be taken back if its points return.`,
      );
    }
    if (writtenOff > 0) {
      sentences.push(
        `${counted(writtenOff, 'more')} written off, since ${owner} balance did not hold them.`,
      );
    }
  }
  if (cause === 'refund_failed' && owed + writtenOff < 0) {
    sentences.push(`${counted(-owed - writtenOff, 'more')} no longer to be taken back.`);
  }
  return sentences.join(' ');
}

function leadOf(reversal: Reversal, record: { currency: string }): string {
  const { cause = 'refund', refundedMinorUnits, target, points, writtenOff } = reversal;
  const refunded = money(refundedMinorUnits, record);
  switch (cause) {
    case 'refund':
      return (
        `${refunded} of it ${IS_REFUNDED}, ` +
        `worth ${pointsOf(target)} in all: ${counted(points)} taken back.`
      );
    case 'refund_failed':
      return (
        `A refund failed after all. ${refunded} of it ${IS_REFUNDED}, ` +
        `worth ${pointsOf(target)} in all: ${counted(-points)} given back.`
      );
    case 'code_returned':
      return `A code came back unused: ${counted(points)} taken back of what it held.`;
    case 'code_spent':
      return `A code was spent: ${counted(writtenOff)} written off of what it held.`;
  }
}

const IS_REFUNDED = 'had been refunded by then';

function counted(points: number, more = ''): string {
  const subject = more === '' ? pointsOf(points) : `${pointsOf(points)} ${more}`;
  return `${subject} ${points === 1 ? 'was' : 'were'}`;
}
