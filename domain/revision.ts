import { type ExpiredPoints, pointsAbsorbable } from './expiry.ts';
import type { PaymentId, TenantId, UserId, WalletId } from './ids.ts';
import { type Decision, decide, type Facts, type KnownPayment, late } from './ingestion.ts';
import type { Month } from './intervals.ts';
import { matchConsumer } from './matching.ts';
import type { EventOutcome } from './outcomes.ts';
import type { NormalizedPayment } from './payment.ts';
import {
  pointsDue,
  type RefundedPayment,
  type RefundingWallet,
  type RefundPolicy,
  type Reversal,
  reverse,
  withReversal,
} from './refund.ts';

/** What a report of a stored payment changes about it. */
export type Revision =
  /** An anonymous payment gets its consumer: the payment as it stands now, and its decision. */
  | { kind: 'late_match'; payment: NormalizedPayment; decision: Decision; sum: RefundedSum }
  /** The points of a credited payment no longer fit its refunds: the input of `reverse`. */
  | { kind: 'refund'; refunded: RefundedPayment; sum: RefundedSum }
  /** No points depend on it now, but it says what is refunded, or that this is still so. */
  | { kind: 'note'; isSameSum: boolean; sum: RefundedSum };

/** What is refunded of a payment, as of a time of the provider's. */
export type RefundedSum = { minorUnits: number; asOfMs: number };

/** What a report changes about a stored payment, or null when it is a duplicate. */
export function revisionOf(
  payment: NormalizedPayment,
  known: KnownPayment,
  facts: Omit<Facts, 'known'>,
  refunds: RefundPolicy,
): Revision | null {
  const sum = latestSum(payment, known);
  if (known.outcome === 'stored_anonymous') {
    const { user } = matchConsumer(facts.userByEmail, facts.userByPhone);
    if (user !== null) {
      const sale = { ...payment, refundedMinorUnits: sum.minorUnits };
      const { isBeforeConnection, storedAtMs } = known;
      const storedAt = storedAtMs === undefined ? {} : { storedAt: new Date(storedAtMs) };
      const decision = late(
        decide({ ...sale, ...storedAt }, { ...facts, isBeforeConnection }, refunds),
      );
      return { kind: 'late_match', payment: sale, decision, sum };
    }
  }
  const refunded: RefundedPayment = {
    earned: known.points,
    paid: known.amountMinorUnits,
    refunded: sum.minorUnits,
    reversed: known.pointsReversed,
    owed: known.pointsOwed,
    writtenOff: known.pointsWrittenOff,
    absorbed: known.pointsAbsorbed,
    reversals: known.reversals,
  };
  if (refunds === 'reverse' && pointsDue(refunded) !== 0) return { kind: 'refund', refunded, sum };
  const isSameSum = sum.minorUnits === known.refundedMinorUnits;
  return isSameSum && sum.asOfMs === known.refundedAsOfMs ? null : { kind: 'note', isSameSum, sum };
}

/**
 * What is refunded by the newest report. Reports arrive in any order, so a smaller sum may be older
 * or be of a refund that failed after all: the provider's time tells. Of two reports of the same
 * time, the larger sum counts.
 */
function latestSum(payment: NormalizedPayment, known: KnownPayment): RefundedSum {
  const stored = { minorUnits: known.refundedMinorUnits, asOfMs: known.refundedAsOfMs };
  const reported = { minorUnits: payment.refundedMinorUnits, asOfMs: payment.changedAt.getTime() };
  if (stored.asOfMs === reported.asOfMs) {
    return reported.minorUnits < stored.minorUnits ? stored : reported;
  }
  return reported.asOfMs < stored.asOfMs ? stored : reported;
}

/** A wallet whose points a revision can move, and what it owes for refunds. */
export type RevisedWallet = {
  id: WalletId;
  userId: UserId;
  tenantId: TenantId;
  balance: number;
  owed: number;
  /** Whether its owner was erased: it takes no entry any more. */
  isClosed?: boolean;
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
type Noted = Omit<Of<'note'>, 'kind'>;

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
    case 'note':
      return note(revision, payment, wallet);
    case undefined:
      return { ...same, outcome: 'duplicate', reason: null };
  }
}

function note(
  { isSameSum, sum }: Noted,
  known: KnownPayment,
  wallet: RevisedWallet | null,
): Revised {
  const reason = isSameSum ? null : 'refund_noted';
  const payment = withSum(known, sum);
  const same = { points: 0, wallet, moves: [], reversal: null };
  return { ...same, outcome: 'duplicate', reason, payment };
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
export function refunding(id: PaymentId, wallet: RevisedWallet): RefundingWallet {
  const { balance, expiry, isClosed } = wallet;
  const due = expiry?.dueOf.get(id);
  if (expiry === undefined || due === undefined) return { balance, absorbable: 0, isClosed };
  return { balance, absorbable: pointsAbsorbable(expiry, due), isClosed };
}

function refund(
  { refunded, sum }: Of<'refund'>,
  known: KnownPayment,
  wallet: RevisedWallet,
): Revised {
  const reversal = reverse(refunded, refunding(known.id, wallet));
  if (reversal === null) {
    if (!wallet.isClosed) throw new Error('A refund that was due is no longer due.');
    return note({ isSameSum: sum.minorUnits === known.refundedMinorUnits, sum }, known, wallet);
  }
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
