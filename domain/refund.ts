import type { PaymentId } from './ids.ts';

/** Whether a refund reverses the points that its payment earned. */
export type RefundPolicy = 'reverse' | 'ignore';

/** A payment's points and how much of it was refunded. Amounts are in minor units. */
export type RefundedPayment = {
  earned: number;
  paid: number;
  refunded: number;
  /** Points that were debited. */
  reversed: number;
  /** Points that the balance did not hold, to be debited from what the wallet gets next. */
  owed: number;
  /** Points that were given up. */
  writtenOff: number;
};

/**
 * What changed the points of a refunded payment: a refund, one that failed after all, or points
 * that its wallet got later and that paid what was owed.
 */
export const REVERSAL_CAUSES = ['refund', 'refund_failed', 'debt_paid'] as const;
export type ReversalCause = (typeof REVERSAL_CAUSES)[number];

/**
 * A change of the points of a refunded payment, as the decision record keeps it. The sums over all
 * of them are what the payment has reversed, owes and has written off.
 */
export type Reversal = {
  outcome: 'refund_reversed';
  /** Missing in records that are older than the other causes: a refund. */
  cause?: ReversalCause;
  refundedMinorUnits: number;
  /** The points that correspond to all refunds so far. */
  target: number;
  /** Debited; negative when they were credited back. */
  points: number;
  /** Newly owed; negative when they are no longer. Missing means none. */
  owed?: number;
  /** Newly given up; negative when they are no longer. */
  writtenOff: number;
};

/**
 * The points that correspond to the refunds so far: the share of the earned points that equals the
 * refunded share of the amount, rounded down. A refund above the amount, say of the tip, counts as
 * a full refund.
 */
export function reversalTarget({
  earned,
  paid,
  refunded,
}: Pick<RefundedPayment, 'earned' | 'paid' | 'refunded'>): number {
  if (paid === 0) return 0;
  // The product may exceed what a number represents exactly.
  return Number((BigInt(earned) * BigInt(Math.min(refunded, paid))) / BigInt(paid));
}

/**
 * The points that the refunds so far still have to reverse; negative when more was reversed than is
 * refunded, because a refund failed after all.
 */
export function pointsDue(payment: RefundedPayment): number {
  const { reversed, owed, writtenOff } = payment;
  return reversalTarget(payment) - reversed - owed - writtenOff;
}

/**
 * Computes the change that the refunds so far still need. What the balance does not hold is owed.
 * When a refund failed after all, what was written off and owed is released first, and the rest is
 * credited back. Null when nothing is due, so a refund may be reported any number of times.
 */
export function reverse(payment: RefundedPayment, balance: number): Reversal | null {
  const due = pointsDue(payment);
  if (due === 0) return null;
  if (due > 0) {
    const points = Math.min(due, balance);
    return change(payment, 'refund', { points, owed: due - points, writtenOff: 0 });
  }
  const writtenOff = Math.min(-due, payment.writtenOff);
  const owed = Math.min(-due - writtenOff, payment.owed);
  const points = -due - writtenOff - owed;
  return change(payment, 'refund_failed', negative({ points, owed, writtenOff }));
}

/** A refunded payment that owes points. */
export type Debt = RefundedPayment & { paymentId: PaymentId };
export type Settlement = { paymentId: PaymentId; reversals: Reversal[] };

/**
 * Pays the debts of a wallet, the oldest first, from what it holds. Returns the debts that change.
 */
export function payDebts(debts: readonly Debt[], balance: number): Settlement[] {
  let unspent = balance;
  return debts.flatMap((debt) => {
    const points = Math.min(debt.owed, unspent);
    if (points === 0) return [];
    unspent -= points;
    const paid = change(debt, 'debt_paid', { points, owed: -points, writtenOff: 0 });
    return [{ paymentId: debt.paymentId, reversals: [paid] }];
  });
}

type Points = Required<Pick<Reversal, 'points' | 'owed' | 'writtenOff'>>;

function change(payment: RefundedPayment, cause: ReversalCause, points: Points): Reversal {
  return {
    outcome: 'refund_reversed',
    cause,
    refundedMinorUnits: payment.refunded,
    target: reversalTarget(payment),
    ...points,
  };
}

function negative({ points, owed, writtenOff }: Points): Points {
  // Zero minus a number, because the negative of zero is another zero.
  return { points: 0 - points, owed: 0 - owed, writtenOff: 0 - writtenOff };
}
