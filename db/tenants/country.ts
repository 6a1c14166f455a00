import type { TenantId } from '../../domain/ids.ts';
import type { Tx } from '../connection.ts';

/**
 * Gives the tenant this country if it has none yet, in its profile as well, as if its merchant had
 * set it; null gives nothing.
 */
export async function settle(tx: Tx, tenantId: TenantId, country: string | null): Promise<void> {
  if (country === null) return;
  await tx('tenants')
    .where({ id: tenantId, country: null })
    .update({
      country,
      onboarding: tx.raw(`onboarding || jsonb_build_object('country', :country::text)`, {
        country,
      }),
      updatedAt: tx.fn.now(),
    });
}
