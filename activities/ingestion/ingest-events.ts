import type { Db } from '../../db/connection.ts';
import * as connectionTokens from '../../db/connections/tokens.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import * as ingestion from '../../db/payments/batch-write.ts';
import type { EventId, PaymentId } from '../../domain/ids.ts';
import { settled } from '../../domain/ingestion.ts';
import type { EventOutcome, NormalizedPayment } from '../../domain/payment.ts';
import type { IngestedPayment } from '../../gateways/telemetry/metrics-work.ts';
import { reconnectText } from '../connections/access-tokens.ts';
import { safeErrorText } from '../safe-error-text.ts';
import {
  type Close,
  decideAndStore,
  type IngestPolicy,
  ingestedPayment,
  type PaymentReport,
  type Verdict,
} from './decide-and-store.ts';
import { type EventReading, readEvent } from './read-event.ts';
import { revisePayment } from './revise-payment.ts';

export type BatchResult = {
  /** What became of the payments of these events, event by event. */
  decided: IngestedPayment[];
  /** Events of which the provider has to be asked more. */
  ask: EventId[];
  failures: webhookEvents.EventFailure[];
};

/** What a provider said of an event's payments; not complete while some of them are missing. */
export type Resolved = { payments: readonly NormalizedPayment[]; isComplete: boolean };

type EventReport = PaymentReport & { eventId: EventId; receivedAt: Date };
type OpenReading = { event: webhookEvents.OpenEvent; reports: EventReport[]; isComplete: boolean };

/**
 * Brings in a batch of events. New payments are one transaction: one read of the events, one of what
 * their decisions depend on, the decisions, one write that also closes the events. What changes a
 * payment that is stored already follows, each in a transaction of its own. A malformed event fails
 * alone, and its failure is recorded. Running it again, or twice at once, is harmless.
 *
 * `resolved` holds what providers said when they were asked about these events.
 */
export async function ingestEventBatch(
  db: Db,
  ids: readonly EventId[],
  resolved: ReadonlyMap<EventId, Resolved>,
  policy: IngestPolicy,
): Promise<BatchResult> {
  const result: BatchResult = { decided: [], ask: [], failures: [] };
  const { readings, verdicts } = await db.transaction(async (tx) => {
    const open: OpenReading[] = [];
    const ignored: ingestion.EventResult[] = [];
    const ignore = (event: webhookEvents.OpenEvent, reason: string) => {
      ignored.push(ignoring(event, reason));
      result.decided.push(ignoredPayment(event));
    };
    for (const event of await webhookEvents.lockOpen(tx, ids)) {
      try {
        const reading = readAs(event, resolved.get(event.id), policy);
        if (reading.kind === 'ask') result.ask.push(event.id);
        else if (reading.kind === 'ignored') ignore(event, reading.reason);
        else if (reading.kind === 'revoked') {
          const { merchantId, revokedAt } = reading;
          const account = { provider: event.provider, merchantId, revokedAt };
          await connectionTokens.flagRevoked(tx, account, reconnectText(event.provider));
          ignore(event, 'authorization_revoked');
        } else open.push({ event, reports: reading.reports, isComplete: reading.isComplete });
      } catch (error) {
        result.failures.push({ id: event.id, error: safeErrorText(error) });
      }
    }
    if (ignored.length > 0) await ingestion.storeBatch(tx, [], ignored);

    const reports = open.flatMap((reading) => reading.reports);
    const verdicts = await decideAndStore(tx, reports, policy, closingsOf(open));
    return { readings: open, verdicts };
  });

  await revise(db, readings, verdicts, policy);
  for (const { event, reports } of readings) collect(event.id, reports, verdicts, result);
  await webhookEvents.recordFailures(db, result.failures);
  return result;
}

type Reading =
  | Exclude<EventReading, { kind: 'payments' }>
  | { kind: 'reports'; reports: EventReport[]; isComplete: boolean };

