import { Refusal } from '../../domain/errors.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import {
  type ProgrammeInput,
  type ProgrammeTerms,
  type ProgrammeVersion,
  timeZoneFor,
} from '../../domain/programme.ts';
import * as auditLog from '../audit-log.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';
import * as timeZones from './time-zone.ts';

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

/** What is published, at which tenant, and by whom. */
export type NewVersion = { tenantId: TenantId; body: ProgrammeInput; acting: auditLog.Acting };

/**
 * Publishes what a tenant promises as its next version, which governs from now on, or from a time
 * of the past that is not before its newest version, sets the time zone of the tenant and records
 * who did it. Throws TENANT_NOT_FOUND, and VALIDATION_ERROR where `timeZoneFor` does.
 */
export async function publish(
  tx: Tx,
  { tenantId, body, acting }: NewVersion,
  publishedAt?: Date,
): Promise<ProgrammeVersion> {
  // Locked, so that versions follow each other in time.
  const shop = await timeZones.lock(tx, tenantId);
  if (shop === undefined) throw new Refusal('TENANT_NOT_FOUND', 'There is no such tenant.');
  const terms = { ...body, timeZone: timeZoneFor(body.timeZone, shop, new Date()) };
  const replaced = await findActive(tx, tenantId);
  await insert(tx, { ...terms, tenantId, createdBy: acting.actorUserId }, publishedAt);
  const version = one(await list(tx, tenantId, { limit: 1 }), 'version');
  await auditLog.insert(tx, {
    ...acting,
    action: 'programme.publish',
    targetType: 'programme',
    targetId: version.id,
    tenantId,
    reason: null,
    before: replaced === undefined ? {} : audited(replaced),
    after: audited(version),
  });
  return version;
}

async function insert(
  tx: Tx,
  terms: ProgrammeTerms & { tenantId: TenantId; createdBy: UserId | null },
  publishedAt?: Date,
): Promise<void> {
  const { tenantId, timeZone, tiers } = terms;
  const ofTenant = 'from programme_versions where tenant_id = ?';
  await tx('programme_versions').insert({
    ...terms,
    tiers: JSON.stringify(tiers),
    id: newId(),
    version: tx.raw(`(select coalesce(max(version), 0) + 1 ${ofTenant})`, [tenantId]),
    // No earlier than the version before, and as exact as it is shown.
    publishedAt: tx.raw(
      `(select greatest(max(published_at),
          date_trunc('milliseconds', coalesce(?::timestamptz, clock_timestamp()))) ${ofTenant})`,
      [publishedAt?.toISOString() ?? null, tenantId],
    ),
  });
  await timeZones.notePromise(tx, tenantId, timeZone);
}

/** What a version says, as the audit log keeps it. */
function audited(terms: ProgrammeVersion): auditLog.AuditedState {
  const { version, timeZone, validityMonths, expiryNoticeDays, returnWindowDays } = terms;
  const tillAttach = terms.tillAttach ? 'on' : 'off';
  const tiers = terms.tiers
    .map(({ key, name, thresholdMinorUnits, multiplier }) => {
      return `${name} (${key}) ≥ ${thresholdMinorUnits}: × ${multiplier}`;
    })
    .join(', ');
  return {
    version,
    timeZone,
    validityMonths,
    expiryNoticeDays,
    returnWindowDays,
    tillAttach,
    tiers,
  };
}
