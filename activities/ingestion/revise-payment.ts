import type { Db, Tx } from '../../db/connection.ts';
import { isTransientError } from '../../db/errors.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import * as ledger from '../../db/ledger/postings.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import { storeBatch } from '../../db/payments/batch-write.ts';
import * as debts from '../../db/payments/debts.ts';
import * as paymentFacts from '../../db/payments/facts.ts';
import * as paymentRevisions from '../../db/payments/revisions.ts';
import type { PaymentId, TenantId, WalletId } from '../../domain/ids.ts';
import {
  type Decision,
  type KnownPayment,
  type Revision,
  revisionOf,
} from '../../domain/ingestion.ts';
import { type Reversal, reverse } from '../../domain/refund.ts';
import { safeErrorText } from '../safe-error-text.ts';
import { type EventReports, resultOfEvent } from './event-result.ts';
import type { IngestPolicy } from './ingest-policy.ts';
import {
  type Decided,
  duplicateOf,
  type FinalOutcome,
  type Outcome,
  type PaymentReport,
  queryFor,
} from './payment-report.ts';

/**
 * Takes the step that is left for reports that change a stored payment, one after another. One that
 * fails fails alone; only trouble with the database itself is thrown. If the reports are those of
 * an `event`, the transaction of the last one closes it: what changed a payment is never done
 * without its event, so no later attempt finds a mere duplicate.
 */
export async function reviseAll(
  db: Db,
  { reports, event }: { reports: readonly PaymentReport[]; event?: EventReports },
  outcomes: ReadonlyMap<PaymentReport, Outcome>,
  policy: IngestPolicy,
): Promise<Map<PaymentReport, FinalOutcome>> {
  const final = new Map<PaymentReport, FinalOutcome>();
  const open: PaymentReport[] = [];
  for (const report of reports) {
    const outcome = outcomes.get(report);
    if (outcome === undefined) throw new Error('A report of a payment was not decided.');
    if (outcome.kind === 'revise') open.push(report);
    else final.set(report, outcome);
  }
  for (const report of open) {
    try {
      const decided =
        event === undefined
          ? await revisePayment(db, report, policy)
          : await reviseAndClose(db, report, policy, { event, final });
      final.set(report, decided);
    } catch (error) {
      if (isTransientError(error)) throw error;
      final.set(report, { kind: 'failed', error: safeErrorText(error) });
    }
  }
  return final;
}

/**
 * Applies a report to a stored payment, in a transaction of its own: gives an anonymous payment its
 * consumer and credits it, fits its points to what is refunded, or notes what is refunded. The
 * payment is locked and decided again first, so that the same report, applied twice or at the same
 * moment, changes it once.
 */
export async function revisePayment(
  db: Db,
  report: PaymentReport,
  policy: IngestPolicy,
): Promise<Decided> {
  return untilLocked(db, (tx) => revise(tx, report, policy));
}

/** Does the same, and closes the event if no other report of it is still open. */
async function reviseAndClose(
  db: Db,
  report: PaymentReport,
  policy: IngestPolicy,
  { event, final }: { event: EventReports; final: ReadonlyMap<PaymentReport, FinalOutcome> },
): Promise<FinalOutcome> {
  return untilLocked(db, async (tx): Promise<FinalOutcome | undefined> => {
    // First of all locks, so that a batch that holds it is never waited for in vain.
    if (!(await webhookEvents.lockOne(tx, event.id))) return { kind: 'closed_elsewhere' };
    const decided = await revise(tx, report, policy);
    if (decided === undefined) return undefined;
    const result = resultOfEvent(event, new Map([...final, [report, decided]]));
    if (result !== null) await storeBatch(tx, [], [result]);
    return decided;
  });
}

/** Work returns undefined when the payment has changed before it was locked: once, if ever. */
async function untilLocked<T>(db: Db, work: (tx: Tx) => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const done = await db.transaction(work);
    if (done !== undefined) return done;
  }
  throw new Error('A payment that a report changes is not stored.');
}

