import type { Tx } from '../../../db/connection.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import { newId } from '../../../db/new-id.ts';
import type { EventResult } from '../../../db/payments/batch-write.ts';
import { EventId, PaymentId } from '../../../domain/ids.ts';
import { type NormalizedPayment, settled } from '../../../domain/payment.ts';
import { providers } from '../../../gateways/providers/index.ts';
import type { EventReading } from '../../../gateways/providers/provider.ts';
import type { IngestedPayment } from '../../../gateways/telemetry/metrics-work.ts';
import { safeErrorText } from '../../safe-error-text.ts';
import type { IngestPolicy } from '../decide/ingest-policy.ts';
import { withOwners } from '../decide/sale-owners.ts';
import type { EventReports } from './event-result.ts';

/** What a provider said of an event's payments; not complete while some of them are missing. */
export type Resolved = { payments: readonly NormalizedPayment[]; isComplete: boolean };
type ReadEvent = EventReports &
  Pick<webhookEvents.OpenEvent, 'receivedAt' | 'merchantId' | 'earnsFrom'>;
/** An event by which a merchant revoked our access. */
export type Revoked = {
  event: webhookEvents.OpenEvent;
  reading: Extract<EventReading, { kind: 'revoked' }>;
};

type ReadEvents = {
  /** Of the events that report no payment. */
  decided: IngestedPayment[];
  /** Events that need an answer from their provider. */
  ask: EventId[];
  failures: webhookEvents.EventFailure[];
  /** Events that are closed, or that another transaction has locked. */
  skipped: EventId[];
  events: ReadEvent[];
  revoked: Revoked[];
  /** The results of those that report no payment. */
  ignored: EventResult[];
  /** Events of their own, to be stored, for what those of the ignored ones name that are split. */
  parts: webhookEvents.NewEvent[];
};

/** Locks the open events and reads what each says. A malformed one is a failure. */
export async function readEvents(
  tx: Tx,
  ids: readonly EventId[],
  resolved: ReadonlyMap<EventId, Resolved>,
  policy: IngestPolicy,
): Promise<ReadEvents> {
  const events: ReadEvent[] = [];
  const revoked: Revoked[] = [];
  const ignored: EventResult[] = [];
  const parts: webhookEvents.NewEvent[] = [];
  const read: Pick<ReadEvents, 'decided' | 'ask' | 'failures'> = {
    decided: [],
    ask: [],
    failures: [],
  };
  const unread = new Set(ids);
  for (const event of await webhookEvents.lockOpen(tx, ids)) {
    unread.delete(event.id);
    const reading = readOrFail(event, resolved.get(event.id), policy);
    switch (reading.kind) {
      case 'reports':
        events.push(reading.event);
        break;
      case 'ask':
        read.ask.push(event.id);
        break;
      case 'failed':
        read.failures.push({ id: event.id, error: reading.error });
        break;
      case 'revoked':
        revoked.push({ event, reading });
        read.decided.push(ignoredPayment(event));
        break;
      case 'split':
        parts.push(...reading.bodies.map((body) => partOf(event, body)));
        ignored.push(ignoredFor('split', event));
        read.decided.push(ignoredPayment(event));
        break;
      case 'ignored':
        ignored.push(ignoredFor(reading.reason, event, reading.providerPaymentId));
        read.decided.push(ignoredPayment(event));
        break;
    }
  }
  return {
    ...read,
    skipped: [...unread],
    events: await giveToOwners(tx, events),
    revoked,
    ignored,
    parts,
  };
}

/** The events, with each report given to the tenant that had the account at the time. */
async function giveToOwners(tx: Tx, events: readonly ReadEvent[]): Promise<ReadEvent[]> {
  const items = events.flatMap((event) =>
    event.reports.map((report) => ({ report, account: event })),
  );
  const owned = await withOwners(tx, items);
  let next = 0;
  return events.map((event) => {
    const reports = owned.slice(next, next + event.reports.length);
    next += event.reports.length;
    return { ...event, reports };
  });
}

type Reading =
  | Exclude<EventReading, { kind: 'payments' | 'ignored' }>
  | { kind: 'reports'; event: ReadEvent }
  | { kind: 'ignored'; reason: string; providerPaymentId?: string | undefined }
  | { kind: 'failed'; error: string };

function readOrFail(
  event: webhookEvents.OpenEvent,
  known: Resolved | undefined,
  policy: IngestPolicy,
): Reading {
  try {
    return readReports(event, known, policy);
  } catch (error) {
    return { kind: 'failed', error: safeErrorText(error) };
  }
}

function readReports(
  event: webhookEvents.OpenEvent,
  known: Resolved | undefined,
  policy: IngestPolicy,
): Reading {
  const reading: EventReading =
    known === undefined
      ? providers[event.provider].readEvent(event.body)
      : { kind: 'payments', payments: known.payments };
  if (reading.kind !== 'payments') return reading;
  const { id, tenantId, receivedAt, merchantId, earnsFrom } = event;
  const isComplete = known?.isComplete ?? true;
  const isResolved = known !== undefined;
  const payments = reading.payments.flatMap((payment) => settled(payment, policy.refunds) ?? []);
  const newPaymentId = isComplete && payments.length === 1 ? paymentIdOf(event) : undefined;
  const reports = payments.map((payment) => ({
    tenantId,
    payment,
    isResolved,
    newPaymentId,
  }));
  if (reports.length === 0 && isComplete) {
    const [only, ...others] = reading.payments;
    const providerPaymentId = others.length === 0 ? only?.providerPaymentId : undefined;
    return { kind: 'ignored', reason: 'not_settled', providerPaymentId };
  }
  const account = { receivedAt, merchantId, earnsFrom };
  return { kind: 'reports', event: { id, tenantId, ...account, reports, isComplete } };
}

/** An older id is not sought among those of the present (db/ledger/verification/movement.ts). */
const YOUNG_MS = 60_000;
/** Where a UUID says how it was made. */
const UUID_VERSION_AT = 14;

/**
 * The id of a payment that only this event reports is the event's own, so that it leads to the
 * event without an index. Its event is closed by what stores it, so that no other payment can get
 * the id. That of a listed payment that failed is a hash, which does not ascend with time.
 */
function paymentIdOf({ id, receivedAt }: webhookEvents.OpenEvent): PaymentId | undefined {
  const isOrdered = id.charAt(UUID_VERSION_AT) === '7';
  const isYoung = Date.now() - receivedAt.getTime() < YOUNG_MS;
  return isOrdered && isYoung ? PaymentId.parse(id) : undefined;
}

/** The result of an event that reports no payment, or one that does not count yet. */
export function ignoredFor(
  reason: string,
  { id, tenantId }: webhookEvents.OpenEvent,
  providerPaymentId: string | null = null,
): EventResult {
  const about = { paymentId: null, providerPaymentId };
  return { eventId: id, tenantId, outcome: 'ignored', reason, ...about, awaits: [] };
}

/** Found by the correlation id of the event that it is a part of. */
function partOf(event: webhookEvents.OpenEvent, body: Buffer): webhookEvents.NewEvent {
  const { provider, tenantId, merchantId, eventType, correlationId } = event;
  const id = EventId.parse(newId());
  return { id, provider, tenantId, merchantId, eventType, correlationId, body };
}

function ignoredPayment({ provider, receivedAt }: webhookEvents.OpenEvent): IngestedPayment {
  return { provider, outcome: 'ignored', points: 0, occurredAt: null, receivedAt };
}
