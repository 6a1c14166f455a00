import type { DeliveryId, EndpointId, TenantEventId, TenantId } from '../../domain/ids.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { type EventData, TEST_EVENT } from '../../domain/webhook-event.ts';
import { FAILING_FROM } from '../../domain/webhook-retries.ts';
import type { Db } from '../connection.ts';
import { newId } from '../new-id.ts';
import { isActive } from '../tenants/is-active.ts';
import { park } from './endpoints.ts';
import { SIGNING_SECRETS } from './secrets.ts';

/** How many attempts of a tenant are under way at most. */
const MAX_IN_FLIGHT = 2;
/** Longer than an attempt takes, so that only a killed one is ever repeated before it ends. */
const CLAIM_SECONDS = 20;
/** An arbitrary number, which separates these advisory locks from all others. */
const CLAIMS_LOCK = 1_204_518_302;

/** One attempt at a delivery, with all that it sends. */
export type Attempt = {
  id: DeliveryId;
  endpointId: EndpointId;
  /** Names the claim on the endpoint, which lasts until the result is recorded. */
  claim: string;
  url: string;
  eventId: TenantEventId;
  type: string;
  occurredAt: Date;
  data: EventData;
  /** Newest first. */
  sealedSecrets: Sealed[];
  /** How many scheduled attempts have failed. */
  step: number;
  /** Whether it was made due before its time. */
  isEarly: boolean;
};

/**
 * Claims an endpoint of the tenant for 20 seconds and returns what is due for it, the endpoint that
 * waits the longest first. An endpoint has one claim at a time and a tenant two, of any worker; one
 * that fails is taken only where `alsoFailing` says so, and then first. Undefined when there is
 * nothing to do now, or the tenant is suspended.
 */
export async function claim(
  db: Db,
  tenantId: TenantId,
  { alsoFailing }: { alsoFailing: boolean },
): Promise<Attempt | undefined> {
  return db.transaction(async (tx) => {
    await tx.raw(`select pg_advisory_xact_lock(${CLAIMS_LOCK}, hashtext(:tenantId::text))`, {
      tenantId,
    });
    const bindings = { tenantId, alsoFailing, claim: newId(), testType: TEST_EVENT };
    const { rows } = await tx.raw<{ rows: Attempt[] }>(CLAIM, bindings);
    return rows[0];
  });
}

const CLAIM = `
  with chosen as (
    select e.id as endpoint_id, d.id
    from webhook_endpoints e
    cross join lateral (
      select id from webhook_deliveries
      where endpoint_id = e.id and status = 'pending' and next_attempt_at <= statement_timestamp()
      order by next_attempt_at, event_id limit 1
    ) d
    where e.tenant_id = :tenantId and e.deleted_at is null and ${isActive(':tenantId')}
      and (e.claimed_until is null or e.claimed_until <= statement_timestamp())
      and (:alsoFailing or e.failures < ${FAILING_FROM})
      and (
        select count(*) from webhook_endpoints
        where tenant_id = :tenantId and deleted_at is null
          and claimed_until > statement_timestamp()
      ) < ${MAX_IN_FLIGHT}
    order by e.failures >= ${FAILING_FROM} desc, e.attempted_at nulls first, e.id limit 1
  ),
  claimed as (
    update webhook_endpoints e
    set claim = :claim, attempted_at = statement_timestamp(),
      claimed_until = statement_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
    from chosen c where e.id = c.endpoint_id and e.deleted_at is null
    returning e.id, e.url
  )
  select d.id, e.id as endpoint_id, :claim as claim, e.url, d.event_id, d.type,
    coalesce(v.occurred_at, d.created_at) as occurred_at,
    coalesce(v.data, jsonb_build_object('endpointId', e.id)) as data,
    ${SIGNING_SECRETS} as sealed_secrets, d.step,
    coalesce(d.planned_at > statement_timestamp(), false) as is_early
  from claimed e
  join chosen c on c.endpoint_id = e.id
  cross join lateral (
    select * from webhook_deliveries where id = c.id and tenant_id = :tenantId limit 1
  ) d
  left join lateral (
    select occurred_at, data from tenant_events
    where id = d.event_id and tenant_id = :tenantId and d.type <> :testType limit 1
  ) v on true`;

/** What came of an attempt. */
export type AttemptResult = {
  milliseconds: number;
  responseStatus: number | null;
  /** The beginning of the answer. */
  response: string | null;
  error: string | null;
};

/** The result, and how it names the attempt. */
export type Ended = Pick<Attempt, 'id' | 'endpointId' | 'claim'> & AttemptResult;

const RESULT = `attempt = d.attempt + 1, milliseconds = :milliseconds,
  response_status = :responseStatus, response = :response, error = :error`;

/** What waits is made due at once in portions: the next success takes the next one. */
const PULLED = 10_000;

/**
 * Records that an endpoint took a delivery, also if the claim has ended meanwhile, and makes due
 * what waits for it. Each delivery is made due early once between two scheduled attempts: one that
 * the endpoint refuses while it takes others must not use up its attempts.
 */
