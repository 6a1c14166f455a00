import type { Tx } from '../../../db/connection.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import { newId } from '../../../db/new-id.ts';
import { type EventResult, type NewPayment, storeBatch } from '../../../db/payments/batch-write.ts';
import * as paymentRevisions from '../../../db/payments/revisions.ts';
import { type EventId, PaymentId } from '../../../domain/ids.ts';
import { type Decision, decide, type KnownPayment } from '../../../domain/ingestion.ts';
import { revisionOf } from '../../../domain/revision.ts';
import { safeErrorText } from '../../safe-error-text.ts';
import { type EventReports, resultOfEvent } from '../events/event-result.ts';
import {
  bringsContact,
  fingerprintsOf,
  type NamedFacts,
  NO_FINGERPRINTS,
  noteUnread,
  readContacts,
  readNamedFacts,
} from './contacts.ts';
import type { IngestPolicy } from './ingest-policy.ts';
import {
  duplicateOf,
  hasNoContact,
  knownAs,
  type Outcome,
  type PaymentReport,
} from './payment-report.ts';

/**
 * A payment that another transaction stored first is decided once more. Storing waited for that one
 * to commit, so that the second pass finds every such payment known and has nothing new to store.
 */
const MAX_PASSES = 2;

export type StoringOptions = {
  /** Webhook events that are decided by reports, and closed together with the payments. */
  reported: readonly EventReports[];
  /** The results of those that report no payment. */
  ignored: readonly EventResult[];
  /** Whether new payments of wallets that another transaction holds are left out. */
  leavesHeld: boolean;
};

/**
 * Decides reports, and stores their new payments together with the results of the events, in one
 * statement. It ends as if the reports had come one after another. A report that fails fails alone.
 * Running it again, or twice at once, is harmless: a payment is stored once, and is known from then
 * on.
 *
 * Returns an outcome for each report.
 */
export async function decideAndStore(
  tx: Tx,
  reports: readonly PaymentReport[],
  policy: IngestPolicy,
  { reported, ignored, leavesHeld }: StoringOptions,
): Promise<Map<PaymentReport, Outcome>> {
  const outcomes = new Map<PaymentReport, Outcome>();
  const closed = new Set<EventId>();
  const confirmed: Decisions['confirmed'] = new Map();
  const close = (paymentIds?: Decisions['paymentIds']) =>
    reported
      .filter(({ id }) => !closed.has(id))
      .flatMap((event) => resultOfEvent(event, outcomes, paymentIds) ?? []);
  const contacts = await readContacts(tx, reports);
  let undecided = reports;
  let others = ignored;

  for (let pass = 0; undecided.length + others.length > 0; pass++) {
    if (pass === MAX_PASSES) {
      throw new Error(`${undecided.length} payments were neither stored nor known. Try again.`);
    }
    const facts = await readNamedFacts(tx, undecided, contacts);
    const all = decideAll(facts, policy);
    const decisions = leavesHeld ? await withoutHeld(tx, all) : all;
    for (const [report, outcome] of decisions.outcomes) outcomes.set(report, outcome);
    for (const [report, sum] of decisions.confirmed) {
      confirmed.set(report, sum);
      outcomes.delete(report);
    }
    if (decisions.owners.length > 0) await wallets.ensure(tx, decisions.owners);

    const { payments, paymentIds } = decisions;
    const results = [...close(paymentIds), ...others];
    others = [];
    if (payments.length + results.length === 0) break;
    const written = await storeBatch(tx, payments, results);
    for (const eventId of written.closed) closed.add(eventId);
    undecided = undecided.filter((report) => {
      const id = paymentIds.get(report);
      return id !== undefined && !written.stored.has(id);
    });
  }
  if (confirmed.size > 0) {
    // Stored payments are locked after wallets: see db/payments/debts.ts.
    const changed = await paymentRevisions.confirmRefunded(tx, [...confirmed.values()]);
    for (const [report, { id }] of confirmed) {
      outcomes.set(report, changed.has(id) ? { kind: 'revise' } : duplicateOf(id));
    }
    const results = close();
    if (results.length > 0) await storeBatch(tx, [], results);
  }
  await noteUnread(tx, contacts);
  return outcomes;
}

type Decisions = {
  outcomes: Map<PaymentReport, Outcome>;
  payments: NewPayment[];
  /** Consumers who need a wallet before their payment is stored. */
  owners: wallets.WalletOwner[];
  /** The new payment of each report that has one, also of repeated reports. */
  paymentIds: Map<PaymentReport, PaymentId>;
  /** Reports that only say, later than the stored one, that what is refunded is still the same. */
  confirmed: Map<PaymentReport, paymentRevisions.ConfirmedRefund>;
};

