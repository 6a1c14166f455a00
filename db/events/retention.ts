import type { Db } from '../connection.ts';

/** How long a body is kept. */
const BODY_DAYS = 90;

/** Deletes up to `limit` bodies older than 90 days and returns the number. */
export async function purgeBodies(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update webhook_events set body = ''
     where id = any(array(
       select id from webhook_events
       where body <> '' and received_at < now() - make_interval(days => :days)
       order by received_at limit :limit
     ))`,
    { days: BODY_DAYS, limit },
  );
  return rowCount;
}
