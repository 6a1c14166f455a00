import type { EventId, TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db, Tx } from '../connection.ts';
import { earnsFrom } from '../connections/tenures.ts';
import { keptStatement } from '../kept-statement.ts';
import { LOCK_WAITS_ARE_LIMITED } from '../lock-waits.ts';
import { NOTE_NEWEST } from './last-events.ts';
import { STALL_GONE } from './stalled-events.ts';
import { readBody, type StoredBody, storedBody } from './stored-bodies.ts';

export type NewEvent = {
  /** Made by `newId`: ids in the order of time keep what arrives together together. */
  id: EventId;
  provider: Provider;
  merchantId: string;
  eventType: string;
  body: Buffer;
  correlationId: string;
  /** Of a delivery that is replayed; by default that of whoever has the account now. */
  tenantId?: TenantId | null;
  /** In how many seconds its turn is: it is left to the sweep then. */
  delaySeconds?: number | undefined;
  /** Not stored: it leads from the delivery's trace to the run that ingests it. */
  traceparent?: string | undefined;
};

/** A stored event and its tenant; null when no tenant has an active connection to the merchant. */
export type StoredEvent = { id: EventId; tenantId: TenantId | null };

const insertAll = keptStatement<StoredEvent>(
  'webhook-events-insert',
  `
  with delivery as (
    select n.id, n.provider, n.merchant_id, n.event_type, n.body, n.encoding, n.correlation_id,
      n.delay, coalesce(n.tenant_id, c.tenant_id) as tenant_id
    from unnest(:ids::uuid[], :providers::text[], :merchantIds::text[], :eventTypes::text[],
        :bodies::bytea[], :encodings::smallint[], :correlationIds::text[], :tenantIds::uuid[],
        :delays::int[])
      as n(id, provider, merchant_id, event_type, body, encoding, correlation_id, tenant_id, delay)
    left join lateral (
      select tenant_id from pos_connections
      where provider = n.provider and merchant_id = n.merchant_id and status = 'active' limit 1
    ) c on true
  ),
  stored as (
    insert into webhook_bodies (id, body, encoding)
    select id, body, encoding from delivery order by id
  ),
  pending as (
    insert into pending_events
      (id, provider, tenant_id, merchant_id, event_type, correlation_id, next_attempt_at)
    select id, provider, tenant_id, merchant_id, event_type, correlation_id,
      now() + make_interval(secs => delay)
    from delivery where tenant_id is not null order by id
  ),
  unclaimed as (
    insert into stalled_events (id, provider, merchant_id, event_type, correlation_id)
    select id, provider, merchant_id, event_type, correlation_id
    from delivery where tenant_id is null order by id
  ),
  ${NOTE_NEWEST}
  select id, tenant_id as "tenantId" from delivery`,
);

/** Stores deliveries as received, all of them or none, each with its merchant's tenant. */
export async function insert(db: Db, events: readonly NewEvent[]): Promise<StoredEvent[]> {
  const stored = events.map((event) => storedBody(event.body));
  return insertAll(db, {
    ids: events.map((event) => event.id),
    providers: events.map((event) => event.provider),
    merchantIds: events.map((event) => event.merchantId),
    eventTypes: events.map((event) => event.eventType),
    bodies: stored.map(({ body }) => body),
    encodings: stored.map(({ encoding }) => encoding),
    correlationIds: events.map((event) => event.correlationId),
    tenantIds: events.map((event) => event.tenantId ?? null),
    delays: events.map((event) => event.delaySeconds ?? 0),
  });
}

/** An event that is still to be ingested. */
export type OpenEvent = {
  id: EventId;
  provider: Provider;
  tenantId: TenantId;
  merchantId: string;
  eventType: string;
  correlationId: string;
  /** Since when sales of the account earn at the tenant; null when it has the account no more. */
  earnsFrom: Date | null;
  receivedAt: Date;
  body: Buffer;
  /** Whether the provider had an error about it before, although it answered a probe. */
  isDoubtful: boolean;
};

// The bounds of the ids leave only the partitions that hold them, whatever plan is used.
const OPEN_EVENTS = (further = '') => `
  select e.id, e.provider, e.tenant_id as "tenantId", e.merchant_id as "merchantId",
    e.event_type as "eventType", e.correlation_id as "correlationId",
    ${earnsFrom('e')} as "earnsFrom", e.received_at as "receivedAt", b.body, b.encoding,
    e.is_doubtful as "isDoubtful"
  from pending_events e
  cross join lateral (
    select body, encoding from webhook_bodies
    where id = e.id and id >= :first::uuid and id <= :last::uuid limit 1
  ) b
  where e.id = any(:ids) ${further}
  order by e.id`;

/** Returns those of the events that are still open, ordered by id. */
export async function read(db: Db, ids: readonly EventId[]): Promise<OpenEvent[]> {
  const { rows } = await db.raw<{ rows: OpenRow[] }>(OPEN_EVENTS(), within(ids));
  return rows.map(asReceived);
}

