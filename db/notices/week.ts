import type { TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import { gapSince } from '../connections/gaps.ts';
import { type Addressee, IS_OWNER } from '../tenants/owners.ts';

/** A shop whose owners are told of a week, and what does not work there now. */
export type SummedUpShop = {
  id: TenantId;
  name: string;
  logoPath: string | null;
  color: string | null;
  currency: string | null;
  country: string | null;
  timeZone: string | null;
  isActive: boolean;
  /** Who wants to be told, and can be. */
  owners: Addressee[];
  /** Points of sale that do not let us in, and those whose sales do not arrive. */
  lost: Provider[];
  silent: Provider[];
  /** How many addresses get no events any more, because they failed. */
  endpointsOff: number;
};

const MAX_OWNERS = 10;

const OWNERS = `
  select u.id, u.email, u.language
  from memberships m join users u on u.id = m.user_id
  left join notice_choices n on n.user_id = u.id
  where m.tenant_id = t.id and ${IS_OWNER} and coalesce(n.weekly, true)
  order by m.created_at limit ${MAX_OWNERS}`;

/** Finds these shops, but none that was closed. */
export async function findShops(db: Db, tenantIds: readonly TenantId[]): Promise<SummedUpShop[]> {
  const { rows } = await db.raw<{ rows: SummedUpShop[] }>(
    `select t.id, t.name, t.logo_path, t.color, t.currency, t.country, t.time_zone,
       t.status = 'active' as is_active,
       coalesce((select jsonb_agg(jsonb_build_object(
           'id', o.id, 'email', o.email, 'language', o.language))
         from (${OWNERS}) o), '[]') as owners,
       array(select distinct c.provider from pos_connections c
         where c.tenant_id = t.id and c.status = 'active'
           and c.needs_reconnect_since is not null order by c.provider)::text[] as lost,
       array(select distinct c.provider from pos_connections c
         where c.tenant_id = t.id and c.status = 'active'
           and c.needs_reconnect_since is null and (${gapSince('c')}) is not null
         order by c.provider)::text[] as silent,
       (select count(*) from webhook_endpoints e
        where e.tenant_id = t.id and e.deleted_at is null and e.status = 'disabled'
          and e.disabled_reason is not null) as endpoints_off
     from tenants t
     where t.id = any(:tenantIds::uuid[]) and t.closed_at is null`,
    { tenantIds: [...tenantIds] },
  );
  return rows;
}

/** Makes the work about a shop due again at a time, once it is done now. */
export async function noteNext(db: Db, tenantId: TenantId, at: Date): Promise<void> {
  await db.raw(
    `update due_work set changed_at = clock_timestamp(), due_at = :at, attempts = 0
     where kind = 'tell_of_week' and subject_id = :tenantId`,
    { tenantId, at },
  );
}