async function revise(
  tx: Tx,
  report: PaymentReport,
  policy: IngestPolicy,
): Promise<Decided | undefined> {
  const question = queryFor(report);
  const known = await paymentRevisions.lock(tx, question);
  if (known === undefined) return undefined;
  const [facts] = await paymentFacts.readFacts(tx, [question]);
  if (facts === undefined) throw new Error('A payment came back without its facts.');
  const revision = revisionOf(report.payment, known, facts, policy.refunds);
  switch (revision?.kind) {
    case 'late_match':
      return matchLate(tx, report, known.id, revision);
    case 'refund':
      return applyRefund(tx, known, revision);
    case 'note':
      await paymentRevisions.recordRefunded(tx, known.id, revision.sum);
      return { ...duplicateOf(known.id), reason: revision.isSameSum ? null : 'refund_noted' };
    case undefined:
      return duplicateOf(known.id);
  }
}

async function matchLate(
  tx: Tx,
  { tenantId }: PaymentReport,
  paymentId: PaymentId,
  { payment, decision, sum }: Extract<Revision, { kind: 'late_match' }>,
): Promise<Decided> {
  const { points, outcome, reason, record } = decision;
  await paymentRevisions.recordMatch(tx, paymentId, {
    ...decision,
    record: { ...record, match: { ...record.match, late: true } },
    walletId: await postDecision(tx, { tenantId, paymentId }, decision),
    payment,
    sum,
  });
  return { kind: 'decided', outcome, reason, paymentId, points };
}

/**
 * Posts what a stored payment earns by its decision, and what its refunds take back of that.
 * Returns the wallet, or null when there is nothing to post.
 */
export async function postDecision(
  tx: Tx,
  { tenantId, paymentId }: { tenantId: TenantId; paymentId: PaymentId },
  { userId, points, reversal }: Decision,
): Promise<WalletId | null> {
  if (userId === null || points === 0) return null;
  const walletId = await wallets.ensureOne(tx, { userId, tenantId });
  const source = { walletId, sourceType: 'payment', sourceId: paymentId } as const;
  const credit = { ...source, entryType: 'credit', reason: 'purchase', points } as const;
  const debit = { ...source, entryType: 'debit', reason: 'payment_refunded' } as const;
  const reversed = reversal?.points ?? 0;
  await ledger.post(tx, reversed > 0 ? [credit, { ...debit, points: reversed }] : [credit]);
  return walletId;
}

async function applyRefund(
  tx: Tx,
  { id: paymentId, walletId }: KnownPayment,
  { refunded, sum }: Extract<Revision, { kind: 'refund' }>,
): Promise<Decided> {
  if (walletId === null) throw new Error('A payment that earned points names no wallet.');
  const { balance } = await wallets.lock(tx, walletId);
  const parked = await debts.parkedPoints(tx, walletId);
  const reversal = reverse(refunded, { balance, parked });
  if (reversal === null) throw new Error('A refund that was due is no longer due.');
  const source = { walletId, sourceType: 'payment', sourceId: paymentId } as const;
  const { points } = reversal;
  if (points !== 0) {
    const entryType = points > 0 ? 'debit' : 'credit';
    await ledger.post(tx, [
      { ...source, entryType, reason: 'payment_refunded', points: Math.abs(points) },
    ]);
  }
  await debts.record(tx, [{ paymentId, reversals: [reversal] }]);
  await paymentRevisions.recordRefunded(tx, paymentId, sum);
  return {
    kind: 'decided',
    outcome: 'refund_reversed',
    reason: reasonOf(reversal),
    paymentId,
    points: 0,
  };
}

function reasonOf({ cause, owed = 0, writtenOff }: Reversal): string | null {
  if (cause === 'refund_failed') return cause;
  if (writtenOff > 0) return 'partly_written_off';
  return owed > 0 ? 'partly_owed' : null;
}
