import { randomUUID } from 'node:crypto';
import type { Tx } from '../../db/connection.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import * as ingestion from '../../db/payments/batch-write.ts';
import * as paymentFacts from '../../db/payments/facts.ts';
import { type EventId, PaymentId, type TenantId } from '../../domain/ids.ts';
import { type Decision, decide, type KnownPayment, revisionOf } from '../../domain/ingestion.ts';
import { normaliseEmail, normalisePhone } from '../../domain/matching.ts';
import type { EventOutcome, NormalizedPayment } from '../../domain/payment.ts';
import type { RefundPolicy } from '../../domain/refund.ts';
import { createSealer, createSubkeys, type Key } from '../../gateways/crypto/sealer.ts';
import type { IngestedPayment } from '../../gateways/telemetry/metrics-work.ts';
import { safeErrorText } from '../safe-error-text.ts';

export type IngestPolicy = {
  refunds: RefundPolicy;
  /** What recognises a contact without holding it: under each key, the present one first. */
  fingerprints(contact: string): readonly [Buffer, ...Buffer[]];
};

/** The policy of a service that is configured so. */
export function createIngestPolicy(refunds: RefundPolicy, ring: readonly Key[]): IngestPolicy {
  const sealer = createSealer(createSubkeys(ring, 'contact fingerprints'));
  return { refunds, fingerprints: sealer.fingerprints };
}

/** What a provider says of one settled payment. */
export type PaymentReport = {
  tenantId: TenantId;
  /** ISO 3166 alpha-2, or null when the tenant has not said. */
  tenantCountry: string | null;
  payment: NormalizedPayment;
  /** Whether the customer was asked for already, so that a lack of contacts is the last word. */
  isResolved: boolean;
};

/** What became of a report, or what is still to be done about it. */
export type Verdict =
  | {
      kind: 'decided';
      outcome: EventOutcome;
      reason: string | null;
      paymentId: PaymentId;
      points: number;
    }
  /** It changes a payment that is stored already: a transaction of its own. */
  | { kind: 'revise' }
  /** It names a customer but no contact: the provider has to be asked. */
  | { kind: 'ask' }
  | { kind: 'failed'; error: string };

/** How events end, given what became of their reports. */
export type Close<R extends PaymentReport> = (
  verdicts: ReadonlyMap<R, Verdict>,
  written: ReadonlyMap<R, PaymentId>,
) => ingestion.EventResult[];

/** A payment whose key is lost to another transaction is decided anew this often. */
const MAX_PASSES = 5;

/**
 * Brings in reports in one transaction: one read of what their decisions depend on, the decisions,
 * one write, which also closes the events that `close` names. It ends as if the reports had come one
 * after another; one that fails fails alone. Running it again, or twice at once, is harmless: a
 * payment is stored once, and known from then on.
 */
export async function decideAndStore<R extends PaymentReport>(
  tx: Tx,
  reports: readonly R[],
  policy: IngestPolicy,
  close: Close<R> = () => [],
): Promise<Map<R, Verdict>> {
  const verdicts = new Map<R, Verdict>();
  const allClosed = new Set<EventId>();
  let open = reports;

  for (let pass = 0; open.length > 0; pass++) {
    if (pass === MAX_PASSES) throw new Error(`${open.length} payments stay contended. Try again.`);
    const facts = await paymentFacts.readFacts(tx, open.map(questionAbout));
    const { payments, owners, written } = decideAll(open, facts, policy, verdicts);
    if (owners.length > 0) await wallets.ensure(tx, owners);

    const closings = close(verdicts, written).filter(({ eventId }) => !allClosed.has(eventId));
    if (payments.length + closings.length === 0) break;
    const { stored, closed } = await ingestion.storeBatch(tx, payments, closings);
    for (const eventId of closed) allClosed.add(eventId);
    open = open.filter((report) => {
      const id = written.get(report);
      return id !== undefined && !stored.has(id);
    });
  }
  return verdicts;
}

/** What to look up for the decision about a report. */
export function questionAbout({
  tenantId,
  tenantCountry,
  payment,
}: PaymentReport): paymentFacts.Question {
  return {
    tenantId,
    provider: payment.provider,
    providerPaymentId: payment.providerPaymentId,
    email: normaliseEmail(payment.email),
    phone: normalisePhone(payment.phone, tenantCountry),
  };
}

