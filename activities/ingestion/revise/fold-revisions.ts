import type { Entry } from '../../../db/ledger/postings.ts';
import type { WalletOwner } from '../../../db/ledger/wallets.ts';
import { entriesOf } from '../../../db/payments/late-match.ts';
import type { LateMatch } from '../../../db/payments/revisions.ts';
import type { PaymentId, TenantId, WalletId } from '../../../domain/ids.ts';
import type { Facts, KnownPayment } from '../../../domain/ingestion.ts';
import { type RefundPolicy, type Reversal, reverse } from '../../../domain/refund.ts';
import {
  applyRevision,
  type RefundedSum,
  type Revised,
  type RevisedWallet,
  type Revision,
  refunding,
  revisionOf,
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
  /** Wallets that got points while they owe some. */
  payers: WalletId[];
  /** Wallets that got points back, since a refund failed. */
  refilled: WalletId[];
};

/** How far a payment has got, and whether it has stopped owing on the way. */
type Progress = { payment: KnownPayment; hasEndedDebt: boolean };

type Step = Revised & { report: PaymentReport; before: KnownPayment; revision: Revision | null };

/**
 * Decides what reports change about stored payments, each after those before it: what one leaves of
 * a payment and of its wallet is what the next one finds. `wallets` are those of the payments, and
 * those that `newOwners` names.
 *
 * A report that has to find what others leave in the database is left to the next transaction, with
 * those after it that concern the same payment or wallet. The first report never is.
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
    const progress = payments.get(id) ?? { payment: known, hasEndedDebt: false };
    const { payment: before } = progress;
    const revision = revisionOf(report.payment, before, facts, refunds);
    const wallet = walletOf(revision, before, { tenantId: report.tenantId, within });
    const concerned = [id, wallet?.id ?? before.walletId].filter((each) => each !== null);
    const isWaiting = concerned.some((each) => waiting.has(each));
    if (isWaiting || owesAgain(revision, progress, wallet)) {
      for (const each of concerned) waiting.add(each);
      continue;
    }
    const revised = applyRevision(revision, before, wallet);
    const { payment } = revised;
    payments.set(id, {
      payment,
      hasEndedDebt: progress.hasEndedDebt || (before.pointsOwed > 0 && payment.pointsOwed === 0),
    });
    if (revised.wallet !== null) {
      within.set(revised.wallet.id, revised.wallet);
      if (paysDebts(revised) || givesBack(revised)) waiting.add(revised.wallet.id);
    }
    // Their next sale is no first purchase, also in this batch.
    const owner = revision?.kind === 'late_match' ? revision.decision.userId : null;
    if (owner !== null && revised.points > 0) facts.open?.buyers.add(owner);
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

/** A debt that ended and begins again is as old as its second beginning: that of a transaction. */
function owesAgain(
  revision: Revision | null,
  { payment, hasEndedDebt }: Progress,
  wallet: RevisedWallet | null,
): boolean {
  if (revision?.kind !== 'refund' || wallet === null || !hasEndedDebt) return false;
  return (reverse(revision.refunded, refunding(payment.id, wallet))?.owed ?? 0) > 0;
}

/** Whether its wallet pays what it owes from this credit, before anything else happens to it. */
function paysDebts({ wallet, moves }: Revised): boolean {
  return (wallet?.owed ?? 0) > 0 && moves.some(({ entryType }) => entryType === 'credit');
}

/** Whether it gives points back, of which those are taken at once that are past their month. */
function givesBack({ wallet, moves }: Revised): boolean {
  if (wallet?.expiry === undefined) return false;
  return moves.some(({ entryType, reason }) => entryType === 'credit' && reason !== 'purchase');
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
    payers: steps.flatMap((step) => (step.wallet && paysDebts(step) ? step.wallet.id : [])),
    refilled: steps.flatMap((step) => (step.wallet && givesBack(step) ? step.wallet.id : [])),
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

function decidedBy({ outcome, reason, points, payment, wallet, ...step }: Step): Decided {
  const decided = { kind: 'decided', outcome, reason, paymentId: payment.id, points } as const;
  const isSame = wallet === null || (step.moves.length === 0 && step.reversal === null);
  return isSame ? decided : { ...decided, changed: wallet.userId };
}

function matchOf({ revision, payment: { id, walletId } }: Step): LateMatch[] {
  if (revision?.kind !== 'late_match') return [];
  const { payment, decision, sum } = revision;
  return [{ ...decision, id, walletId, payment, sum }];
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
