import type { Entry } from '../../../db/ledger/postings.ts';
import type { WalletOwner } from '../../../db/ledger/wallets.ts';
import type { LateMatch } from '../../../db/payments/revisions.ts';
import type { PaymentId, TenantId, WalletId } from '../../../domain/ids.ts';
import {
  type Facts,
  type KnownPayment,
  type RefundedSum,
  type Revision,
  revisionOf,
} from '../../../domain/ingestion.ts';
import { type RefundPolicy, type Reversal, reverse } from '../../../domain/refund.ts';
import {
  applyRevision,
  type Move,
  type Revised,
  type RevisedWallet,
} from '../../../domain/revision.ts';
import type { Decided, PaymentReport } from '../decide/payment-report.ts';

/** A report of a stored payment, which is locked, and what else its decision depends on. */
export type Revisable = {
  report: PaymentReport;
  known: KnownPayment;
  facts: Omit<Facts, 'known'>;
};

/** What reports change, in the order in which it is written. */
export type Changes = {
  /** Of the reports that were taken. */
  outcomes: Map<PaymentReport, Decided>;
  matches: LateMatch[];
  entries: Entry[];
  /** Those of a payment in their order, and debts in the order in which they begin. */
  reversals: Map<PaymentId, Reversal[]>;
  sums: Map<PaymentId, RefundedSum>;
};

/** How far a payment has got, and what happened to it on the way that needs locks. */
type Progress = { payment: KnownPayment; hasNewWallet: boolean; hasEndedDebt: boolean };

const UNTOUCHED = { hasNewWallet: false, hasEndedDebt: false };

type Step = Revised & { report: PaymentReport; before: KnownPayment; revision: Revision | null };

/**
 * Decides what reports change about stored payments, each after those before it: what one leaves of
 * a payment and of its wallet is what the next one finds. `wallets` are those of the payments, and
 * those that `newOwners` names.
 *
 * A report that needs a lock which is not held is left to the next transaction, with those after it
 * that concern the same payment or wallet. The first report never is.
 */
export function foldRevisions(
  items: readonly Revisable[],
  wallets: readonly RevisedWallet[],
  refunds: RefundPolicy,
): Changes {
  const payments = new Map<PaymentId, Progress>();
  const within = new Map(wallets.map((wallet) => [wallet.id, wallet]));
  /** The payments and wallets of reports that were left. */
  const waiting = new Set<PaymentId | WalletId>();
  const steps: Step[] = [];
  for (const { report, known, facts } of items) {
    const { id } = known;
    const progress = payments.get(id) ?? { ...UNTOUCHED, payment: known };
    const { payment: before } = progress;
    const revision = revisionOf(report.payment, before, facts, refunds);
    const wallet = walletOf(revision, before, { tenantId: report.tenantId, within });
    const concerned = wallet === null ? [id] : [id, wallet.id];
    if (concerned.some((each) => waiting.has(each)) || lacksLock(revision, progress, wallet)) {
      for (const each of concerned) waiting.add(each);
      continue;
    }
    const revised = applyRevision(revision, before, wallet);
    const { payment } = revised;
    payments.set(id, {
      payment,
      hasNewWallet: progress.hasNewWallet || revision?.kind === 'late_match',
      hasEndedDebt: progress.hasEndedDebt || (before.pointsOwed > 0 && payment.pointsOwed === 0),
    });
    if (revised.wallet !== null) within.set(revised.wallet.id, revised.wallet);
    steps.push({ ...revised, report, before, revision });
  }
  return changesOf(steps);
}

/** The wallet whose points a revision concerns. */
function walletOf(
  revision: Revision | null,
  { walletId }: KnownPayment,
  { tenantId, within }: { tenantId: TenantId; within: ReadonlyMap<WalletId, RevisedWallet> },
): RevisedWallet | null {
  if (revision?.kind === 'refund') return (walletId && within.get(walletId)) ?? null;
  if (revision?.kind !== 'late_match' || revision.decision.points === 0) return null;
  const { userId } = revision.decision;
  const wallets = [...within.values()];
  return wallets.find((each) => each.userId === userId && each.tenantId === tenantId) ?? null;
}

/**
 * The debts of a wallet are locked before its payments, thus not for a payment that gets its wallet
 * here. And a debt that ended and begins again is as old as its second beginning, which is the time
 * of a transaction.
 */
function lacksLock(
  revision: Revision | null,
  { hasNewWallet, hasEndedDebt }: Progress,
  wallet: RevisedWallet | null,
): boolean {
  if (revision?.kind !== 'refund' || wallet === null) return false;
  return hasNewWallet || (hasEndedDebt && (reverse(revision.refunded, wallet)?.owed ?? 0) > 0);
}

function changesOf(steps: readonly Step[]): Changes {
  const changes: Changes = {
    outcomes: new Map(steps.map((step) => [step.report, decidedBy(step)])),
    matches: steps.flatMap(matchOf),
    entries: steps.flatMap(({ payment: { id, walletId }, moves }) =>
      walletId === null ? [] : entriesOf(walletId, id, moves),
    ),
    reversals: new Map(),
    sums: new Map(),
  };
  for (const {
    payment: { id },
    before,
    revision,
    reversal,
  } of steps) {
    // The sum that a match knows is written with it.
    if (revision?.kind === 'late_match') changes.sums.delete(id);
    else if (revision !== null) changes.sums.set(id, revision.sum);
    if (reversal === null) continue;
    const earlier = changes.reversals.get(id) ?? [];
    // Debts are listed in the order in which they begin.
    if (before.pointsOwed === 0) changes.reversals.delete(id);
    changes.reversals.set(id, [...earlier, reversal]);
  }
  return changes;
}

function decidedBy({ outcome, reason, points, payment, wallet, moves }: Step): Decided {
  const decided = { kind: 'decided', outcome, reason, paymentId: payment.id, points } as const;
  return wallet === null || moves.length === 0 ? decided : { ...decided, changed: wallet.userId };
}

function matchOf({ revision, payment: { id, walletId } }: Step): LateMatch[] {
  if (revision?.kind !== 'late_match') return [];
  const { payment, decision, sum } = revision;
  return [{ ...decision, id, walletId, payment, sum }];
}

/** The ledger entries of what moves points of a wallet for a payment. */
export function entriesOf(
  walletId: WalletId,
  sourceId: PaymentId,
  moves: readonly Move[],
): Entry[] {
  return moves.map((move) => ({ ...move, walletId, sourceType: 'payment', sourceId }));
}

/** The consumers whom the reports give to anonymous payments that earn them points. */
export function newOwners(items: readonly Revisable[], refunds: RefundPolicy): WalletOwner[] {
  const matched = new Set<PaymentId>();
  return items.flatMap(({ report: { payment, tenantId }, known, facts }) => {
    const revision = revisionOf(payment, known, facts, refunds);
    // The first report with a consumer decides whose the payment is.
    if (revision?.kind !== 'late_match' || matched.has(known.id)) return [];
    matched.add(known.id);
    const { userId, points } = revision.decision;
    return userId === null || points === 0 ? [] : [{ userId, tenantId }];
  });
}
