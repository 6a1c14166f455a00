import { Refusal } from '../../domain/errors.ts';
import { TenantId, type UserId } from '../../domain/ids.ts';
import type { Onboarding } from '../../domain/onboarding.ts';
import type { TenantStatus } from '../../domain/tenant-status.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';

export type Tenant = {
  id: TenantId;
  name: string;
  country: string | null;
  /** The one that was set; `timeZoneOf` has its default. */
  timeZone: string | null;
  /** ISO 4217; null until it is known. */
  currency: string | null;
  logoPath: string | null;
  /** The shop's own, as `#rrggbb` in lower case. */
  color: string | null;
  status: TenantStatus;
  /** Whether it has published a programme. */
  hasProgramme: boolean;
};

/** Finds a tenant by id. */
export async function find(db: Db, tenantId: TenantId): Promise<Tenant | undefined> {
  return db<Tenant>('tenants')
    .select(
      'id',
      'name',
      'country',
      'timeZone',
      'currency',
      'logoPath',
      'color',
      'status',
      'hasProgramme',
    )
    .where('id', tenantId)
    .first();
}

/** Returns a tenant. Throws TENANT_NOT_FOUND. */
export async function get(db: Db, tenantId: TenantId): Promise<Tenant> {
  const tenant = await find(db, tenantId);
  if (tenant === undefined) throw new Refusal('TENANT_NOT_FOUND', 'There is no such tenant.');
  return tenant;
}

/** Lists the names of tenants, in the order of their ids. */
export async function listNames(
  db: Db,
  tenantIds: readonly TenantId[],
): Promise<{ tenantId: TenantId; name: string }[]> {
  const { rows } = await db.raw<{ rows: { tenantId: TenantId; name: string }[] }>(
    `select t.id as tenant_id, t.name
     from unnest(:tenantIds::uuid[]) with ordinality as given(id, nth)
     join tenants t on t.id = given.id order by given.nth`,
    { tenantIds: [...tenantIds] },
  );
  return rows;
}

/** Whether the merchant of one of these tenants has set a business name. */
export async function hasBusinessName(db: Db, tenantIds: readonly TenantId[]): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from tenants
     where id = any(:tenantIds) and coalesce(onboarding ->> 'businessName', '') <> '' limit 1`,
    { tenantIds: [...tenantIds] },
  );
  return rows.length > 0;
}

type NewTenant = Pick<Tenant, 'name' | 'country'> & { onboarding?: Onboarding };

/** Creates a tenant and makes the user its merchant. */
export async function insert(
  tx: Tx,
  { ownerId, ...tenant }: NewTenant & { ownerId: UserId },
): Promise<TenantId> {
  const rows = await tx<NewTenant & Tenant>('tenants')
    .insert({ id: TenantId.parse(newId()), ...tenant })
    .returning('id');
  const { id } = one(rows, 'tenant');
  await tx('memberships').insert({ tenantId: id, userId: ownerId, role: 'client' });
  return id;
}

/**
 * Returns a merchant's workspace, created if it is missing: named as they have said, or else after
 * the local part of their e-mail, without a country. Concurrent calls create one, because
 * they lock the user's row.
 */
export async function provision(
  tx: Tx,
  user: { id: UserId; email: string | null; shopName?: string | undefined },
): Promise<{ tenantId: TenantId; created: boolean }> {
  await tx('users').where('id', user.id).forNoKeyUpdate().select('id');
  const known = await tx('memberships')
    .where({ userId: user.id, role: 'client' })
    .orderBy('createdAt')
    .first<{ tenantId: TenantId } | undefined>('tenantId');
  if (known !== undefined) return { tenantId: known.tenantId, created: false };

  const { shopName } = user;
  const name = shopName ?? (user.email?.slice(0, user.email.lastIndexOf('@')) || 'Merchant');
  const onboarding = shopName === undefined ? {} : { businessName: shopName };
  const tenantId = await insert(tx, { name, country: null, onboarding, ownerId: user.id });
  return { tenantId, created: true };
}

/**
 * Sets the path of a tenant's logo or its color, or null for none, and returns the previous one.
 * Each of several concurrent calls returns another path, so every object that is no longer
 * referenced is returned once.
 */
export async function setBranding(
  tx: Tx,
  tenantId: TenantId,
  part: 'logoPath' | 'color',
  value: string | null,
): Promise<string | null> {
  const previous = await tx<Tenant>('tenants').where('id', tenantId).forNoKeyUpdate().first(part);
  await tx('tenants')
    .where('id', tenantId)
    .update({ [part]: value, updatedAt: tx.fn.now() });
  return previous?.[part] ?? null;
}
