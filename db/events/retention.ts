import type { Db } from '../connection.ts';
import { EVENT } from './stalled-events.ts';

/** How long a body is kept. */
const BODY_DAYS = 90;

/**
 * Makes the partitions of the coming months, and drops those of months whose bodies are older than
 * 90 days and whose outcomes are older than two years. Returns how many it made and dropped. Lets
 * the planner expect rows in those that are empty, even where somebody has analysed them. What it
 * cannot lock at once is left to the next call.
 */
export async function keepPartitions(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { changed: number }[] }>(
    'select keep_event_partitions() as changed',
  );
  await db.raw('select expect_events_in_partitions()');
  return rows[0]?.changed ?? 0;
}

/**
 * Deletes up to `limit` bodies each that are older than 90 days and in no month's partition: of ids
 * that no clock made, and of events that no sweep takes. Those that were given up are closed with
 * that, as expired, since nothing can be done about them any more. Returns how many.
 */
export async function purgeBodies(db: Db, limit: number): Promise<number> {
  const unordered = await db.raw<{ rows: { deleted: number }[] }>(
    'select forget_unordered_events(:limit) as deleted',
    { limit },
  );
  const old = (which: string) => `array(
       select id from stalled_events
       where ${which} and received_at < now() - make_interval(days => :days)
       order by received_at limit :limit
     )`;
  const stalled = await db.raw<{ rows: { deleted: number }[] }>(
    `with gone as (
       delete from stalled_events
       where id = any(${old('tenant_id is null')} || ${old('tenant_id is not null')})
       returning ${EVENT}
     ),
     closed as (
       insert into event_outcomes (${EVENT}, outcome, outcome_reason)
       select ${EVENT}, 'ignored', 'expired' from gone where tenant_id is not null
     )
     select count(*)::integer as deleted from gone`,
    { days: BODY_DAYS, limit },
  );
  return (unordered.rows[0]?.deleted ?? 0) + (stalled.rows[0]?.deleted ?? 0);
}
