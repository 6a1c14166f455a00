import type { Db, Tx } from '../../db/connection.ts';
import * as ledger from '../../db/ledger/postings.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import * as paymentFacts from '../../db/payments/facts.ts';
import * as paymentRevisions from '../../db/payments/revisions.ts';
import type { PaymentId, WalletId } from '../../domain/ids.ts';
import { type Revision, revisionOf } from '../../domain/ingestion.ts';
import { reverse } from '../../domain/refund.ts';
import type { IngestPolicy } from './ingest-policy.ts';
import {
  type Decided,
  duplicateOf,
  type FinalOutcome,
  type Outcome,
  type PaymentReport,
  queryFor,
} from './payment-report.ts';

/** Takes the step that is left for reports that change a stored payment, one after another. */
export async function reviseAll(
  db: Db,
  reports: readonly PaymentReport[],
  outcomes: ReadonlyMap<PaymentReport, Outcome>,
  policy: IngestPolicy,
): Promise<Map<PaymentReport, FinalOutcome>> {
  const final = new Map<PaymentReport, FinalOutcome>();
  for (const report of reports) {
    const outcome = outcomes.get(report);
    if (outcome === undefined) throw new Error('A report of a payment was not decided.');
    const isOpen = outcome.kind === 'revise';
    final.set(report, isOpen ? await revisePayment(db, report, policy) : outcome);
  }
  return final;
}

/**
 * Applies a report to a stored payment, in a transaction of its own: gives an anonymous payment its
 * consumer and credits it, or reverses what was refunded. The payment is locked and decided again
 * first, so that the same report, applied twice or at the same moment, changes it once.
 */
export async function revisePayment(
  db: Db,
  report: PaymentReport,
  policy: IngestPolicy,
): Promise<Decided> {
  return db.transaction(async (tx) => {
    const question = queryFor(report);
    const locked = await paymentRevisions.lock(tx, question);
    const [facts] = await paymentFacts.readFacts(tx, [question]);
    if (locked === undefined || facts === undefined) {
      throw new Error('A payment that a report changes is not stored.');
    }
    const revision = revisionOf(report.payment, locked.known, facts, policy.refunds);
    switch (revision?.kind) {
      case 'late_match':
        return matchLate(tx, report, locked.known.id, revision);
      case 'refund':
        return applyRefund(tx, locked, revision);
      case undefined:
        return duplicateOf(locked.known.id);
    }
  });
}

async function matchLate(
  tx: Tx,
  { tenantId }: PaymentReport,
  paymentId: PaymentId,
  { payment, decision }: Extract<Revision, { kind: 'late_match' }>,
): Promise<Decided> {
  const { userId, points, reversal, outcome, reason } = decision;
  let walletId: WalletId | null = null;
  if (userId !== null && points > 0) {
    walletId = await wallets.ensureOne(tx, { userId, tenantId });
    const source = { walletId, sourceType: 'payment', sourceId: paymentId } as const;
    const credit = { ...source, entryType: 'credit', reason: 'purchase', points } as const;
    const debit = { ...source, entryType: 'debit', reason: 'payment_refunded' } as const;
    const reversed = reversal?.points ?? 0;
    await ledger.post(tx, reversed > 0 ? [credit, { ...debit, points: reversed }] : [credit]);
  }
  const { record } = decision;
  await paymentRevisions.recordMatch(tx, paymentId, {
    ...decision,
    record: { ...record, match: { ...record.match, late: true } },
    walletId,
    payment,
  });
  return { kind: 'decided', outcome, reason, paymentId, points };
}

async function applyRefund(
  tx: Tx,
  { known, decision }: paymentRevisions.LockedPayment,
  { refunded }: Extract<Revision, { kind: 'refund' }>,
): Promise<Decided> {
  const { walletId } = known;
  if (walletId === null) throw new Error('A payment that earned points names no wallet.');
  const { balance } = await wallets.lock(tx, walletId);
  const reversal = reverse(refunded, balance);
  if (reversal === null) throw new Error('A refund that was due is no longer due.');
  const source = { walletId, sourceType: 'payment', sourceId: known.id } as const;
  if (reversal.points > 0) {
    await ledger.post(tx, [
      { ...source, entryType: 'debit', reason: 'payment_refunded', points: reversal.points },
    ]);
  }
  await paymentRevisions.recordReversal(tx, known.id, decision, reversal);
  const reason = reversal.writtenOff > 0 ? 'partly_written_off' : null;
  return { kind: 'decided', outcome: 'refund_reversed', reason, paymentId: known.id, points: 0 };
}
