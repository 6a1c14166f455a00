import type { Db, Tx } from '../../db/connection.ts';
import * as ledger from '../../db/ledger/postings.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import * as paymentFacts from '../../db/payments/facts.ts';
import * as paymentRevisions from '../../db/payments/revisions.ts';
import type { PaymentId, WalletId } from '../../domain/ids.ts';
import {
  type Decision,
  decide,
  refundedSoFar,
  reversalOfKnown,
  revisionOf,
} from '../../domain/ingestion.ts';
import {
  type IngestPolicy,
  type PaymentReport,
  questionAbout,
  type Verdict,
} from './decide-and-store.ts';

type Decided = Extract<Verdict, { kind: 'decided' }>;

/**
 * Brings a report of a stored payment in, in a transaction of its own: gives an anonymous payment
 * its consumer and credits it, or takes back what was refunded. The payment is locked and looked at
 * again first, so that the same report, run twice or at the same moment, changes it once.
 */
export async function revisePayment(
  db: Db,
  report: PaymentReport,
  policy: IngestPolicy,
): Promise<Decided> {
  return db.transaction(async (tx) => {
    const question = questionAbout(report);
    const locked = await paymentRevisions.lock(tx, question);
    const [facts] = await paymentFacts.readFacts(tx, [question]);
    if (locked === undefined || facts === undefined) {
      throw new Error('A payment that is to be changed is not there.');
    }
    const { payment } = report;
    const { known } = locked;
    switch (revisionOf(payment, known, facts, policy.refunds)) {
      case 'late_match': {
        const sale = { ...payment, refundedMinorUnits: refundedSoFar(payment, known) };
        const decision = decide(sale, facts, policy.refunds);
        return matchLate(tx, { ...report, payment: sale }, known.id, decision);
      }
      case 'refund':
        return takeBack(tx, report, locked);
      case null:
        return {
          kind: 'decided',
          outcome: 'duplicate',
          reason: null,
          paymentId: known.id,
          points: 0,
        };
    }
  });
}

async function matchLate(
  tx: Tx,
  { tenantId, payment }: PaymentReport,
  paymentId: PaymentId,
  decision: Decision,
): Promise<Decided> {
  const { userId, points, reversal, outcome, reason } = decision;
  let walletId: WalletId | null = null;
  if (userId !== null && points > 0) {
    walletId = await wallets.ensureOne(tx, { userId, tenantId });
    const source = { walletId, sourceType: 'payment', sourceId: paymentId } as const;
    const credit = { ...source, entryType: 'credit', reason: 'purchase', points } as const;
    const debit = { ...source, entryType: 'debit', reason: 'payment_refunded' } as const;
    const takenBack = reversal?.points ?? 0;
    await ledger.post(tx, takenBack > 0 ? [credit, { ...debit, points: takenBack }] : [credit]);
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

async function takeBack(
  tx: Tx,
  { payment }: PaymentReport,
  { known, decision }: paymentRevisions.LockedPayment,
): Promise<Decided> {
  const { walletId } = known;
  if (walletId === null) throw new Error('A payment that earned points names no wallet.');
  const { balance } = await wallets.lock(tx, walletId);
  const reversal = reversalOfKnown(payment, known, balance);
  if (reversal === null) throw new Error('A refund that was due is not due any more.');
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
