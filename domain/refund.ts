/** Whether points are taken back when a payment that earned them is refunded (contract 1). */
export type RefundPolicy = 'reverse' | 'ignore';

/** A payment's points and how much of it was given back. Amounts are in minor units. */
export type RefundedPayment = {
  earned: number;
  paid: number;
  refunded: number;
  /** Points that earlier refunds took back, and those that they could not. */
  reversed: number;
  writtenOff: number;
};

/** What a refund did to the points of its payment, as the decision record keeps it. */
export type Reversal = {
  outcome: 'refund_reversed';
  refundedMinorUnits: number;
  /** The points that all refunds so far are worth. */
  target: number;
  /** Taken back by this one. */
  points: number;
  /** Not taken back, because the balance did not hold them. */
  writtenOff: number;
};

/**
 * The points that refunds of so much are worth: the same share of what was earned as was refunded
 * of what was paid, rounded down (contract 5). A refund of more, say of the tip, is one of all.
 */
export function reversalTarget({ earned, paid, refunded }: RefundedPayment): number {
  if (paid === 0) return 0;
  // The product may be beyond what a number holds exactly.
  return Number((BigInt(earned) * BigInt(Math.min(refunded, paid))) / BigInt(paid));
}

/** The points that the refunds so far still have to reverse, whatever the balance holds. */
export function pointsDue(payment: RefundedPayment): number {
  return Math.max(0, reversalTarget(payment) - payment.reversed - payment.writtenOff);
}

/**
 * Works out what the refunds so far still have to reverse, never more than the balance: the rest is
 * written off. Null when nothing is due, so that any refund may be reported any number of times.
 */
export function reverse(payment: RefundedPayment, balance: number): Reversal | null {
  const due = pointsDue(payment);
  if (due === 0) return null;
  const points = Math.min(due, balance);
  return {
    outcome: 'refund_reversed',
    refundedMinorUnits: payment.refunded,
    target: reversalTarget(payment),
    points,
    writtenOff: due - points,
  };
}
