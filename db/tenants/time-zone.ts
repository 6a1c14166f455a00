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

/**
 * Notes that a tenant promises something to its customers, and by which time zone, if it has one.
 */
export async function notePromise(
  tx: Tx,
  tenantId: TenantId,
  timeZone: string | null,
): Promise<void> {
  await tx('tenants')
    .where('id', tenantId)
    .update({
      ...(timeZone !== null && { timeZone: known(tx, timeZone) }),
      hasProgramme: true,
      updatedAt: tx.fn.now(),
    });
}

/**
 * A time zone as it is stored. Later statements go by it, so one that the database does not know is
 * refused (`refusalOf`).
 */
function known(tx: Tx, timeZone: string) {
  return tx.raw(
    'case when now() at time zone :timeZone::text is not null then :timeZone::text end',
    { timeZone },
  );
}

/** Sets the time zone of a tenant. */
export async function replace(tx: Tx, tenantId: TenantId, timeZone: string): Promise<void> {
  await tx('tenants')
    .where('id', tenantId)
    .update({ timeZone: known(tx, timeZone), updatedAt: tx.fn.now() });
}
