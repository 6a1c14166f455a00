import { randomUUID } from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';
import { EventId, type PaymentId, type TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import { insert, SWEEP_AGE_DAYS } from './webhook-events.ts';

// What an operator of the service sees and does of stored events from the command line.

/** A stored event without its body. */
export type EventRow = {
  id: EventId;
  provider: Provider;
  tenantId: TenantId | null;
  merchantId: string;
  eventType: string;
  correlationId: string;
  receivedAt: Date;
  processed: boolean;
  processedAt: Date | null;
  outcome: string | null;
  outcomeReason: string | null;
  paymentId: PaymentId | null;
  attempts: number;
  lastError: string | null;
  /** Null when it was given up. */
  nextAttemptAt: Date | null;
  /** Whether it waits for its connection to work again. */
  awaitsConnection: boolean;
  leasedUntil: Date | null;
};

const COLUMNS: (keyof EventRow)[] = [
  'id',
  'provider',
  'tenantId',
  'merchantId',
  'eventType',
  'correlationId',
  'receivedAt',
  'processed',
  'processedAt',
  'outcome',
  'outcomeReason',
  'paymentId',
  'attempts',
  'lastError',
  'awaitsConnection',
  'leasedUntil',
];
const NEXT_ATTEMPT_AT = `nullif(next_attempt_at, 'infinity') as next_attempt_at`;

/**
 * `pending`: of a known tenant, and still swept. `failing`: pending, with an error. `given-up`: no
 * longer swept. `unknown`: of no tenant.
 */
export const EVENT_KINDS = ['pending', 'failing', 'given-up', 'unknown', 'processed'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Lists events of a kind: processed ones newest first, all others oldest first. */
export async function list(
  db: Db,
  options: { kind: EventKind; tenantId?: TenantId | undefined; limit: number },
): Promise<EventRow[]> {
  const { kind, tenantId, limit } = options;
  const query = db<EventRow>('webhook_events').where('processed', kind === 'processed');
  if (kind === 'unknown') query.whereNull('tenantId');
  if (kind === 'pending' || kind === 'failing') {
    query.whereNotNull('tenantId').whereRaw(`next_attempt_at < 'infinity'`);
  }
  if (kind === 'given-up') query.whereNotNull('tenantId').whereRaw(`next_attempt_at = 'infinity'`);
  if (kind === 'failing') query.where('attempts', '>', 0);
  if (tenantId !== undefined) query.where({ tenantId });
  return query
    .orderBy('receivedAt', kind === 'processed' ? 'desc' : 'asc')
    .orderBy('id')
    .limit(limit)
    .select<EventRow[]>(...COLUMNS, db.raw(NEXT_ATTEMPT_AT));
}

/** Returns an event with its body. Throws NOT_FOUND. */
export async function get(db: Db, id: EventId): Promise<EventRow & { body: Buffer }> {
  const event = await db<EventRow & { body: Buffer }>('webhook_events')
    .where({ id })
    .first<(EventRow & { body: Buffer }) | undefined>(...COLUMNS, 'body', db.raw(NEXT_ATTEMPT_AT));
  if (event === undefined) throw new Refusal('NOT_FOUND', 'There is no such event.');
  return event;
}

/** Lists the events that reported a payment or a change to it, oldest first. */
export async function listOfPayment(db: Db, paymentId: PaymentId): Promise<EventRow[]> {
  return db<EventRow>('webhook_events')
    .where({ paymentId })
    .orderBy('receivedAt')
    .limit(MAX_OF_A_PAYMENT)
    .select<EventRow[]>(...COLUMNS, db.raw(NEXT_ATTEMPT_AT));
}

const MAX_OF_A_PAYMENT = 200;

/** `due`: the event itself is swept next. `delivered`: a copy of it is, as if it had come again. */
export type Replay = { id: EventId; how: 'due' | 'delivered' };

/**
 * Makes the next sweep ingest an event again. A waiting event loses its back-off. One that is
 * processed, or too old to be swept, is delivered again as an event of its own, so that its first
 * outcome stays on record; one that was given up is closed with that, as replayed. Payments are
 * recognised, so no number of replays credits anything twice. Throws NOT_FOUND, also when the body
 * was deleted after 90 days.
 */
export async function replay(db: Db, id: EventId): Promise<Replay> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update webhook_events
     set next_attempt_at = now(), leased_until = null, attempts = 0, awaits_connection = false,
       is_doubtful = false, lease_run = null, lease_holder = null
     where id = :id and not processed and received_at > now() - make_interval(days => :days)`,
    { id, days: SWEEP_AGE_DAYS },
  );
  if (rowCount > 0) return { id, how: 'due' };

  return db.transaction(async (tx) => {
    const { provider, merchantId, eventType, body, correlationId } = await get(tx, id);
    if (body.length === 0) {
      throw new Refusal(
        'NOT_FOUND',
        'Its body was deleted after 90 days: there is nothing to replay.',
      );
    }
    const copy = { id: EventId.parse(randomUUID()), provider, merchantId, eventType, body };
    await insert(tx, [{ ...copy, correlationId }]);
    await close(tx, id, 'replayed');
    return { id: copy.id, how: 'delivered' };
  });
}

/**
 * Dismisses an event that was given up: it is closed for good without an effect, and its last error
 * stays on record. Dismissing it again changes nothing. Throws NOT_FOUND, and RULE_REJECTED for an
 * event that is still swept or was ingested.
 */
export async function dismiss(db: Db, id: EventId): Promise<void> {
  if (await close(db, id, 'dismissed')) return;
  const { processed, outcomeReason } = await get(db, id);
  if (processed && outcomeReason === 'dismissed') return;
  const why = processed ? 'was processed' : 'is still swept';
  throw new Refusal('RULE_REJECTED', `Only an event that was given up is dismissed; ${id} ${why}.`);
}

/** Closes an event that is too old to be swept, and returns whether it was still open. */
async function close(db: Db, id: EventId, outcomeReason: string): Promise<boolean> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update webhook_events set processed = true, processed_at = now(), outcome = 'ignored',
       outcome_reason = :outcomeReason, awaits_connection = false
     where id = :id and not processed and received_at <= now() - make_interval(days => :days)`,
    { id, outcomeReason, days: SWEEP_AGE_DAYS },
  );
  return rowCount > 0;
}
