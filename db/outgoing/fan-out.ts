import type { TenantId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import { one } from '../one.ts';
import { isActive } from '../tenants/is-active.ts';
import { OLDEST_OPEN } from './events.ts';
import { unread } from './positions.ts';

/**
 * Has each of a tenant's active endpoints read up to `limit` more events, and makes deliveries of
 * those that it asks for. Returns how many events were read, over all endpoints. Run twice, or at
 * the same moment, each event is read once: the endpoint is locked, and remembers how far it is.
 */
export async function fanOut(db: Db, tenantId: TenantId, limit: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { read: number }[] }>(FAN_OUT, { tenantId, limit });
  return one(rows, 'count').read;
}

// A transaction that is still open when the endpoint is made is not in created_in.
const FAN_OUT = `
  with endpoint as materialized (
    select id, tenant_id, types, created_in, read_xid, read_id from webhook_endpoints
    where tenant_id = :tenantId and status = 'active' and deleted_at is null
      and ${isActive(':tenantId')}
    order by id for no key update
  ),
  read as materialized (
    select p.id as endpoint_id, e.*,
      (p.types is null or e.type = any(p.types))
        and not pg_visible_in_snapshot(e.xid, p.created_in) as is_wanted
    from endpoint p
    cross join lateral (
      select id, tenant_id, xid, type from tenant_events
      where tenant_id = p.tenant_id and (xid, id) > (p.read_xid, p.read_id)
        and xid < ${OLDEST_OPEN}
      order by xid, id limit :limit
    ) e
  ),
  made as (
    insert into webhook_deliveries (tenant_id, endpoint_id, event_id, type)
    select tenant_id, endpoint_id, id, type from read where is_wanted order by xid, id
    on conflict on constraint webhook_deliveries_once_per_endpoint do nothing
  ),
  moved as (
    update webhook_endpoints p set read_xid = last.xid, read_id = last.id
    from (
      select distinct on (endpoint_id) endpoint_id, xid, id from read
      order by endpoint_id, xid desc, id desc
    ) last
    where p.id = last.endpoint_id
  )
  select count(*) as read from read`;

/**
 * Lists tenants for whose endpoints something is to be delivered now, in the order of their ids,
 * after `after`.
 */
export async function listDueTenants(
  db: Db,
  { after, limit }: { after: TenantId | null; limit: number },
): Promise<TenantId[]> {
  const { rows } = await db.raw<{ rows: { tenantId: TenantId }[] }>(
    `select tenant_id from (
       select tenant_id from webhook_deliveries
       where status = 'pending' and next_attempt_at <= now()
       union
       select e.tenant_id from tenant_events e where e.xid < ${OLDEST_OPEN} and ${unread()}
     ) due
     where (:after::uuid is null or tenant_id > :after::uuid) and ${isActive('due.tenant_id')}
     order by tenant_id limit :limit`,
    { after, limit },
  );
  return rows.map(({ tenantId }) => tenantId);
}
