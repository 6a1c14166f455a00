import type { TenantEventId, TenantId } from '../../domain/ids.ts';
import type { EventContent } from '../../domain/webhook-data.ts';
import type { Db } from '../connection.ts';
import { one } from '../one.ts';

/** An event as a tenant's own systems are told of it. */
export type TenantEvent = EventContent & { id: TenantEventId; occurredAt: Date };

/** How long events can be read, and delivered again. */
export const KEPT_DAYS = 30;

/**
 * Parts of a statement that tell tenants of points, in the transaction that moves them. They read
 * `posted` and `locked` of `POSTING`. The event has the id of its entry. A redemption and its
 * return are told as such, by a trigger.
 */
const telling = (tenant: string, isTold: string) => `
  told as (
    insert into tenant_events (id, tenant_id, type, data)
    select p.id, l.tenant_id, case
        when p.reason = 'admin_adjustment' then 'points.adjusted'
        when p.reason = 'points_expired' then 'points.expired'
        when p.entry_type = 'credit' then 'points.credited'
        else 'points.reversed' end,
      jsonb_build_object('walletId', p.wallet_id, 'userId', l.user_id, 'points', p.points,
        'balance', p.balance_after, 'ledgerEntryId', p.id,
        'transactionId', case p.source_type when 'payment' then p.source_id end)
    from posted p join locked l on l.id = p.wallet_id ${tenant}
    where p.source_type <> 'redemption' and ${isTold}
    order by p.id
  )`;

/** Tells each tenant that is told of anything. */
export const TELL_POINTS = telling(
  `cross join lateral (
      select tells_events from tenants where id = l.tenant_id limit 1
    ) t`,
  't.tells_events',
);

/** Tells the tenants in the binding `toldTenants`, which the transaction has looked up. */
export const TELL_POINTS_TO_GIVEN = telling('', 'l.tenant_id = any(:toldTenants::uuid[])');

/**
 * The oldest transaction that is still open: an event of it, or of a later one, may still be
 * followed by one that comes before it.
 */
export const OLDEST_OPEN = 'pg_snapshot_xmin(pg_current_snapshot())';

/**
 * Lists a tenant's events of the last 30 days after the event `after`, oldest first, each once no
 * older transaction can add one before it. Undefined when `after` is none of them.
 */
export async function list(
  db: Db,
  tenantId: TenantId,
  page: { after: TenantEventId | null; limit: number },
): Promise<TenantEvent[] | undefined> {
  if (page.after !== null && !(await isListed(db, tenantId, page.after))) return undefined;
  const { rows } = await db.raw<{ rows: TenantEvent[] }>(
    `select e.id, e.type, e.occurred_at, e.data from tenant_events e
     where e.tenant_id = :tenantId and e.xid < ${OLDEST_OPEN} and e.occurred_at > ${OLDEST_KEPT}
       and (:after::uuid is null or (e.xid, e.id) > (
         select a.xid, a.id from tenant_events a where a.id = :after::uuid
       ))
     order by e.xid, e.id limit :limit`,
    { tenantId, ...page },
  );
  return rows;
}

const OLDEST_KEPT = `now() - interval '${KEPT_DAYS} days'`;

async function isListed(db: Db, tenantId: TenantId, id: TenantEventId): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from tenant_events
     where id = :id and tenant_id = :tenantId and occurred_at > ${OLDEST_KEPT}`,
    { id, tenantId },
  );
  return rows.length > 0;
}

/**
 * Deletes up to `limit` events older than 30 days with their deliveries, and returns how many
 * events.
 */
export async function deleteOld(db: Db, limit: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { deleted: number }[] }>(
    `with old as (
       select id from (
         select id, occurred_at from tenant_events order by xid, id limit :limit
       ) oldest where occurred_at <= ${OLDEST_KEPT}
     ),
     deliveries as (
       delete from webhook_deliveries where event_id = any(array(select id from old))
     ),
     deleted as (
       delete from tenant_events where id = any(array(select id from old)) returning id
     )
     select count(*) as deleted from deleted`,
    { limit },
  );
  return one(rows, 'count').deleted;
}
