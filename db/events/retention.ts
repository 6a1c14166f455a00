import type { Db } from '../connection.ts';

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
 * that no clock made, and of events that nobody has claimed. Returns how many.
 */
export async function purgeBodies(db: Db, limit: number): Promise<number> {
  const unordered = await db.raw<{ rows: { deleted: number }[] }>(
    'select forget_unordered_events(:limit) as deleted',
    { limit },
  );
  const unclaimed = await db.raw<{ rowCount: number }>(
    `delete from stalled_events
     where id = any(array(
       select id from stalled_events
       where tenant_id is null and received_at < now() - make_interval(days => :days)
       order by received_at limit :limit
     ))`,
    { days: BODY_DAYS, limit },
  );
  return (unordered.rows[0]?.deleted ?? 0) + unclaimed.rowCount;
}
