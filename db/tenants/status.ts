import { Refusal } from '../../domain/errors.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { TenantStatus } from '../../domain/tenant-status.ts';
import * as auditLog from '../audit-log.ts';
import { announce } from '../changes/announce.ts';
import type { Db, Tx } from '../connection.ts';
import * as dueWork from '../due-work.ts';
import * as endpoints from '../outgoing/endpoints.ts';
import * as positions from '../outgoing/positions.ts';
import { returnOverdue } from '../redemptions/lifecycle.ts';

/** Who suspends or reinstates a tenant, and why. */
export type Act = { acting: auditLog.Acting; reason: string | null };

/**
 * Suspends a tenant: nobody earns or redeems there, its accounts are not polled, its systems are
 * told nothing, and the streams of its tills end. A suspended tenant stays suspended.
 */
export async function suspend(db: Db, tenantId: TenantId, act: Act): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx.raw<{ rowCount: number }>(
      `update tenants set suspended_at = now(), updated_at = now()
       where id = :tenantId and suspended_at is null`,
      { tenantId },
    );
    if (rowCount > 0) await record(tx, tenantId, { ...act, before: 'active', after: 'suspended' });
  });
  announce(db, { accessOf: [tenantId] });
}

/**
 * Lifts the suspension of a tenant, and has its sales since then decided again. The points of codes
 * that have run out return; for the time of the suspension no endpoint of its systems counts as
 * silent. An active tenant stays active. Throws RULE_REJECTED for one that was closed.
 */
export async function reinstate(db: Db, tenantId: TenantId, act: Act): Promise<void> {
  const userIds = await db.transaction(async (tx) => {
    const suspended = await tx('tenants')
      .where({ id: tenantId })
      .whereNotNull('suspendedAt')
      .first<{ closedAt: Date | null } | undefined>('closedAt');
    if (suspended === undefined) return [];
    if (suspended.closedAt !== null) {
      throw new Refusal(
        'RULE_REJECTED',
        'The shop was closed for good. Its owner needs a new one.',
      );
    }
    // Codes come before all other locks, and found later, they would count as forfeited.
    const owners = await returnOverdue(tx, tenantId);
    const { rowCount } = await tx.raw<{ rowCount: number }>(REINSTATE, { tenantId });
    if (rowCount === 0) return owners;
    for (const { id } of await endpoints.list(tx, tenantId)) await positions.lookFrom(tx, id);
    await dueWork.note(tx, 'decide_again', [tenantId]);
    await record(tx, tenantId, { ...act, before: 'suspended', after: 'active' });
    return owners;
  });
  announce(db, { userIds });
}

const REINSTATE = `
  with suspended as (
    select id, suspended_at from tenants
    where id = :tenantId and suspended_at is not null for no key update
  ),
  reinstated as (
    update tenants t set suspended_at = null, updated_at = now() from suspended s where t.id = s.id
  ),
  moved as (
    update webhook_endpoints e
    set active_since = greatest(e.delivered_at, e.active_since)
      + (now() - greatest(e.delivered_at, e.active_since, s.suspended_at))
    from suspended s where e.tenant_id = :tenantId and e.deleted_at is null
  )
  select from suspended`;

async function record(
  tx: Tx,
  tenantId: TenantId,
  { before, after, ...act }: Act & { before: TenantStatus; after: TenantStatus },
): Promise<void> {
  const connections = 'select id from pos_connections where tenant_id = :tenantId';
  await tx.raw(dueWork.noteAll('update_poll_schedule', connections), { tenantId });
  await auditLog.insert(tx, {
    ...act.acting,
    action: after === 'active' ? 'tenant.reinstate' : 'tenant.suspend',
    targetType: 'tenant',
    targetId: tenantId,
    tenantId,
    reason: act.reason,
    before: { status: before },
    after: { status: after },
  });
}
