import type { EventId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';

// An event is worked on by whoever has its lease. A lease without a holder is for whoever the taker
// hands the events to; a holder is one attempt of a run, and a later attempt of it takes over.

/**
 * How long a lease lasts that is not renewed: longer than the longest wait of a run between two
 * attempts, and short enough that the events of a killed process are free again within a minute.
 */
export const LEASE_SECONDS = 45;

/** One attempt of a run. */
export type Lease = { run: string; holder: string };

/** Leases open events to their run; those that an attempt holds stay its own. */
export async function handOver(db: Db, ids: readonly EventId[]): Promise<void> {
  await db.raw(
    `update pending_events set leased_until = now() + make_interval(secs => :seconds),
       lease_run = null, lease_holder = null
     where id = any(:ids)
       and (lease_holder is null or leased_until is null or leased_until <= now())`,
    { ids: [...ids], seconds: LEASE_SECONDS },
  );
}

/** Whether somebody works on any of these events, or is about to: a run has handed it over. */
export async function isAnyLeased(db: Db, ids: readonly EventId[]): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    'select from pending_events where id = any(:ids) and leased_until > now() limit 1',
    { ids: [...ids] },
  );
  return rows.length > 0;
}

/**
 * Claims open events for an attempt and returns those that it got: not those that an attempt of
 * another run holds. An earlier attempt of the same run loses them.
 */
export async function claim(db: Db, ids: readonly EventId[], lease: Lease): Promise<EventId[]> {
  const { rows } = await db.raw<{ rows: { id: EventId }[] }>(
    `update pending_events set leased_until = now() + make_interval(secs => :seconds),
       lease_run = :run, lease_holder = :holder
     where id = any(:ids)
       and (lease_holder is null or leased_until is null or leased_until <= now()
         or lease_run = :run)
     returning id`,
    { ids: [...ids], ...lease, seconds: LEASE_SECONDS },
  );
  return rows.map(({ id }) => id);
}

/** Renews an attempt's lease of open events and returns those that it still holds. */
export async function renew(db: Db, ids: readonly EventId[], lease: Lease): Promise<EventId[]> {
  const { rows } = await db.raw<{ rows: { id: EventId }[] }>(
    `update pending_events set leased_until = now() + make_interval(secs => :seconds)
     where id = any(:ids) and lease_holder = :holder
     returning id`,
    { ids: [...ids], holder: lease.holder, seconds: LEASE_SECONDS },
  );
  return rows.map(({ id }) => id);
}

/** Ends an attempt's lease of events, so that the next sweep may take them at once. */
export async function release(db: Db, ids: readonly EventId[], lease: Lease): Promise<void> {
  await db.raw(
    `update pending_events set leased_until = null, lease_run = null, lease_holder = null
     where id = any(:ids) and lease_holder = :holder`,
    { ids: [...ids], holder: lease.holder },
  );
}
