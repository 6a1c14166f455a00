import { FAILING_FROM } from '../../domain/webhook-retries.ts';
import type { Db } from '../connection.ts';

/**
 * For how many seconds an event has waited for an attempt that it could have had: the longest wait
 * over all active endpoints that answer. Also counts what an open transaction holds up.
 */
export async function longestWait(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { seconds: number }[] }>(
    `select coalesce(extract(epoch from
         statement_timestamp() - min(least(unread.since, due.since))), 0)::float8 as seconds
     from webhook_endpoints p
     left join lateral (
       select occurred_at as since from tenant_events
       where tenant_id = p.tenant_id and (xid, id) > (p.read_xid, p.read_id)
       order by xid, id limit 1
     ) unread on true
     left join lateral (
       select next_attempt_at as since from webhook_deliveries
       where endpoint_id = p.id and status = 'pending' and next_attempt_at <= now()
       order by next_attempt_at, event_id limit 1
     ) due on true
     where p.status = 'active' and p.deleted_at is null and p.failures < ${FAILING_FROM}`,
  );
  return Math.max(0, rows[0]?.seconds ?? 0);
}
