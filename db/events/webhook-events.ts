import type { EventId, TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import { type Db, type Tx, withKeptPlan } from '../connection.ts';
import { LEASE_SECONDS } from './leases.ts';

export type NewEvent = {
  id: EventId;
  provider: Provider;
  merchantId: string;
  eventType: string;
  body: Buffer;
  correlationId: string;
};

/** A stored event and its tenant; null when no tenant has an active connection to the merchant. */
export type StoredEvent = { id: EventId; tenantId: TenantId | null };

/** Stores deliveries as received, all of them or none, each with its merchant's tenant. */
export async function insert(db: Db, events: readonly NewEvent[]): Promise<StoredEvent[]> {
  const inserting = db.raw<{ rows: StoredEvent[] }>(
    `insert into webhook_events
       (id, provider, tenant_id, merchant_id, event_type, body, correlation_id, outcome_reason)
     select n.id, n.provider, c.tenant_id, n.merchant_id, n.event_type, n.body, n.correlation_id,
       case when c.tenant_id is null then 'unknown_merchant' end
     from unnest(:ids::uuid[], :providers::text[], :merchantIds::text[], :eventTypes::text[],
         :bodies::bytea[], :correlationIds::text[])
       as n(id, provider, merchant_id, event_type, body, correlation_id)
     left join lateral (
       select tenant_id from pos_connections
       where pos_type = n.provider and merchant_id = n.merchant_id and status = 'active' limit 1
     ) c on true
     returning id, tenant_id`,
    {
      ids: events.map((event) => event.id),
      providers: events.map((event) => event.provider),
      merchantIds: events.map((event) => event.merchantId),
      eventTypes: events.map((event) => event.eventType),
      bodies: events.map((event) => event.body),
      correlationIds: events.map((event) => event.correlationId),
    },
  );
  const { rows } = await withKeptPlan(inserting, 'webhook-events-insert');
  return rows;
}

/** An unprocessed event of a known tenant. */
export type OpenEvent = {
  id: EventId;
  provider: Provider;
  tenantId: TenantId;
  /** ISO 3166 alpha-2, or null when the tenant has not set it. */
  tenantCountry: string | null;
  receivedAt: Date;
  body: Buffer;
  /** Whether the provider had an error about it before, although it answered a probe. */
  isDoubtful: boolean;
};

// An event of an unknown merchant belongs to the tenant that has connected the merchant since.
const OPEN_EVENTS = `
  select e.id, e.provider, t.id as tenant_id, t.country as tenant_country,
    e.received_at, e.body, e.is_doubtful
  from webhook_events e
  left join lateral (
    select tenant_id from pos_connections
    where e.tenant_id is null and pos_type = e.provider and merchant_id = e.merchant_id
      and status = 'active' limit 1
  ) c on true
  join lateral (
    select id, country from tenants where id = coalesce(e.tenant_id, c.tenant_id) limit 1
  ) t on true
  where e.id = any(:ids) and not e.processed
  order by e.id`;

/** Returns those of the events that are still open, ordered by id. */
export async function read(db: Db, ids: readonly EventId[]): Promise<OpenEvent[]> {
  const { rows } = await db.raw<{ rows: OpenEvent[] }>(OPEN_EVENTS, { ids: [...ids] });
  return rows;
}

/**
 * Locks those of the events that are open until the transaction ends, and skips those that another
 * transaction has locked.
 */
export async function lockOpen(tx: Tx, ids: readonly EventId[]): Promise<OpenEvent[]> {
  const holding = tx.raw<{ rows: OpenEvent[] }>(
    `${OPEN_EVENTS} for no key update of e skip locked`,
    {
      ids: [...ids],
    },
  );
  const { rows } = await withKeptPlan(holding, 'webhook-events-hold');
  return rows;
}

/** Locks an event until the transaction ends, if it is still open; waits for whoever has it. */
export async function lockOne(tx: Tx, id: EventId): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    'select from webhook_events where id = :id and not processed for no key update',
    { id },
  );
  return rows.length > 0;
}

export type EventFailure = { id: EventId; error: string };

