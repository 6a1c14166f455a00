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

/**
 * Settles the currency of up to `limit` tenants that are older than currencies and have no account
 * left to ask: that of most credited ones among their latest 10,000 payments, or none. Returns how
 * many were settled.
 */
export async function settleByPayments(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update tenants t
     set currency_unsettled = false, updated_at = now(), currency = coalesce(t.currency, (
       select p.currency from (
         select currency, points_awarded from payments
         where tenant_id = t.id order by created_at desc, id desc limit :latest
       ) p
       where p.points_awarded > 0
       group by p.currency order by count(*) desc, p.currency limit 1
     ))
     where t.id = any(array(
       select u.id from tenants u
       where u.currency_unsettled and not exists (
         select from pos_connections c
         where c.tenant_id = u.id and c.status = 'active' and c.account_read_at is null
       )
       order by u.id limit :limit
     ))`,
    { limit, latest: LATEST_PAYMENTS },
  );
  return rowCount;
}
