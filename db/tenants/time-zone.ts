import type { TenantId } from '../../domain/ids.ts';
import type { Tx } from '../connection.ts';

/** What decides the time zone of a tenant: `timeZoneOf`. */
export type Clocks = { timeZone: string | null; country: string | null };

/** Returns what decides the time zone of a tenant, which stays until the transaction ends. */
export async function lock(tx: Tx, tenantId: TenantId): Promise<Clocks | undefined> {
  return tx('tenants')
    .where('id', tenantId)
    .forNoKeyUpdate()
    .first<Clocks | undefined>('timeZone', 'country');
}

/** Sets the time zone of a tenant. */
export async function replace(tx: Tx, tenantId: TenantId, timeZone: string): Promise<void> {
  await tx('tenants').where('id', tenantId).update({ timeZone, updatedAt: tx.fn.now() });
}
