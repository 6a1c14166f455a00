import type { ConnectionId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';

// The connections whose Schedules may have to change. Triggers of pos_connections, or a poll, write
// a row in the transaction of the change. It is deleted once the Schedule is right. So no change is
// lost, whatever is killed.

/** A connection whose Schedule may have to change. */
export type ScheduleChange = {
  id: ConnectionId;
  /** As text: a Date has no microseconds. */
  changedAt: string;
};

/** Lists changes that are due, the longest due first. */
export async function listDue(db: Db, limit: number): Promise<ScheduleChange[]> {
  const { rows } = await db.raw<{ rows: ScheduleChange[] }>(
    `select connection_id as id, changed_at::text from poll_schedule_changes
     where due_at <= now() order by due_at limit :limit`,
    { limit },
  );
  return rows;
}

/**
 * Returns a statement that notes changes of the connections that another part of it gives; they
 * are due at once, also those that are listed already.
 */
export const noteAll = (connections: string) => `
  insert into poll_schedule_changes (connection_id) select connection_id from ${connections}
  on conflict (connection_id) do update
    set changed_at = excluded.changed_at, due_at = excluded.due_at`;

/** Adds connections found to differ from their Schedules; those listed stay as they are. */
export async function insertAll(db: Db, ids: readonly ConnectionId[]): Promise<void> {
  await db.raw(
    `insert into poll_schedule_changes (connection_id) select unnest(:ids::uuid[])
     on conflict (connection_id) do nothing`,
    { ids: [...ids] },
  );
}

/** Deletes a change that was made, unless there was another one since. */
export async function close(db: Db, { id, changedAt }: ScheduleChange): Promise<void> {
  await db.raw(
    `delete from poll_schedule_changes
     where connection_id = :id and changed_at = :changedAt::timestamptz`,
    { id, changedAt },
  );
}

const AGAIN_AFTER_SECONDS = 60;

/** Makes a change due again in a minute, because it failed. */
export async function postpone(db: Db, { id }: ScheduleChange): Promise<void> {
  await db.raw(
    `update poll_schedule_changes set due_at = now() + make_interval(secs => :seconds)
     where connection_id = :id`,
    { id, seconds: AGAIN_AFTER_SECONDS },
  );
}