/** Whether any of the events is still open. */
export async function isAnyOpen(db: Db, ids: readonly EventId[]): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    'select from pending_events where id = any(:ids) limit 1',
    { ids: [...ids] },
  );
  return rows.length > 0;
}

/**
 * Locks those of the events that are open until the transaction ends, and skips those that another
 * transaction has locked. From then on the transaction waits for a lock for a second at most.
 */
export async function lockOpen(tx: Tx, ids: readonly EventId[]): Promise<OpenEvent[]> {
  const rows = await hold(tx, within(ids));
  return rows.map(asReceived);
}

type OpenRow = OpenEvent & StoredBody;

const hold = keptStatement<OpenRow>(
  'webhook-events-hold',
  // The first of its transaction.
  `${OPEN_EVENTS(`and ${LOCK_WAITS_ARE_LIMITED}`)} for no key update of e skip locked`,
);

function asReceived({ encoding, body, ...event }: OpenRow): OpenEvent {
  return { ...event, body: readBody({ body, encoding }) };
}

function within(ids: readonly EventId[]) {
  // The text of ids has the same order as the ids.
  const sorted = [...ids].sort();
  return { ids: sorted, first: sorted[0] ?? null, last: sorted.at(-1) ?? null };
}

/**
 * Locks those of the events that are open until the transaction ends, and waits for whoever has
 * one. Returns them.
 */
export async function lockAll(tx: Tx, ids: readonly EventId[]): Promise<Set<EventId>> {
  if (ids.length === 0) return new Set();
  const { rows } = await tx.raw<{ rows: { id: EventId }[] }>(
    'select id from pending_events where id = any(:ids::uuid[]) order by id for no key update',
    { ids: [...ids] },
  );
  return new Set(rows.map(({ id }) => id));
}

export type EventFailure = { id: EventId; error: string };

/** The delay before the first retry; it doubles with each retry, up to the longest. */
const FIRST_RETRY_SECONDS = 30;
export const LONGEST_RETRY_SECONDS = 6 * 3600;
const NEXT_ATTEMPT_AT = `now() + make_interval(secs =>
  least(:longest::float8, :first::float8 * power(2, least(e.attempts, 20))))`;
const LAST_SWEPT_AT = 'e.received_at + make_interval(days => :days)';

/**
 * Records failures of events and delays their next attempt, longer with each failure, so that
 * events that always fail never keep others waiting. An event whose next attempt would come after
 * the last sweep of it is given up. A run that will retry them itself leases them for
 * `leaseSeconds`.
 */
export async function recordFailures(
  db: Db,
  failures: readonly EventFailure[],
  leaseSeconds = 0,
): Promise<void> {
  if (failures.length === 0) return;
  await db.raw(
    `with failure as (select * from unnest(:ids::uuid[], :errors::text[]) as f(id, error)),
     retried as (
       update pending_events e
       set attempts = e.attempts + 1, last_error = f.error, awaits_connection = false,
         leased_until = now() + make_interval(secs => :leaseSeconds),
         next_attempt_at = ${NEXT_ATTEMPT_AT}
       from failure f
       where e.id = f.id and ${NEXT_ATTEMPT_AT} <= ${LAST_SWEPT_AT}
     ),
     gone as (
       delete from pending_events e using failure f
       where e.id = f.id and ${NEXT_ATTEMPT_AT} > ${LAST_SWEPT_AT}
       returning e.id, e.provider, e.tenant_id, e.merchant_id, e.event_type, e.correlation_id,
         e.received_at, e.attempts + 1 as attempts, f.error as last_error
     )
     ${STALL_GONE}`,
    {
      days: SWEEP_AGE_DAYS,
      first: FIRST_RETRY_SECONDS,
      longest: LONGEST_RETRY_SECONDS,
      leaseSeconds,
      ids: failures.map((failure) => failure.id),
      errors: failures.map((failure) => failure.error),
    },
  );
}

/** Records why events stay open that are left to the next sweep; it counts no attempt. */
export async function recordHeld(db: Db, ids: readonly EventId[]): Promise<void> {
  if (ids.length === 0) return;
  await db.raw('update pending_events set last_error = :error where id = any(:ids::uuid[])', {
    error: HELD,
    ids: [...ids],
  });
}

export const HELD = 'Another transaction holds its wallet or payment. It is tried again soon.';

/** How long after its arrival an event is swept. */
export const SWEEP_AGE_DAYS = 7;

/** Counts those of the events that are still open, also of those that were given up. */
export async function countOpen(db: Db, ids: readonly EventId[]): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select (select count(*) from pending_events where id = any(:ids))
       + (select count(*) from stalled_events where id = any(:ids)) as count`,
    { ids: [...ids] },
  );
  return rows[0]?.count ?? 0;
}
