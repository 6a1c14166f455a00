import type { Db } from '../connection.ts';
import { type EventFailure, SWEEP_AGE_DAYS } from './webhook-events.ts';

// An event waits for its connection while the provider is away, while the merchant must reconnect,
// and while no connection is active. That is no failed attempt. Its next attempt is then the moment
// at which it is given up, so that no sweep looks at it, until the connection works again.

/**
 * Lets events wait for their connection, with the reason, and keeps them leased to whoever holds
 * them only if `isLeased`. Events that were closed in the meantime stay as they are.
 */
export async function park(
  db: Db,
  waiting: readonly EventFailure[],
  isLeased: boolean,
): Promise<void> {
  if (waiting.length === 0) return;
  await db.raw(
    `update pending_events e
     set awaits_connection = true, last_error = f.error,
       next_attempt_at = e.received_at + make_interval(days => :days),
       leased_until = case when :isLeased then e.leased_until end
     from unnest(:ids::uuid[], :errors::text[]) as f(id, error)
     where e.id = f.id`,
    {
      days: SWEEP_AGE_DAYS,
      isLeased,
      ids: waiting.map((event) => event.id),
      errors: waiting.map((event) => event.error),
    },
  );
}

/**
 * Records errors of the provider about events although it answered a probe. That is no attempt yet:
 * they stay due, and another such error is their own fault. Leases are kept as `park` does.
 */
export async function recordDoubts(
  db: Db,
  doubtful: readonly EventFailure[],
  isLeased: boolean,
): Promise<void> {
  if (doubtful.length === 0) return;
  await db.raw(
    `update pending_events e
     set is_doubtful = true, last_error = f.error, awaits_connection = false,
       next_attempt_at = now(), leased_until = case when :isLeased then e.leased_until end
     from unnest(:ids::uuid[], :errors::text[]) as f(id, error)
     where e.id = f.id`,
    {
      isLeased,
      ids: doubtful.map((event) => event.id),
      errors: doubtful.map((event) => event.error),
    },
  );
}

/**
 * Makes up to `limit` events due that waited for a connection which works again, and returns the
 * number. It goes by the connections as they are, so that nothing waits for good, whoever has
 * changed a connection.
 */
export async function releaseParked(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `with recursive owners as (
       (select tenant_id, provider from pending_events
        where awaits_connection order by tenant_id, provider limit 1)
       union all
       select n.tenant_id, n.provider from owners o cross join lateral (
         select tenant_id, provider from pending_events
         where awaits_connection
           and (tenant_id, provider) > (o.tenant_id, o.provider)
         order by tenant_id, provider limit 1
       ) n
     ),
     free as (
       select e.id from owners o
       join pos_connections c on c.tenant_id = o.tenant_id and c.pos_type = o.provider
         and c.status = 'active' and c.ask_again_at is null and c.needs_reconnect_since is null
       cross join lateral (
         select id from pending_events
         where tenant_id = o.tenant_id and provider = o.provider
           and awaits_connection
         limit :limit
         for update skip locked
       ) e
       limit :limit
     )
     update pending_events e set awaits_connection = false, next_attempt_at = now()
     from free where e.id = free.id`,
    { limit },
  );
  return rowCount;
}
