/** Whether a refund reverses the points that its payment earned. */
export type RefundPolicy = 'reverse' | 'ignore';

/** A payment's points and how much of it was refunded. Amounts are in minor units. */
export type RefundedPayment = {
  earned: number;
  paid: number;
  refunded: number;
  /** Points that earlier refunds reversed, and points that they had to write off. */
  reversed: number;
  writtenOff: number;
};

/** The effect of a refund on the points of its payment, as the decision record keeps it. */
export type Reversal = {
  outcome: 'refund_reversed';
  refundedMinorUnits: number;
  /** The points that correspond to all refunds so far. */
  target: number;
  /** Reversed by this refund. */
  points: number;
  /** Not reversed, because the balance did not cover them. */
  writtenOff: number;
};

/**
 * The points that correspond to the refunds so far: the share of the earned points that equals the
 * refunded share of the amount, rounded down. A refund above the amount, say of the tip, counts as
 * a full refund.
 */
export function reversalTarget({ earned, paid, refunded }: RefundedPayment): number {
  if (paid === 0) return 0;
  // The product may exceed what a number represents exactly.
  return Number((BigInt(earned) * BigInt(Math.min(refunded, paid))) / BigInt(paid));
}

/** The points that the refunds so far still have to reverse, whatever the balance is. */
export function pointsDue(payment: RefundedPayment): number {
  return Math.max(0, reversalTarget(payment) - payment.reversed - payment.writtenOff);
}

/**
 * Computes the reversal that the refunds so far still need. It never exceeds the balance; the rest
 * is written off. Null when nothing is due, so a refund may be reported any number of times.
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
