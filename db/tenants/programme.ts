import type { TenantId, UserId } from '../../domain/ids.ts';
import type { ProgrammeTerms, ProgrammeVersion } from '../../domain/programme.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';

/** Lists a tenant's versions below version `before`, highest first; the highest is active. */
export async function list(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; before?: number | undefined },
): Promise<ProgrammeVersion[]> {
  const { rows } = await db.raw<{ rows: ProgrammeVersion[] }>(
    `select v.*, not exists (select from programme_versions h
       where h.tenant_id = v.tenant_id and h.version > v.version) as active
     from programme_versions v
     where v.tenant_id = :tenantId and (:before::integer is null or v.version < :before::integer)
     order by v.version desc limit :limit`,
    { tenantId, limit: page.limit, before: page.before ?? null },
  );
  return rows;
}

/** Finds what governs at a tenant: the highest version. */
export async function findActive(
  db: Db,
  tenantId: TenantId,
): Promise<ProgrammeVersion | undefined> {
  const [active] = await list(db, tenantId, { limit: 1 });
  return active;
}

/**
 * Publishes terms as the tenant's next version, which governs from now on, or as if it had been
 * published at a time, and sets the time zone of the tenant. The tenant's row has to be locked, so
 * that versions follow each other in time.
 */
export async function publish(
  tx: Tx,
  terms: ProgrammeTerms & { tenantId: TenantId; createdBy: UserId },
  publishedAt?: Date,
): Promise<ProgrammeVersion> {
  const { tenantId, timeZone } = terms;
  const ofTenant = 'from programme_versions where tenant_id = ?';
  await tx('programme_versions').insert({
    ...terms,
    id: newId(),
    version: tx.raw(`(select coalesce(max(version), 0) + 1 ${ofTenant})`, [tenantId]),
    // No earlier than the version before, and as exact as it is shown.
    publishedAt: tx.raw(
      `(select greatest(max(published_at),
          date_trunc('milliseconds', coalesce(?::timestamptz, clock_timestamp()))) ${ofTenant})`,
      [publishedAt?.toISOString() ?? null, tenantId],
    ),
  });
  await tx('tenants')
    .where('id', tenantId)
    .update({ timeZone, hasProgramme: true, updatedAt: tx.fn.now() });
  return one(await list(tx, tenantId, { limit: 1 }), 'version');
}