/** What became of a report, as it is counted; told by no delivery. */
export function ingestedPayment(
  { payment: { provider, occurredAt } }: Pick<PaymentReport, 'payment'>,
  { outcome, points }: Pick<IngestedPayment, 'outcome' | 'points'>,
): IngestedPayment {
  return { provider, outcome, points, occurredAt, receivedAt: null };
}

function decideAll<R extends PaymentReport>(
  reports: readonly R[],
  facts: readonly paymentFacts.KnownFacts[],
  policy: IngestPolicy,
  verdicts: Map<R, Verdict>,
) {
  // The first report of a payment that can be decided decides; the others find it known.
  const payments = new Map<string, ingestion.NewPayment>();
  const owners: wallets.WalletOwner[] = [];
  const written = new Map<R, PaymentId>();
  reports.forEach((report, index) => {
    const its = facts[index];
    if (its === undefined) throw new Error('A payment came back without its facts.');
    const { tenantId, payment } = report;
    const key = JSON.stringify([tenantId, payment.provider, payment.providerPaymentId]);
    const earlier = payments.get(key);
    const known = earlier === undefined ? its.known : knownAs(earlier);
    const { verdict, news } = verdictOn(report, { ...its, known }, policy);
    verdicts.set(report, verdict);
    if (earlier !== undefined) written.set(report, earlier.id);
    if (news === null) return;
    payments.set(key, news);
    written.set(report, news.id);
    if (news.points > 0 && news.userId !== null && !its.ownersWithWallet.includes(news.userId)) {
      owners.push({ userId: news.userId, tenantId });
    }
  });
  return { payments: [...payments.values()], owners, written };
}

/** A payment as it will be known once it is stored. */
function knownAs(payment: ingestion.NewPayment): KnownPayment {
  const { id, outcome, amountMinorUnits, refundedMinorUnits, points, pointsReversed } = payment;
  return {
    id,
    outcome,
    amountMinorUnits,
    refundedMinorUnits,
    points,
    pointsReversed,
    pointsWrittenOff: 0,
    walletId: null,
  };
}

function duplicate({ paymentId }: { paymentId: PaymentId }): Verdict {
  return { kind: 'decided', outcome: 'duplicate', reason: null, paymentId, points: 0 };
}

function verdictOn(
  report: PaymentReport,
  facts: paymentFacts.KnownFacts,
  policy: IngestPolicy,
): { verdict: Verdict; news: ingestion.NewPayment | null } {
  const { payment } = report;
  const { known } = facts;
  if (lacksContacts(report) && (known === null || known.outcome === 'stored_anonymous')) {
    return { verdict: { kind: 'ask' }, news: null };
  }
  try {
    if (known !== null) {
      const revision = revisionOf(payment, known, facts, policy.refunds);
      const verdict: Verdict =
        revision === null ? duplicate({ paymentId: known.id }) : { kind: 'revise' };
      return { verdict, news: null };
    }
    const decision = decide(payment, facts, policy.refunds);
    const news = newPayment(report, decision, policy);
    const { outcome, reason, points } = decision;
    return {
      verdict: { kind: 'decided', outcome, reason, paymentId: news.id, points },
      news,
    };
  } catch (error) {
    return { verdict: { kind: 'failed', error: safeErrorText(error) }, news: null };
  }
}

/** Whether the payment names a customer, but nothing that the customer could be recognised by. */
function lacksContacts({ payment, isResolved }: PaymentReport): boolean {
  return hasNoContact(payment) && payment.providerCustomerId !== null && !isResolved;
}

/** Whether there is nothing that the customer could be recognised by. */
export function hasNoContact(payment: NormalizedPayment): boolean {
  return normaliseEmail(payment.email) === null && payment.phone === null;
}

function newPayment(
  report: PaymentReport,
  decision: Decision,
  policy: IngestPolicy,
): ingestion.NewPayment {
  const { email, phone } = questionAbout(report);
  const isAnonymous = decision.outcome === 'stored_anonymous';
  const fingerprintOf = (contact: string | null) =>
    isAnonymous && contact !== null ? policy.fingerprints(contact)[0] : null;
  return {
    ...report.payment,
    id: PaymentId.parse(randomUUID()),
    tenantId: report.tenantId,
    outcome: decision.outcome,
    reason: decision.reason,
    userId: decision.userId,
    ruleVersion: decision.ruleVersion,
    points: decision.points,
    pointsReversed: decision.reversal?.points ?? 0,
    decision: decision.record,
    emailFingerprint: fingerprintOf(email),
    phoneFingerprint: fingerprintOf(phone),
  };
}
