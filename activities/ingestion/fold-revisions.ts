import type { Entry } from '../../db/ledger/postings.ts';
import type { LockedWallet, WalletOwner } from '../../db/ledger/wallets.ts';
import type { LateMatch } from '../../db/payments/revisions.ts';
import type { PaymentId, WalletId } from '../../domain/ids.ts';
import {
  type Decision,
  type Facts,
  type KnownPayment,
  type RefundedSum,
  type Revision,
  revisionOf,
} from '../../domain/ingestion.ts';
import { type RefundPolicy, type Reversal, reverse } from '../../domain/refund.ts';
import { type Decided, duplicateOf, type PaymentReport } from './payment-report.ts';

/** A report of a stored payment, which is locked, and what else its decision depends on. */
export type Revisable = {
  report: PaymentReport;
  known: KnownPayment;
  facts: Omit<Facts, 'known'>;
};

/** What reports change, in the order in which it is written. */
export type Changes = {
  outcomes: Map<PaymentReport, Decided>;
  /** Reports that the next transaction has to take, in their order. */
  deferred: Set<PaymentReport>;
  matches: LateMatch[];
  entries: Entry[];
  /** Those of a payment in their order, and debts in the order in which they begin. */
  reversals: Map<PaymentId, Reversal[]>;
  sums: Map<PaymentId, RefundedSum>;
};

/** A locked wallet, and its points in open codes that nobody owes. */
export type Reach = LockedWallet & { parked: number };

/**
 * Decides what reports change about stored payments, each after those before it: what one leaves of
 * a payment and of its wallet is what the next one finds. `wallets` are those of the payments, and
 * those that `newOwners` names.
 *
 * A report that needs a lock which is not held is deferred, with those after it that concern the
 * same payment or wallet. The first report never is.
 */
