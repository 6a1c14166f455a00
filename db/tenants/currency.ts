import type { TenantId } from '../../domain/ids.ts';
import type { Tx } from '../connection.ts';
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
      .update({ currency, updatedAt: tx.fn.now() });
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
  await tx('tenants').where('id', tenantId).update({ currency, updatedAt: tx.fn.now() });
  return previous;
}
