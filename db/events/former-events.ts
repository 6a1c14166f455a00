import type { EventId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import { EVENT } from './stalled-events.ts';

// The release before keeps events in one table, `webhook_events`, and may still run beside this
// one. What is open there moves here, row by row, so that an event is never open in both. What was
// closed there stays there to be read.

/** Younger events of the release before are still with the run that it started for them. */
const QUIET_SECONDS = 30;

/**
 * Moves up to `limit` open events of the release before that no run of it works on, those that are
 * due first, and as many of unknown merchants. Returns how many. Running it again, or twice at
 * once, moves each once.
 */
export async function adopt(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `with known as (
       select id from webhook_events
       where not processed and tenant_id is not null
         and received_at < now() - make_interval(secs => :quiet)
         and (leased_until is null or leased_until < now())
       order by next_attempt_at limit :limit
       for update skip locked
     ),
     unknown as (
       select id from webhook_events
       where not processed and tenant_id is null
         and received_at < now() - make_interval(secs => :quiet)
       limit :limit
       for update skip locked
     ),
     former as (select id from known union all select id from unknown),
     ${MOVE_FORMER}`,
    { quiet: QUIET_SECONDS, limit },
  );
  return rowCount;
}

/**
 * Moves those of the events that the release before has stored and that are open and locked by no
 * transaction, for a run that it has started for them.
 */
export async function adoptThese(db: Db, ids: readonly EventId[]): Promise<void> {
  const former = ids.filter((id) => !isOfThisRelease(id));
  if (former.length === 0) return;
  await db.raw(
    `with former as (
       select id from webhook_events
       where id = any(:ids) and not processed
       for update skip locked
     ),
     ${MOVE_FORMER}`,
    { ids: former },
  );
}

/** This release's ids are of version 7, which no event of the release before has. */
const VERSION_AT = 14;
const isOfThisRelease = (id: EventId) => id.charAt(VERSION_AT) === '7';

// An id that is known here already is the same failed payment. Inside `coalesce`, the set of ids is
// always hashed: as a join, the planner expects one row where nearly all events are processed, and
// compares each of a thousand with each.
const MOVE_FORMER = `
  gone as (
    delete from webhook_events where id = any(array(select id from former)) and not processed
    returning *
  ),
  body as (
    insert into webhook_bodies (id, received_at, body)
    select id, received_at, body from gone
    on conflict (id) do nothing
    returning id
  ),
  fresh as (select * from gone where coalesce(id in (select id from body), false)),
  pending as (
    insert into pending_events (${EVENT}, next_attempt_at, leased_until, awaits_connection,
      is_doubtful, lease_run, lease_holder)
    select ${EVENT}, next_attempt_at, leased_until, awaits_connection, is_doubtful, lease_run,
      lease_holder
    from fresh where tenant_id is not null and next_attempt_at < 'infinity'
  ),
  stalled as (
    insert into stalled_events (${EVENT})
    select ${EVENT} from fresh where tenant_id is null or next_attempt_at = 'infinity'
  )
  select id from gone`;