export function foldRevisions(
  items: readonly Revisable[],
  wallets: readonly Reach[],
  refunds: RefundPolicy,
): Changes {
  const fold = new Fold(wallets, refunds);
  for (const item of items) fold.add(item);
  return fold.changes;
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

/** What a payment earns by its decision, and what its refunds take back of that. */
export function entriesOf(
  walletId: WalletId,
  sourceId: PaymentId,
  { points, reversal }: Decision,
): Entry[] {
  const source = { walletId, sourceType: 'payment', sourceId } as const;
  const credit = { ...source, entryType: 'credit', reason: 'purchase', points } as const;
  const debit = { ...source, entryType: 'debit', reason: 'payment_refunded' } as const;
  const reversed = reversal?.points ?? 0;
  return reversed > 0 ? [credit, { ...debit, points: reversed }] : [credit];
}

class Fold {
  readonly changes: Changes = {
    outcomes: new Map(),
    deferred: new Set(),
    matches: [],
    entries: [],
    reversals: new Map(),
    sums: new Map(),
  };
  readonly #refunds: RefundPolicy;
  readonly #payments = new Map<PaymentId, KnownPayment>();
  readonly #wallets: Map<WalletId, Reach>;
  /** The payments and wallets of deferred reports. */
  readonly #waiting = new Set<string>();
  /** Payments that got their wallets here, and those whose debts ended here. */
  readonly #matched = new Set<PaymentId>();
  readonly #settled = new Set<PaymentId>();

  constructor(wallets: readonly Reach[], refunds: RefundPolicy) {
    this.#refunds = refunds;
    this.#wallets = new Map(wallets.map((wallet) => [wallet.id, { ...wallet }]));
  }

  add({ report, known: first, facts }: Revisable): void {
    const known = this.#payments.get(first.id) ?? first;
    const revision = revisionOf(report.payment, known, facts, this.#refunds);
    const wallet = this.#walletOf(revision, known, report);
    const isWaiting = this.#waiting.has(known.id) || this.#waiting.has(wallet?.id ?? '');
    if (isWaiting || this.#lacksLock(revision, known, wallet)) {
      this.changes.deferred.add(report);
      this.#waiting.add(known.id);
      if (wallet !== null) this.#waiting.add(wallet.id);
      return;
    }
    this.changes.outcomes.set(report, this.#apply(revision, known, wallet));
  }

  /** The wallet whose points the revision concerns. */
  #walletOf(
    revision: Revision | null,
    known: KnownPayment,
    { tenantId }: PaymentReport,
  ): Reach | null {
    if (revision?.kind === 'refund') return this.#wallets.get(known.walletId ?? noWallet()) ?? null;
    if (revision?.kind !== 'late_match' || revision.decision.points === 0) return null;
    const { userId } = revision.decision;
    const wallets = [...this.#wallets.values()];
    return wallets.find((each) => each.userId === userId && each.tenantId === tenantId) ?? null;
  }

  /**
   * The debts of a wallet are locked before its payments, thus not for a payment that gets its
   * wallet here. And a debt that ended and begins again is as old as its second beginning, which is
   * the time of a transaction.
   */
  #lacksLock(revision: Revision | null, known: KnownPayment, wallet: Reach | null): boolean {
    if (revision?.kind !== 'refund' || wallet === null) return false;
    if (this.#matched.has(known.id)) return true;
    return this.#settled.has(known.id) && (reverse(revision.refunded, wallet)?.owed ?? 0) > 0;
  }

  #apply(revision: Revision | null, known: KnownPayment, wallet: Reach | null): Decided {
    switch (revision?.kind) {
      case 'late_match':
        return this.#match(revision, known, wallet);
      case 'refund':
        return this.#refund(revision, known, wallet ?? noWallet());
      case 'note':
        this.#note(known, revision.sum);
        return { ...duplicateOf(known.id), reason: revision.isSameSum ? null : 'refund_noted' };
      case undefined:
        return duplicateOf(known.id);
    }
  }

  #match(
    { payment, decision, sum }: Extract<Revision, { kind: 'late_match' }>,
    known: KnownPayment,
    wallet: Reach | null,
  ): Decided {
    const { id } = known;
    const { points, outcome, reason, record, reversal } = decision;
    if (points > 0 && wallet === null) noWallet();
    const walletId = wallet?.id ?? null;
    this.changes.matches.push({
      ...decision,
      id,
      record: { ...record, match: { ...record.match, late: true } },
      walletId,
      payment,
      sum,
    });
    if (wallet !== null) {
      this.changes.entries.push(...entriesOf(wallet.id, id, decision));
      wallet.balance += points - (reversal?.points ?? 0);
    }
    // It is written with the match.
    this.changes.sums.delete(id);
    this.#matched.add(id);
    this.#payments.set(id, {
      ...known,
      outcome,
      amountMinorUnits: payment.amountMinorUnits,
      refundedMinorUnits: sum.minorUnits,
      refundedAsOfMs: sum.asOfMs,
      points,
      pointsReversed: reversal?.points ?? 0,
      pointsOwed: 0,
      pointsWrittenOff: 0,
      walletId,
    });
    const decided = { kind: 'decided', outcome, reason, paymentId: id, points } as const;
    return wallet === null ? decided : { ...decided, changed: wallet.userId };
  }

  #refund(
    { refunded, sum }: Extract<Revision, { kind: 'refund' }>,
    known: KnownPayment,
    wallet: Reach,
  ): Decided {
    const { id } = known;
    const reversal = reverse(refunded, wallet);
    if (reversal === null) throw new Error('A refund that was due is no longer due.');
    const { points, owed = 0, writtenOff } = reversal;
    if (points !== 0) {
      this.changes.entries.push({
        walletId: wallet.id,
        entryType: points > 0 ? 'debit' : 'credit',
        reason: 'payment_refunded',
        points: Math.abs(points),
        sourceType: 'payment',
        sourceId: id,
      });
    }
    wallet.balance -= points;
    wallet.parked -= owed;
    const reversals = [...(this.changes.reversals.get(id) ?? []), reversal];
    // Debts are listed in the order in which they begin.
    if (known.pointsOwed === 0) this.changes.reversals.delete(id);
    this.changes.reversals.set(id, reversals);
    if (known.pointsOwed > 0 && known.pointsOwed + owed === 0) this.#settled.add(id);
    const left = {
      ...known,
      pointsReversed: known.pointsReversed + points,
      pointsOwed: known.pointsOwed + owed,
      pointsWrittenOff: known.pointsWrittenOff + writtenOff,
    };
    this.#note(left, sum);
    const reason = reasonOf(reversal);
    const decided = { kind: 'decided', outcome: 'refund_reversed', reason, paymentId: id } as const;
    return { ...decided, points: 0, ...(points !== 0 && { changed: wallet.userId }) };
  }

  #note(known: KnownPayment, sum: RefundedSum): void {
    this.changes.sums.set(known.id, sum);
    const { minorUnits: refundedMinorUnits, asOfMs: refundedAsOfMs } = sum;
    this.#payments.set(known.id, { ...known, refundedMinorUnits, refundedAsOfMs });
  }
}

function noWallet(): never {
  throw new Error('A payment that earns points names no wallet.');
}

function reasonOf({ cause, owed = 0, writtenOff }: Reversal): string | null {
  if (cause === 'refund_failed') return cause;
  if (writtenOff > 0) return 'partly_written_off';
  return owed > 0 ? 'partly_owed' : null;
}
