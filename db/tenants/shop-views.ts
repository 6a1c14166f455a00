import type { TenantId } from '../../domain/ids.ts';
import { STORED_OUTCOMES } from '../../domain/outcomes.ts';
import type { TenantStatus } from '../../domain/tenant-status.ts';
import type { Db } from '../connection.ts';
import { lastEventAt } from '../events/last-events.ts';

/** A shop as an operator of the service looks at it first. */
export type ShopView = {
  tenantId: TenantId;
  name: string;
  status: TenantStatus;
  /** When a sale was stored, or an account was heard by webhook or poll, whatever is the latest. */
  lastHeardAt: Date | null;
  /** Its accounts at providers that are connected, and those of them that have to be again. */
  connected: number;
  needReconnect: number;
  /** Sales of the last days that were credited, and by reason those that were not. */
  credited: number;
  notCredited: Readonly<Record<string, number>>;
  /** Events that have not reached an endpoint of the shop yet, and endpoints that were given up. */
  deliveriesWaiting: number;
  endpointsDisabled: number;
};

type Page = { after: TenantId | null; limit: number; days: number };

/** Lists shops by id, starting after `after`, with their sales of the last days. */
export async function listShopViews(db: Db, { after, limit, days }: Page): Promise<ShopView[]> {
  const { rows } = await db.raw<{ rows: ShopView[] }>(
    `select t.id as tenant_id, t.name, t.status,
       greatest(accounts.heard_at, newest.created_at) as last_heard_at,
       accounts.connected::integer, accounts.need_reconnect::integer,
       coalesce(sales.credited, 0)::integer as credited,
       coalesce(sales.not_credited, '{}') as not_credited,
       (select count(*) from webhook_endpoints p
        join webhook_deliveries d on d.endpoint_id = p.id and d.status = 'pending'
        where p.tenant_id = t.id and p.deleted_at is null)::integer as deliveries_waiting,
       (select count(*) from webhook_endpoints p
        where p.tenant_id = t.id and p.deleted_at is null
          and p.disabled_reason is not null)::integer as endpoints_disabled
     from (select id, name, status from tenants
           where :after::uuid is null or id > :after order by id limit :limit) t
     left join lateral (
       select count(*) filter (where c.status = 'active') as connected,
         count(*) filter (where c.status = 'active' and c.needs_reconnect_since is not null)
           as need_reconnect,
         max(greatest(${lastEventAt('c')}, (
           select last_polled_at from connection_polls o where o.connection_id = c.id
         ))) as heard_at
       from pos_connections c where c.tenant_id = t.id
     ) accounts on true
     left join lateral (
       select created_at from payments p where p.tenant_id = t.id
       order by p.created_at desc, p.id desc limit 1
     ) newest on true
     left join lateral (
       select sum(number) filter (where is_credited) as credited,
         jsonb_object_agg(why, number) filter (where not is_credited) as not_credited
       from (
         select outcome = 'credited' and points_awarded > 0 as is_credited,
           coalesce(outcome_reason, outcome) as why, count(*) as number
         from payments p where p.tenant_id = t.id and p.outcome = any(:outcomes)
           and p.occurred_at > now() - make_interval(days => :days)
         group by 1, 2
       ) counted
     ) sales on true
     order by t.id`,
    { after, limit, days, outcomes: [...STORED_OUTCOMES] },
  );
  return rows;
}
