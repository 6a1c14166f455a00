import { Refusal } from '../../domain/errors.ts';
import { EventId, type PaymentId, type TenantId } from '../../domain/ids.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { CLOSED, type EventRow, PENDING, STALLED } from './event-rows.ts';
import { EVENT } from './stalled-events.ts';
import { readBody, type StoredBody } from './stored-bodies.ts';
import { insert, SWEEP_AGE_DAYS } from './webhook-events.ts';

// What an operator of the service sees and does of stored events from the command line.

/**
 * `pending`: of a known tenant, and still swept. `failing`: pending, with an error. `given-up`: no
 * longer swept. `unknown`: of no tenant.
 */
export const EVENT_KINDS = ['pending', 'failing', 'given-up', 'unknown', 'processed'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Of one tenant, so many processed events are looked through, newest first, or pending ones. */
const SEARCHED = 1_000_000;
/** Ids that no clock made are nearly all greater. */
const LAST_CLOCK = `'04000000-0000-0000-0000-000000000000'`;

/**
 * The pending events by their ids, which start with the time of their arrival, since an index on
 * that time would cost each sale. The others, of failed payments, are few.
 */
const PENDING_IN_ORDER = `
  (select * from (
     ${PENDING} where id < ${LAST_CLOCK} order by id limit :searched
   ) e where :ofTenant order by id limit :limit)
  union all
  (${PENDING} where id >= ${LAST_CLOCK} and :ofTenant order by received_at limit :limit)`;

/**
 * The processed events: ids that no clock made would stand before all others, so they are taken by
 * the time of their arrival. The last condition is that of an index.
 */
const PROCESSED = `
  (select * from (
     ${CLOSED} where id < first_event_id(now() + interval '1 day') order by id desc limit :searched
   ) e where :ofTenant order by id desc limit :limit)
  union all
  (${CLOSED} where id >= ${LAST_CLOCK} and :ofTenant
   order by received_at desc limit :limit)`;

/** Each part is read in the order of an index. */
const failing = (which: string) => `
  (${PENDING} where attempts > 0 and ${which} and :ofTenant order by received_at limit :limit)`;

const OF_KIND: Record<EventKind, string> = {
  pending: PENDING_IN_ORDER,
  failing: `${failing('not awaits_connection')} union all ${failing('awaits_connection')}`,
  'given-up': `${STALLED} where tenant_id is not null and :ofTenant`,
  unknown: `${STALLED} where tenant_id is null and :ofTenant`,
  processed: PROCESSED,
};

export type Search = {
  kind: EventKind;
  tenantId?: TenantId | undefined;
  /** The id of the request that delivered it. */
  correlationId?: string | undefined;
  limit: number;
};

/**
 * Lists events of a kind: processed ones newest first, all others oldest first. Processed ones of
 * one tenant, or of one request, are those among the newest million, pending ones those among the
 * oldest million.
 */
export async function list(
  db: Db,
  { kind, tenantId, correlationId, limit }: Search,
): Promise<EventRow[]> {
  const conditions = [
    ...(tenantId === undefined ? [] : ['tenant_id = :tenantId']),
    ...(correlationId === undefined ? [] : ['correlation_id = :correlationId']),
  ];
  const wanted = conditions.join(' and ') || 'true';
  const direction = kind === 'processed' ? 'desc' : 'asc';
  const { rows } = await db.raw<{ rows: EventRow[] }>(
    `${OF_KIND[kind].replaceAll(':ofTenant', wanted)}
     order by received_at ${direction}, id limit :limit`,
    {
      limit,
      searched: conditions.length === 0 ? limit : SEARCHED,
      tenantId: tenantId ?? null,
      correlationId: correlationId ?? null,
    },
  );
  return rows;
}

/** Returns an event with its body, which is empty once it was deleted. Throws NOT_FOUND. */
export async function get(db: Db, id: EventId): Promise<EventRow & { body: Buffer }> {
  const { rows } = await db.raw<{ rows: (EventRow & StoredBody)[] }>(
    `select e.*, coalesce(b.body, '') as body, b.encoding
     from (
       ${PENDING} where id = :id union all ${STALLED} where id = :id
       union all ${CLOSED} where id = :id
     ) e
     left join (select id, body, encoding from webhook_bodies where id = :id) b on true
     limit 1`,
    { id },
  );
  const [found] = rows;
  if (found === undefined) throw new Refusal('NOT_FOUND', 'There is no such event.');
  const { encoding, body, ...event } = found;
  return { ...event, body: readBody({ body, encoding }) };
}

/**
 * Lists the events that reported a payment or a change to it, oldest first. The id of the first may
 * be that of the payment.
 */
export async function listOfPayment(db: Db, paymentId: PaymentId): Promise<EventRow[]> {
  const { rows } = await db.raw<{ rows: EventRow[] }>(
    `(${CLOSED} where id = :paymentId and payment_id = id)
     union all
     (${CLOSED} where payment_id = :paymentId and payment_id <> id
      order by received_at limit :limit)
     order by received_at limit :limit`,
    { paymentId, limit: MAX_OF_A_PAYMENT },
  );
  return rows;
}

const MAX_OF_A_PAYMENT = 200;

/**
 * `due`: the event itself is swept next. `delivered`: a copy of it is, as if it had come again.
 * `unclaimed`: nothing is, until somebody connects the merchant.
 */
export type Replay = { id: EventId; how: 'due' | 'delivered' | 'unclaimed' };

/**
 * Makes the next sweep ingest an event again. A waiting event loses its back-off. One that is
 * processed, or too old to be swept, is delivered again as an event of its own, so that its first
 * outcome stays on record; one that was given up is closed with that, as replayed. The copy is of
 * the same tenant, whoever has the account now, and payments are recognised, so no number of
 * replays credits anything twice. Throws NOT_FOUND, also when the body was deleted.
 */
export async function replay(db: Db, id: EventId): Promise<Replay> {
  return db.transaction(async (tx) => {
    const young = await makeDue(tx, id);
    if (young !== undefined) return { id, how: young };
    const event = await get(tx, id);
    const { provider, merchantId, eventType, body, correlationId, tenantId } = event;
    if (body.length === 0) {
      throw new Refusal(
        'NOT_FOUND',
        'Its body was deleted after 90 days: there is nothing to replay.',
      );
    }
    const copy = { id: EventId.parse(newId()), provider, merchantId, eventType, body };
    const [stored] = await insert(tx, [{ ...copy, correlationId, tenantId }]);
    await close(tx, id, 'replayed');
    return { id: copy.id, how: stored?.tenantId ? 'delivered' : 'unclaimed' };
  });
}

/**
 * Makes an event that is young enough to be swept due; undefined for any other. One of a merchant
 * that nobody has connected becomes due when somebody does.
 */
async function makeDue(tx: Tx, id: EventId): Promise<'due' | 'unclaimed' | undefined> {
  const { rows } = await tx.raw<{ rows: { isClaimed: boolean }[] }>(
    `with gone as (
       delete from stalled_events
       where id = :id and tenant_id is not null
         and received_at > now() - make_interval(days => :days)
       returning *
     ),
     resumed as (
       insert into pending_events (${EVENT})
       select id, provider, tenant_id, merchant_id, event_type, correlation_id, received_at, 0,
         last_error
       from gone returning id
     ),
     due as (
       update pending_events
       set next_attempt_at = now(), leased_until = null, attempts = 0, awaits_connection = false,
         is_doubtful = false, lease_run = null, lease_holder = null
       where id = :id and received_at > now() - make_interval(days => :days)
       returning id
     )
     select true as is_claimed from resumed union all select true from due
     union all
     select exists (select from pos_connections c where c.provider = e.provider
       and c.merchant_id = e.merchant_id and c.status = 'active')
     from stalled_events e
     where id = :id and tenant_id is null and received_at > now() - make_interval(days => :days)`,
    { id, days: SWEEP_AGE_DAYS },
  );
  const [young] = rows;
  return young && (young.isClaimed ? 'due' : 'unclaimed');
}

/**
 * Dismisses an event that was given up: it is closed for good without an effect, and its last error
 * stays on record. Dismissing it again changes nothing; returns whether anything did. Throws
 * NOT_FOUND, and RULE_REJECTED for an event that is still swept or was ingested.
 */
export async function dismiss(db: Db, id: EventId): Promise<boolean> {
  if (await close(db, id, 'dismissed')) return true;
  const { processed, outcomeReason } = await get(db, id);
  if (processed && outcomeReason === 'dismissed') return false;
  const why = processed ? 'was processed' : 'is still swept';
  throw new Refusal('RULE_REJECTED', `Only an event that was given up is dismissed; ${id} ${why}.`);
}

/** Closes an event that is not swept any more, and returns whether it was still open. */
async function close(db: Db, id: EventId, outcomeReason: string): Promise<boolean> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `with stalled as (
       delete from stalled_events
       where id = :id
         and (tenant_id is not null or received_at <= now() - make_interval(days => :days))
       returning ${EVENT}
     ),
     old as (
       delete from pending_events
       where id = :id and received_at <= now() - make_interval(days => :days)
       returning ${EVENT}
     )
     insert into event_outcomes (${EVENT}, outcome, outcome_reason)
     select ${EVENT}, 'ignored', :outcomeReason
     from (select * from stalled union all select * from old) gone`,
    { id, outcomeReason, days: SWEEP_AGE_DAYS },
  );
  return rowCount > 0;
}