/** The delay before the first retry; it doubles with each retry, up to the longest. */
const FIRST_RETRY_SECONDS = 30;
const LONGEST_RETRY_SECONDS = 6 * 3600;
const BACK_OFF = `make_interval(secs =>
  least(:longest::float8, :first::float8 * power(2, least(e.attempts, 20))))`;

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
    `update webhook_events e
     set attempts = e.attempts + 1, last_error = f.error, awaits_connection = false,
       leased_until = now() + make_interval(secs => :leaseSeconds),
       next_attempt_at = case
         when now() + ${BACK_OFF} > e.received_at + make_interval(days => :days) then 'infinity'
         else now() + ${BACK_OFF} end
     from unnest(:ids::uuid[], :errors::text[]) as f(id, error)
     where e.id = f.id and not e.processed`,
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

/** How long after its arrival an event is swept. */
export const SWEEP_AGE_DAYS = 7;
/** A newer event is still with its own run. */
const SWEEP_QUIET_SECONDS = 30;

export type PendingEvent = { id: EventId; provider: Provider; tenantId: TenantId };

/**
 * Assigns events of unknown merchants to the tenants that have connected these merchants since, as
 * long as the events are swept. Running it again changes nothing.
 */
export async function assignTenants(db: Db): Promise<void> {
  await db.raw(
    `update webhook_events e set tenant_id = c.tenant_id, outcome_reason = null
     from pos_connections c
     where c.status = 'active' and e.provider = c.pos_type and e.merchant_id = c.merchant_id
       and e.tenant_id is null and not e.processed
       and e.received_at > now() - make_interval(days => :days)`,
    { days: SWEEP_AGE_DAYS },
  );
}

const LEASE_DUE = `
  update webhook_events e
  set leased_until = now() + make_interval(secs => :lease), lease_run = null, lease_holder = null
  from due where e.id = due.id
  returning e.id, e.provider, e.tenant_id`;

/**
 * Leases up to `limit` open events to the caller, so that the next sweep takes others. They have a
 * known tenant, are due, are leased to no run, and are at least `quietSeconds` old, so that their
 * own run has had the time to take them.
 */
export async function takePending(
  db: Db,
  options: { limit: number; quietSeconds?: number },
): Promise<PendingEvent[]> {
  const { rows } = await db.raw<{ rows: PendingEvent[] }>(
    `with due as (
       select id from webhook_events
       where not processed and tenant_id is not null and next_attempt_at <= now()
         and received_at > now() - make_interval(days => :days)
         and received_at < now() - make_interval(secs => :quiet)
         and (leased_until is null or leased_until < now())
       order by next_attempt_at, id
       limit :limit
       for update skip locked
     )
     ${LEASE_DUE}`,
    {
      days: SWEEP_AGE_DAYS,
      quiet: options.quietSeconds ?? SWEEP_QUIET_SECONDS,
      limit: options.limit,
      lease: LEASE_SECONDS,
    },
  );
  return rows;
}

/**
 * Leases up to `limit` events to the caller, as `takePending` does, that have failed by their own
 * fault and are not due yet, oldest first.
 */
export async function takeBackingOff(db: Db, limit: number): Promise<PendingEvent[]> {
  const { rows } = await db.raw<{ rows: PendingEvent[] }>(
    `with due as (
       select id from webhook_events
       where not processed and tenant_id is not null and attempts > 0 and not awaits_connection
         and next_attempt_at > now()
         and next_attempt_at <= now() + make_interval(secs => :longest)
         and received_at > now() - make_interval(days => :days)
         and (leased_until is null or leased_until < now())
       order by received_at, id
       limit :limit
       for update skip locked
     )
     ${LEASE_DUE}`,
    { days: SWEEP_AGE_DAYS, longest: LONGEST_RETRY_SECONDS, limit, lease: LEASE_SECONDS },
  );
  return rows;
}

/** Counts those of the events that are still open. */
export async function countOpen(db: Db, ids: readonly EventId[]): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    'select count(*) as count from webhook_events where id = any(:ids) and not processed',
    { ids: [...ids] },
  );
  return rows[0]?.count ?? 0;
}
