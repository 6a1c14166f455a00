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
  /** Points that had expired before, and are not asked for again. */
  absorbed: number;
  /** How it came to that, oldest first; needed once anything was absorbed. */
  reversals?: readonly Reversal[] | null;
};

/** What a wallet holds when a refund asks points of it. */
export type RefundingWallet = {
  balance: number;
  /** The points of the payment that have expired before (`pointsAbsorbable`). */
  absorbable: number;
  /** Whether its owner was erased: it takes no entry any more. */
  isClosed?: boolean | undefined;
};

/**
 * What changed the points of a refunded payment: a refund, one that failed after all, points that
 * its wallet got later and that paid what was owed, or the erasure of its owner, from whom nothing
 * is taken any more.
 */
export const REVERSAL_CAUSES = ['refund', 'refund_failed', 'debt_paid', 'written_off'] as const;
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
  /** Of what had expired before, newly set against the refund; negative when it is no longer. */
  absorbed?: number;
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
  const { reversed, owed, writtenOff, absorbed } = payment;
  return reversalTarget(payment) - reversed - owed - writtenOff - absorbed;
}

/**
 * Computes the change that the refunds so far still need. What has expired is absorbed first; what
 * the balance does not hold is owed. When a refund failed after all, what was taken last is
 * released first. Null when nothing is due, so a refund may be reported any number of times.
 *
 * What is due of a closed wallet is written off, and a refund that failed after all lowers only
 * that: null where it cannot.
 */
export function reverse(
  payment: RefundedPayment,
  { balance, absorbable, isClosed = false }: RefundingWallet,
): Reversal | null {
  const due = pointsDue(payment);
  if (due === 0) return null;
  if (isClosed) return writeOff(payment, due);
  if (due > 0) {
    const absorbed = Math.min(due, absorbable);
    const points = Math.min(due - absorbed, balance);
    const owed = due - absorbed - points;
    return change(payment, 'refund', { points, owed, writtenOff: 0, absorbed });
  }
  const writtenOff = Math.min(-due, payment.writtenOff);
  const released = release(stepsOf(payment), -due - writtenOff);
  return change(payment, 'refund_failed', negative({ ...released, writtenOff }));
}

function writeOff(payment: RefundedPayment, due: number): Reversal | null {
  const writtenOff = Math.max(due, 0 - payment.writtenOff);
  if (writtenOff === 0) return null;
  const cause = writtenOff > 0 ? 'written_off' : 'refund_failed';
  return change(payment, cause, { points: 0, owed: 0, writtenOff, absorbed: 0 });
}

/**
 * The changes of a payment and one more, as `RefundedPayment` needs them: those of before anything
 * was absorbed may be told as one.
 */
export function withReversal(
  { reversals, reversed, owed }: RefundedPayment,
  reversal: Reversal,
): readonly Reversal[] {
  const points = { points: reversed, owed, writtenOff: 0, absorbed: 0 };
  const earlier = { ...reversal, cause: 'refund', ...points } as const;
  return [...(reversals ?? [earlier]), reversal];
}

/** What one refund has taken, and from where, as far as that was not released. */
type Step = Pick<Points, (typeof RELEASED)[number]>;
/** In what order what a refund has taken is released. A debt that was paid is in the balance. */
const RELEASED = ['owed', 'points', 'absorbed'] as const;

/** What the refunds of a payment have taken, one after the other. */
function stepsOf({ reversed, owed, absorbed, reversals }: RefundedPayment): Step[] {
  // While nothing was absorbed, in whatever steps: only the last ones can still be owed.
  if (absorbed === 0) return [{ points: reversed, owed, absorbed }];
  const steps: Step[] = [];
  for (const { cause = 'refund', ...its } of reversals ?? []) {
    const step = { points: its.points, owed: its.owed ?? 0, absorbed: its.absorbed ?? 0 };
    if (cause === 'refund') steps.push(step);
    else if (cause === 'debt_paid') payOldest(steps, its.points);
    else release(steps, -step.points - step.owed - step.absorbed);
  }
  return steps;
}

function payOldest(steps: readonly Step[], paid: number): void {
  let rest = paid;
  for (const step of steps) {
    const points = Math.min(rest, step.owed);
    step.owed -= points;
    step.points += points;
    rest -= points;
  }
}

/** Releases so many points, what was taken last first, and returns from where they are. */
function release(steps: readonly Step[], points: number): Step {
  const released = { owed: 0, points: 0, absorbed: 0 };
  let rest = points;
  for (const step of steps.toReversed()) {
    for (const from of RELEASED) {
      const some = Math.min(rest, step[from]);
      step[from] -= some;
      released[from] += some;
      rest -= some;
    }
  }
  return released;
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
    const paid = change(debt, 'debt_paid', { points, owed: -points, writtenOff: 0, absorbed: 0 });
    return [{ paymentId: debt.paymentId, reversals: [paid] }];
  });
}

/** Writes off what the payments of a wallet owe, for the erasure of its owner. */
export function writeOffDebts(debts: readonly Debt[]): Settlement[] {
  return debts.map((debt) => {
    const gone = { points: 0, owed: 0 - debt.owed, writtenOff: debt.owed, absorbed: 0 };
    return { paymentId: debt.paymentId, reversals: [change(debt, 'written_off', gone)] };
  });
}

type Points = Required<Pick<Reversal, 'points' | 'owed' | 'writtenOff' | 'absorbed'>>;

function change(
  payment: RefundedPayment,
  cause: ReversalCause,
  { absorbed, ...points }: Points,
): Reversal {
  return {
    outcome: 'refund_reversed',
    cause,
    refundedMinorUnits: payment.refunded,
    target: reversalTarget(payment),
    ...points,
    ...(absorbed !== 0 && { absorbed }),
  };
}

function negative({ points, owed, writtenOff, absorbed }: Points): Points {
  // Zero minus a number, because the negative of zero is another zero.
  return {
    points: 0 - points,
    owed: 0 - owed,
    writtenOff: 0 - writtenOff,
    absorbed: 0 - absorbed,
  };
}