function readAs(
  event: webhookEvents.OpenEvent,
  known: Resolved | undefined,
  policy: IngestPolicy,
): Reading {
  const reading: EventReading =
    known === undefined ? readEvent(event) : { kind: 'payments', payments: known.payments };
  if (reading.kind !== 'payments') return reading;
  const isComplete = known?.isComplete ?? true;
  const reports = reading.payments.flatMap((payment): EventReport[] => {
    const report = settled(payment, policy.refunds);
    if (report === null) return [];
    const { id: eventId, tenantId, tenantCountry, receivedAt } = event;
    const isResolved = known !== undefined;
    return [{ eventId, receivedAt, tenantId, tenantCountry, payment: report, isResolved }];
  });
  if (reports.length === 0 && isComplete) return { kind: 'ignored', reason: 'not_settled' };
  return { kind: 'reports', reports, isComplete };
}

function ignoring(event: webhookEvents.OpenEvent, reason: string): ingestion.EventResult {
  const { id: eventId, tenantId } = event;
  return { eventId, tenantId, outcome: 'ignored', reason, paymentId: null, awaits: [] };
}

function ignoredPayment({ provider, receivedAt }: webhookEvents.OpenEvent): IngestedPayment {
  return { provider, outcome: 'ignored', points: 0, occurredAt: null, receivedAt };
}

/** Events end when all that they report is decided. */
function closingsOf(readings: readonly OpenReading[]): Close<EventReport> {
  return (verdicts, written) =>
    readings.flatMap((reading) => closingOf(reading, verdicts, written));
}

function closingOf(
  { event, reports, isComplete }: OpenReading,
  verdicts: ReadonlyMap<EventReport, Verdict>,
  written: ReadonlyMap<EventReport, PaymentId>,
): ingestion.EventResult[] {
  const decided = reports.flatMap((report) => {
    const verdict = verdicts.get(report);
    return verdict?.kind === 'decided' ? [verdict] : [];
  });
  if (!isComplete || decided.length < reports.length) return [];
  // Of several payments the one that counts most stands for the event.
  const main = OUTCOMES_BY_WEIGHT.flatMap((outcome) =>
    decided.filter((verdict) => verdict.outcome === outcome),
  )[0];
  if (main === undefined) return [];
  const { outcome, reason, paymentId } = main;
  const awaits = [...new Set(reports.flatMap((report) => written.get(report) ?? []))];
  const { id: eventId, tenantId } = event;
  return [{ eventId, tenantId, outcome, reason, paymentId, awaits }];
}

const OUTCOMES_BY_WEIGHT: readonly EventOutcome[] = [
  'credited',
  'refund_reversed',
  'no_rule_no_credit',
  'stored_anonymous',
  'duplicate',
];

async function revise(
  db: Db,
  readings: readonly OpenReading[],
  verdicts: Map<EventReport, Verdict>,
  policy: IngestPolicy,
): Promise<void> {
  for (const reading of readings) {
    const changes = reading.reports.filter((report) => verdicts.get(report)?.kind === 'revise');
    if (changes.length === 0) continue;
    for (const report of changes) verdicts.set(report, await revisePayment(db, report, policy));
    const closings = closingOf(reading, verdicts, new Map());
    if (closings.length > 0) await db.transaction((tx) => ingestion.storeBatch(tx, [], closings));
  }
}

function collect(
  eventId: EventId,
  reports: readonly EventReport[],
  verdicts: ReadonlyMap<EventReport, Verdict>,
  result: BatchResult,
): void {
  for (const report of reports) {
    const verdict = verdicts.get(report);
    if (verdict?.kind === 'decided') {
      const { receivedAt } = report;
      result.decided.push({ ...ingestedPayment(report, verdict), receivedAt });
    }
    if (verdict?.kind === 'ask' && !result.ask.includes(eventId)) result.ask.push(eventId);
    if (verdict?.kind === 'failed') result.failures.push({ id: eventId, error: verdict.error });
  }
}