function decideAll(
  undecided: ReadonlyMap<PaymentReport, NamedFacts>,
  policy: IngestPolicy,
): Decisions {
  const outcomes = new Map<PaymentReport, Outcome>();
  const paymentIds = new Map<PaymentReport, PaymentId>();
  const confirmed: Decisions['confirmed'] = new Map();
  const owners: wallets.WalletOwner[] = [];
  // The first report of a payment that can be decided decides; later ones find it known.
  const payments = new Map<string, NewPayment>();
  const revised = new Set<string>();
  undecided.forEach((its, report) => {
    const { tenantId, payment } = report;
    // Ids of tenants and names of providers have no blanks.
    const key = `${tenantId} ${payment.provider} ${payment.providerPaymentId}`;
    const earlier = payments.get(key);
    const known = earlier === undefined ? its.known : knownAs(earlier);
    const { outcome, created, confirms } = decideOne(report, { ...its, known }, policy);
    // A report after one that changes the payment is decided on what that leaves.
    const isLate = revised.has(key) && outcome.kind === 'decided';
    outcomes.set(report, isLate ? { kind: 'revise' } : outcome);
    if (outcome.kind === 'revise') revised.add(key);
    if (earlier !== undefined) paymentIds.set(report, earlier.id);
    if (confirms !== null && !isLate) {
      const refundedAsOf = payment.changedAt;
      if (earlier === undefined) confirmed.set(report, { ...confirms, asOf: refundedAsOf });
      else payments.set(key, { ...earlier, refundedAsOf });
    }
    if (created === null) return;
    payments.set(key, created);
    paymentIds.set(report, created.id);
    const { userId, walletId, points } = created;
    if (points > 0 && userId !== null) its.open?.buyers.add(userId);
    if (points > 0 && userId !== null && walletId === null) owners.push({ userId, tenantId });
  });
  return { outcomes, payments: [...payments.values()], owners, paymentIds, confirmed };
}

/** Leaves out the payments of wallets that another transaction holds, and locks the others'. */
async function withoutHeld(tx: Tx, decisions: Decisions): Promise<Decisions> {
  const owners = decisions.payments.flatMap(({ userId, tenantId, points }) =>
    userId === null || points === 0 ? [] : { userId, tenantId },
  );
  const held = new Set((await wallets.lockFree(tx, owners)).map(keyOfOwner));
  const left = new Set(
    decisions.payments
      .filter((payment) => payment.points > 0 && held.has(keyOfOwner(payment)))
      .map(({ id }) => id),
  );
  const outcomes = new Map(decisions.outcomes);
  const paymentIds = new Map(decisions.paymentIds);
  for (const [report, id] of decisions.paymentIds) {
    if (!left.has(id)) continue;
    outcomes.set(report, { kind: 'held' });
    paymentIds.delete(report);
  }
  const payments = decisions.payments.filter(({ id }) => !left.has(id));
  return { ...decisions, outcomes, paymentIds, payments };
}

const keyOfOwner = ({ userId, tenantId }: { userId: string | null; tenantId: string }) =>
  `${userId} ${tenantId}`;

type DecidedReport = {
  outcome: Outcome;
  created: NewPayment | null;
  /** The stored payment and sum that the report confirms. */
  confirms: Pick<KnownPayment, 'id' | 'refundedMinorUnits'> | null;
};

function decideOne(report: PaymentReport, facts: NamedFacts, policy: IngestPolicy): DecidedReport {
  const { payment } = report;
  const { known } = facts;
  const only = (outcome: Outcome) => ({ outcome, created: null, confirms: null });
  if (lacksContacts(report) && (known === null || known.outcome === 'stored_anonymous')) {
    return only({ kind: 'ask' });
  }
  try {
    if (known !== null) {
      if (bringsContact(report, facts.named, known)) return only({ kind: 'revise' });
      const revision = revisionOf(payment, known, facts, policy.refunds);
      if (revision === null) return only(duplicateOf(known.id));
      const isConfirmed = revision.kind === 'note' && revision.isSameSum;
      if (!isConfirmed) return only({ kind: 'revise' });
      return { ...only(duplicateOf(known.id)), confirms: known };
    }
    const { isBeforeConnection = false } = report;
    const decision = decide(payment, { ...facts, isBeforeConnection }, policy.refunds);
    const created = newPayment(report, { decision, facts }, policy);
    const { outcome, reason, points } = decision;
    const decided = { kind: 'decided', outcome, reason, paymentId: created.id, points } as const;
    const changed = points > 0 ? created.userId : null;
    return {
      outcome: changed === null ? decided : { ...decided, changed },
      created,
      confirms: null,
    };
  } catch (error) {
    return only({ kind: 'failed', error: safeErrorText(error) });
  }
}

/** Whether the payment names a customer whose contacts were not fetched yet. */
function lacksContacts({ payment, isResolved }: PaymentReport): boolean {
  return payment.providerCustomerId !== null && !isResolved && hasNoContact(payment);
}

function newPayment(
  report: PaymentReport,
  { decision, facts }: { decision: Decision; facts: NamedFacts },
  policy: IngestPolicy,
): NewPayment {
  const { payment } = report;
  return {
    ...payment,
    // Such a sale is nobody's: an erasure would not find it, to forget whose it was.
    providerCustomerId: decision.reason === 'before_connection' ? null : payment.providerCustomerId,
    id: report.newPaymentId ?? PaymentId.parse(newId()),
    tenantId: report.tenantId,
    outcome: decision.outcome,
    reason: decision.reason,
    userId: decision.userId,
    walletId: facts.wallets.find(({ userId }) => userId === decision.userId)?.walletId ?? null,
    isTold: facts.isTold,
    ruleVersion: decision.ruleVersion,
    points: decision.points,
    pointsReversed: decision.reversal?.points ?? 0,
    refundedAsOf: payment.changedAt,
    decision: decision.record,
    ...(decision.outcome === 'stored_anonymous'
      ? fingerprintsOf(facts.named, policy)
      : NO_FINGERPRINTS),
  };
}
