import type { TenantId } from '../../domain/ids.ts';
import type { Db, Tx } from '../connection.ts';
import { one } from '../one.ts';

/**
 * Gives the tenant this currency if it has none yet, and returns the one that it has then. Of
 * several concurrent calls the first decides, once it has committed; null gives nothing.
 */
export async function settle(
  tx: Tx,
  tenantId: TenantId,
  currency: string | null,
): Promise<string | null> {
  if (currency !== null) {
    await tx('tenants')
      .where({ id: tenantId, currency: null })
      .update({ currency, currencyUnsettled: false, updatedAt: tx.fn.now() });
  }
  const tenant = await tx('tenants')
    .where('id', tenantId)
    .first<{ currency: string | null } | undefined>('currency');
  return tenant?.currency ?? null;
}

/** Replaces the tenant's currency and returns the previous one. Throws if there is no tenant. */
export async function replace(
  tx: Tx,
  tenantId: TenantId,
  currency: string,
): Promise<string | null> {
  const rows = await tx('tenants')
    .where('id', tenantId)
    .forNoKeyUpdate()
    .select<{ currency: string | null }[]>('currency');
  const previous = one(rows, 'tenant').currency;
  await tx('tenants')
    .where('id', tenantId)
    .update({ currency, currencyUnsettled: false, updatedAt: tx.fn.now() });
  return previous;
}

/** More would take long, and older payments say less about the shop of today. */
const LATEST_PAYMENTS = 10_000;

export type Unsettled = { after: TenantId | null; limit: number } | { tenantId: TenantId };

/**
 * Settles the currency of those tenants that are older than currencies and have no account left to
 * ask, one or the next `limit` of them: that of most credited ones among their latest 10,000
 * payments, or none. Returns how many were settled, and the last one that was looked at.
 */
export async function settleByPayments(
  db: Db,
  unsettled: Unsettled,
): Promise<{ settled: number; last: TenantId | null }> {
  const isOne = 'tenantId' in unsettled;
  const { rows } = await db.raw<{ rows: { settled: number; last: TenantId | null }[] }>(
    `with page as materialized (
       select id from tenants
       where currency_unsettled and ${isOne ? 'id = :tenantId' : 'id > :after'}
       order by id limit :limit
     ),
     settled as (
       update tenants t
       set currency_unsettled = false, updated_at = now(), currency = coalesce(t.currency, (
         select p.currency from (
           select currency, points_awarded from payments
           where tenant_id = t.id order by created_at desc, id desc limit :latest
         ) p
         where p.points_awarded > 0
         group by p.currency order by count(*) desc, p.currency limit 1
       ))
       where t.id = any(array(
         select u.id from page u where not exists (
           select from pos_connections c
           where c.tenant_id = u.id and c.status = 'active' and c.account_read_at is null
         )
       ))
       returning t.id
     )
     select (select count(*) from settled) as settled,
       (select id from page order by id desc limit 1) as last`,
    isOne
      ? { ...unsettled, limit: 1, latest: LATEST_PAYMENTS }
      : { ...unsettled, after: unsettled.after ?? NO_TENANT, latest: LATEST_PAYMENTS },
  );
  return one(rows, 'result of settling');
}

/** Sorts before every id. */
const NO_TENANT = '00000000-0000-0000-0000-000000000000';
