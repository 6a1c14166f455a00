import type { TenantId, UserId } from '../domain/ids.ts';
import type { Db, Tx } from './connection.ts';

export type Tenant = {
  id: TenantId;
  name: string;
  country: string | null;
  logoPath: string | null;
};

/** The tenant with that id, if there is one. */
export async function find(db: Db, tenantId: TenantId): Promise<Tenant | undefined> {
  return db<Tenant>('tenants')
    .select('id', 'name', 'country', 'logoPath')
    .where('id', tenantId)
    .first();
}

/** Whether one of these tenants has been given a business name by its merchant. */
export async function hasBusinessName(db: Db, tenantIds: readonly TenantId[]): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from tenants
     where id = any(:tenantIds) and coalesce(onboarding ->> 'businessName', '') <> '' limit 1`,
    { tenantIds: [...tenantIds] },
  );
  return rows.length > 0;
}

/** Creates a tenant and makes the user its merchant. */
export async function insert(
  tx: Tx,
  tenant: { name: string; country: string | null; ownerId: UserId },
): Promise<TenantId> {
  const [row] = await tx<Tenant>('tenants')
    .insert({ name: tenant.name, country: tenant.country })
    .returning('id');
  if (row === undefined) throw new Error('The inserted tenant was not returned.');
  await tx('memberships').insert({ tenantId: row.id, userId: tenant.ownerId, role: 'client' });
  return row.id;
}
