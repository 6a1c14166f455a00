import { FAILING_FROM } from '../../domain/webhook-retries.ts';
import type { Db } from '../connection.ts';
import { isActive } from '../tenants/is-active.ts';
import { unread } from './positions.ts';

const ANSWERS = `p.status = 'active' and p.deleted_at is null and p.failures < ${FAILING_FROM}
  and ${isActive('p.tenant_id')}`;

/**
 * For how many seconds an event has waited for an attempt that it could have had: the longest wait
 * over all active endpoints that answer. Also counts what an open transaction holds up.
 */
export async function longestWait(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { seconds: number }[] }>(
    `select coalesce(extract(epoch from
         statement_timestamp() - least(unread.since, due.since)), 0)::float8 as seconds
     from (select) one
     left join lateral (
       select e.occurred_at as since from tenant_events e
       where ${unread(`p.tenant_id = e.tenant_id and ${ANSWERS}`)}
       order by e.xid, e.id limit 1
     ) unread on true
     left join lateral (
       select d.next_attempt_at as since from webhook_deliveries d
       join webhook_endpoints p on p.id = d.endpoint_id and ${ANSWERS}
       where d.status = 'pending' and d.next_attempt_at <= now()
       order by d.next_attempt_at limit 1
     ) due on true`,
  );
  return Math.max(0, rows[0]?.seconds ?? 0);
}
