import type { Reversal } from '../refund.ts';
import { money, pointsOf } from './wording.ts';

export type Audience = 'merchant' | 'consumer';

/** Explains what a refund, or what paid for it later, did to the points of a payment. */
export function explainReversal(
  reversal: Reversal,
  record: { currency: string },
  to: Audience,
): string {
  const { cause = 'refund', owed = 0, writtenOff } = reversal;
  const sentences = [leadOf(reversal, record)];
  const [balance, earner] =
    to === 'consumer' ? ['Your balance', 'you earn'] : ['The balance', 'the consumer earns'];
  if (cause === 'refund' && owed > 0) {
    sentences.push(
      `${balance} did not hold ${pointsOf(owed)} more, which will be taken from what ` +
        `${earner} next.`,
    );
  }
  if (cause === 'refund_failed' && owed + writtenOff < 0) {
    sentences.push(`${counted(-owed - writtenOff, 'more')} no longer to be taken back.`);
  }
  return sentences.join(' ');
}

function leadOf(reversal: Reversal, record: { currency: string }): string {
  const { cause = 'refund', refundedMinorUnits, target, points } = reversal;
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
    case 'debt_paid':
      return `${counted(points)} taken back from what came in later.`;
  }
}

const IS_REFUNDED = 'had been refunded by then';

function counted(points: number, more = ''): string {
  const subject = more === '' ? pointsOf(points) : `${pointsOf(points)} ${more}`;
  return `${subject} ${points === 1 ? 'was' : 'were'}`;
}