export async function recordDelivered(db: Db, ended: Ended): Promise<void> {
  await db.raw(
    `with endpoint as (
       update webhook_endpoints
       set failures = 0, failed_since = null, delivered_at = statement_timestamp(),
         claimed_until = case when claim = :claim then null else claimed_until end
       where id = :endpointId returning id, status
     ),
     delivered as (
       update webhook_deliveries d
       set ${RESULT}, status = 'delivered', next_attempt_at = null, planned_at = null
       from endpoint e where d.id = :id and d.endpoint_id = e.id and d.status = 'pending'
     )
     update webhook_deliveries w
     set planned_at = next_attempt_at, next_attempt_at = statement_timestamp()
     where w.id = any(array(
       select d.id from endpoint e
       cross join lateral (
         select id from webhook_deliveries
         where endpoint_id = e.id and status = 'pending'
           and next_attempt_at > statement_timestamp() and planned_at is null and id <> :id
         order by next_attempt_at, event_id limit ${PULLED}
       ) d
       where e.status = 'active'
     ))`,
    ended,
  );
}

/** Whether a delivery was replayed during its attempt, or its endpoint was made active again. */
const IS_DUE_ANEW = 'coalesce(d.next_attempt_at > e.attempted_at, false)';

/**
 * Records a failed attempt. The next one is after `waitSeconds`, or as planned before an early one;
 * without them the delivery has failed. A delivery that was made due during the attempt stays due.
 * While its endpoint is not active it waits. An attempt whose claim has ended is not counted.
 */
export async function recordFailed(
  db: Db,
  ended: Ended,
  { waitSeconds, isEarly }: { waitSeconds: number | null; isEarly: boolean },
): Promise<void> {
  const isFinal = waitSeconds === null && !isEarly;
  await db.raw(
    `with endpoint as (
       update webhook_endpoints
       set failures = failures + 1, claim = null, claimed_until = null,
         failed_since = case when :isFinal
           then coalesce(failed_since, statement_timestamp()) else failed_since end
       where id = :endpointId and claim = :claim returning id, status, deleted_at, attempted_at
     )
     update webhook_deliveries d
     set ${RESULT},
       status = case when :isFinal and not ${IS_DUE_ANEW} then 'failed' else 'pending' end,
       step = d.step + case when :isEarly or ${IS_DUE_ANEW} then 0 else 1 end,
       planned_at = case when :isEarly then d.planned_at end,
       next_attempt_at = case
         when ${IS_DUE_ANEW} then d.next_attempt_at
         when :isFinal or e.status <> 'active' or e.deleted_at is not null then null
         when :isEarly then d.planned_at
         else statement_timestamp() + make_interval(secs => :waitSeconds::float8) end
     from endpoint e
     where d.id = :id and d.endpoint_id = e.id and d.status = 'pending'`,
    { ...ended, isFinal, isEarly, waitSeconds },
  );
}

/** Records that an endpoint answered that it is gone: it is disabled, and all that waits stays. */
export async function recordGone(db: Db, ended: Ended): Promise<void> {
  await db.transaction(async (tx) => {
    const disabled = await tx.raw<{ rowCount: number }>(
      `update webhook_endpoints
       set status = 'disabled', disabled_reason = 'gone', claim = null, claimed_until = null,
         failures = failures + 1, updated_at = now()
       where id = :endpointId and claim = :claim`,
      { endpointId: ended.endpointId, claim: ended.claim },
    );
    if (disabled.rowCount === 0) return;
    await tx.raw(
      `update webhook_deliveries d set ${RESULT}
       where d.id = :id and d.endpoint_id = :endpointId and d.status = 'pending'`,
      ended,
    );
    await park(tx, ended.endpointId);
  });
}

/** Ends a test, which is in no list, whatever came of it. */
export async function endTest(db: Db, { id, endpointId, claim }: Ended): Promise<void> {
  await db.raw(
    `with free as (
       update webhook_endpoints set claim = null, claimed_until = null
       where id = :endpointId and claim = :claim
     )
     delete from webhook_deliveries where id = :id and endpoint_id = :endpointId`,
    { id, endpointId, claim },
  );
}

/** In how many milliseconds something is due for the tenant, 0 for now; null when nothing waits. */
export async function nextDueIn(db: Db, tenantId: TenantId): Promise<number | null> {
  const { rows } = await db.raw<{ rows: { dueInMs: number | null }[] }>(
    `select (extract(epoch from
       min(greatest(d.next_attempt_at, e.claimed_until)) - statement_timestamp()) * 1000
       )::float8 as due_in_ms
     from webhook_endpoints e
     cross join lateral (
       select next_attempt_at from webhook_deliveries
       where endpoint_id = e.id and status = 'pending' and next_attempt_at is not null
       order by next_attempt_at, event_id limit 1
     ) d
     where e.tenant_id = :tenantId and e.deleted_at is null and ${isActive(':tenantId')}`,
    { tenantId },
  );
  const dueInMs = rows[0]?.dueInMs ?? null;
  return dueInMs === null ? null : Math.max(0, Math.ceil(dueInMs));
}
