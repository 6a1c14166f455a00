import type { EventId, TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import { LEASE_SECONDS } from './leases.ts';
import { STALL_GONE } from './stalled-events.ts';
import { LONGEST_RETRY_SECONDS, SWEEP_AGE_DAYS } from './webhook-events.ts';

/** A newer event is still with its own run. */
const SWEEP_QUIET_SECONDS = 30;
/** How many batches one call gives up. After an outage of a week, the next calls go on. */
const MAX_GIVEN_UP = 20;

const DUE = `next_attempt_at <= now()
  and received_at < now() - make_interval(secs => :quiet)
  and (leased_until is null or leased_until < now())`;

export type PendingEvent = { id: EventId; provider: Provider; tenantId: TenantId };

/**
 * Leases up to `limit` open events to the caller, so that the next sweep takes others. They are
 * due, are leased to no run, and are at least `quietSeconds` old, so that their own run has had the
 * time to take them. Events on the way that are older than they are swept, attempted or not, are
 * given up.
 */
export async function takePending(
  db: Db,
  options: { limit: number; quietSeconds?: number },
): Promise<PendingEvent[]> {
  for (let batch = 0; batch < MAX_GIVEN_UP; batch++) {
    const due = await takeDue(db, options);
    const taken = due.filter((event) => !event.isGivenUp);
    if (taken.length > 0 || due.length === 0) {
      return taken.map(({ id, provider, tenantId }) => ({ id, provider, tenantId }));
    }
  }
  return [];
}

/** Says whether `takePending` would look at an event. */
export async function isAnyDue(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from pending_events where ${DUE} order by next_attempt_at limit 1`,
    { quiet: SWEEP_QUIET_SECONDS },
  );
  return rows.length > 0;
}

const LEASE_DUE = `
  update pending_events e
  set leased_until = now() + make_interval(secs => :lease), lease_run = null, lease_holder = null
  from due where e.id = due.id`;

async function takeDue(
  db: Db,
  { limit, quietSeconds = SWEEP_QUIET_SECONDS }: { limit: number; quietSeconds?: number },
): Promise<(PendingEvent & { isGivenUp: boolean })[]> {
  const { rows } = await db.raw<{ rows: (PendingEvent & { isGivenUp: boolean })[] }>(
    `with due as (
       select id, received_at <= now() - make_interval(days => :days) as is_old
       from pending_events
       where ${DUE}
       order by next_attempt_at
       limit :limit
       for update skip locked
     ),
     leased as (
       ${LEASE_DUE} and not due.is_old
       returning e.id, e.provider, e.tenant_id
     ),
     gone as (
       delete from pending_events e using due where e.id = due.id and due.is_old
       returning e.*
     ),
     stalled as (${STALL_GONE} returning id, provider, tenant_id)
     select leased.*, false as is_given_up from leased
     union all
     select stalled.*, true from stalled`,
    { days: SWEEP_AGE_DAYS, quiet: quietSeconds, limit, lease: LEASE_SECONDS },
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
       select id from pending_events
       where attempts > 0 and not awaits_connection and next_attempt_at > now()
         and next_attempt_at <= now() + make_interval(secs => :longest)
         and received_at > now() - make_interval(days => :days)
         and (leased_until is null or leased_until < now())
       order by received_at
       limit :limit
       for update skip locked
     )
     ${LEASE_DUE}
     returning e.id, e.provider, e.tenant_id`,
    { days: SWEEP_AGE_DAYS, longest: LONGEST_RETRY_SECONDS, limit, lease: LEASE_SECONDS },
  );
  return rows;
}
