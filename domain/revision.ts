import { type ExpiredPoints, pointsAbsorbable } from './expiry.ts';
import type { PaymentId, TenantId, UserId, WalletId } from './ids.ts';
import type { Decision, KnownPayment, RefundedSum, Revision } from './ingestion.ts';
import type { Month } from './intervals.ts';
import type { EventOutcome } from './outcomes.ts';
import { type RefundingWallet, type Reversal, reverse, withReversal } from './refund.ts';

/** A wallet whose points a revision can move, and what it owes for refunds. */
export type RevisedWallet = {
  id: WalletId;
  userId: UserId;
  tenantId: TenantId;
  balance: number;
  owed: number;
  /** Only at a shop that has published a programme. */
  expiry?: WalletExpiry | undefined;
};

/** What has expired of a wallet, and when the points of its refunded sales were due. */
export type WalletExpiry = ExpiredPoints & { dueOf: ReadonlyMap<PaymentId, Month> };

/** Points that a wallet gets for a payment, or that a refund of it takes back. */
export type Move = {
  entryType: 'credit' | 'debit';
  reason: 'purchase' | 'payment_refunded';
  points: number;
};

export const NOTHING_EXPIRED: WalletExpiry = { expired: [], absorbed: [], dueOf: new Map() };

/** How a revision ends, and what it leaves of the payment and of its wallet. */
export type Revised = {
  outcome: EventOutcome;
  reason: string | null;
  /** What the payment has earned by it. */
  points: number;
  payment: KnownPayment;
  wallet: RevisedWallet | null;
  /** In their order. */
  moves: Move[];
  /** What a refund has changed. */
  reversal: Reversal | null;
};

type Of<Kind extends Revision['kind']> = Extract<Revision, { kind: Kind }>;

/**
 * Applies a revision to a payment and its wallet; null stands for a duplicate. `wallet` is the one
 * whose points the revision concerns. Throws when there is none although points have to be moved.
 */
export function applyRevision(
  revision: Revision | null,
  payment: KnownPayment,
  wallet: RevisedWallet | null,
): Revised {
  const same = { points: 0, payment, wallet, moves: [], reversal: null };
  switch (revision?.kind) {
    case 'late_match':
      return match(revision, payment, wallet);
    case 'refund':
      return refund(revision, payment, required(wallet));
    case 'note': {
      const reason = revision.isSameSum ? null : 'refund_noted';
      return { ...same, outcome: 'duplicate', reason, payment: withSum(payment, revision.sum) };
    }
    case undefined:
      return { ...same, outcome: 'duplicate', reason: null };
  }
}

/** What a payment earns by its decision, and what its refunds take back of that. */
export function movesOf({ points, reversal }: Decision): Move[] {
  const credit: Move = { entryType: 'credit', reason: 'purchase', points };
  const reversed = reversal?.points ?? 0;
  if (reversed === 0) return [credit];
  return [credit, { entryType: 'debit', reason: 'payment_refunded', points: reversed }];
}

function match(
  { payment: sale, decision, sum }: Of<'late_match'>,
  known: KnownPayment,
  wallet: RevisedWallet | null,
): Revised {
  const { outcome, reason, points, reversal } = decision;
  const moves = points === 0 ? [] : movesOf(decision);
  const payment = {
    ...withSum(known, sum),
    outcome,
    amountMinorUnits: sale.amountMinorUnits,
    points,
    pointsReversed: reversal?.points ?? 0,
    pointsOwed: 0,
    pointsWrittenOff: 0,
    pointsAbsorbed: 0,
    reversals: null,
    walletId: wallet?.id ?? null,
  };
  const left = moves.length === 0 ? wallet : moved(required(wallet), moves);
  return { outcome, reason, points, payment, wallet: left, moves, reversal: null };
}

/** What a refund of a payment finds in its wallet. */
export function refunding(id: PaymentId, { balance, expiry }: RevisedWallet): RefundingWallet {
  const due = expiry?.dueOf.get(id);
  if (expiry === undefined || due === undefined) return { balance, absorbable: 0 };
  return { balance, absorbable: pointsAbsorbable(expiry, due) };
}

function refund(
  { refunded, sum }: Of<'refund'>,
  known: KnownPayment,
  wallet: RevisedWallet,
): Revised {
  const reversal = reverse(refunded, refunding(known.id, wallet));
  if (reversal === null) throw new Error('A refund that was due is no longer due.');
  const { points, owed = 0, writtenOff, absorbed = 0 } = reversal;
  const pointsAbsorbed = known.pointsAbsorbed + absorbed;
  const payment = {
    ...withSum(known, sum),
    pointsReversed: known.pointsReversed + points,
    pointsOwed: known.pointsOwed + owed,
    pointsWrittenOff: known.pointsWrittenOff + writtenOff,
    pointsAbsorbed,
    reversals: pointsAbsorbed === 0 ? null : withReversal(refunded, reversal),
  };
  const entryType = points > 0 ? 'debit' : 'credit';
  const move: Move = { entryType, reason: 'payment_refunded', points: Math.abs(points) };
  const moves = points === 0 ? [] : [move];
  const left = { ...moved(wallet, moves), owed: wallet.owed + owed };
  const reason = reasonOf(reversal);
  return {
    outcome: 'refund_reversed',
    reason,
    points: 0,
    payment,
    wallet: absorbed === 0 ? left : absorbing(left, known.id, absorbed),
    moves,
    reversal,
  };
}

/** A wallet after a refund has absorbed points, or releases them. */
function absorbing(wallet: RevisedWallet, id: PaymentId, points: number): RevisedWallet {
  const { expiry } = wallet;
  const month = expiry?.dueOf.get(id);
  if (expiry === undefined || month === undefined) return wallet;
  return {
    ...wallet,
    expiry: { ...expiry, absorbed: [...expiry.absorbed, { month, points }] },
  };
}

function moved(wallet: RevisedWallet, moves: readonly Move[]): RevisedWallet {
  const signed = moves.map(({ entryType, points }) => (entryType === 'credit' ? points : -points));
  return { ...wallet, balance: signed.reduce((sum, points) => sum + points, wallet.balance) };
}

function withSum(payment: KnownPayment, { minorUnits, asOfMs }: RefundedSum): KnownPayment {
  return { ...payment, refundedMinorUnits: minorUnits, refundedAsOfMs: asOfMs };
}

function required(wallet: RevisedWallet | null): RevisedWallet {
  if (wallet === null) throw new Error('A payment that earns points names no wallet.');
  return wallet;
}

function reasonOf({ cause, owed = 0 }: Reversal): string | null {
  if (cause === 'refund_failed') return cause;
  return owed > 0 ? 'partly_owed' : null;
}
