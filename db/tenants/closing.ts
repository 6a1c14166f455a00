import type { ConnectionId, TenantId, UserId } from '../../domain/ids.ts';
import * as auditLog from '../audit-log.ts';
import { announce } from '../changes/announce.ts';
import type { Db, Tx } from '../connection.ts';
import { disconnectBy } from '../connections/disconnecting.ts';
import * as endpoints from '../outgoing/endpoints.ts';
import { WITHDRAW_AND_EMPTY } from '../users/invites.ts';
import { removeOperator } from '../users/memberships.ts';
import { type Act, suspend } from './status.ts';

/** What was ended with a shop. */
export type Closed = { people: number; connections: number; endpoints: number };

/**
 * Closes the shop of a merchant who leaves, for good: it is suspended and cannot be reinstated, its
 * accounts are disconnected, its systems are told nothing any more, nobody works for it, its open
 * invites are withdrawn, and what it said of itself besides its name is forgotten. Who worked for
 * no other shop is a consumer then. Sales, rules and wallets stay: they are the history of points.
 * Closed again, it stays as it is. Throws NOT_FOUND.
 */
export async function close(db: Db, tenantId: TenantId, act: Act): Promise<Closed> {
  await suspend(db, tenantId, act);
  const { closed, userIds } = await db.transaction((tx) => end(tx, tenantId, act));
  announce(db, { userIds, accessOf: [tenantId, ...userIds] });
  return closed;
}

async function end(tx: Tx, tenantId: TenantId, act: Act) {
  const ended = { people: 0, connections: 0, endpoints: 0 };
  const isNew = await tx('tenants')
    .where({ id: tenantId, closedAt: null })
    .update({ closedAt: tx.fn.now(), onboarding: {}, updatedAt: tx.fn.now() });
  if (isNew === 0) return { closed: ended, userIds: [] };
  const connections = await tx('pos_connections')
    .where({ tenantId, status: 'active' })
    .select<{ id: ConnectionId }[]>('id');
  for (const { id } of connections) await disconnectBy(tx, { tenantId, id }, act);
  const addresses = await endpoints.list(tx, tenantId);
  for (const { id } of addresses) await endpoints.remove(tx, tenantId, id);
  // Accepting an invite and removing an operator lock the person first, then the invite, too.
  await tx.raw(
    `select from users where id in (select user_id from memberships where tenant_id = :tenantId)
     order by id for no key update`,
    { tenantId },
  );
  await tx.raw(`update invites set ${WITHDRAW_AND_EMPTY} where tenant_id = :tenantId`, {
    tenantId,
  });
  const userIds = await endWork(tx, tenantId, act);
  const closed = {
    people: userIds.length,
    connections: connections.length,
    endpoints: addresses.length,
  };
  await auditLog.insert(tx, {
    ...act.acting,
    action: 'tenant.close',
    targetType: 'tenant',
    targetId: tenantId,
    tenantId,
    reason: act.reason,
    before: { status: 'suspended' },
    after: { status: 'closed', ...closed },
  });
  return { closed, userIds };
}

/** Ends what everybody does there, staff and owners. */
async function endWork(tx: Tx, tenantId: TenantId, { acting }: Act): Promise<UserId[]> {
  const members = await tx('memberships')
    .where({ tenantId })
    .orderBy('userId')
    .select<{ userId: UserId; role: string }[]>('userId', 'role');
  for (const { userId, role } of members) {
    if (role === 'pos_operator') await removeOperator(tx, { tenantId, userId, by: acting });
    else await removeOwner(tx, { tenantId, userId });
  }
  return members.map(({ userId }) => userId);
}

async function removeOwner(
  tx: Tx,
  { tenantId, userId }: { tenantId: TenantId; userId: UserId },
): Promise<void> {
  await tx('users').where({ id: userId }).forNoKeyUpdate().select('id');
  await tx('memberships').where({ tenantId, userId }).delete();
  await tx.raw(
    `update users u set role = 'consumer', updated_at = now()
     where u.id = :userId and u.role = 'client' and not exists (
       select from memberships m where m.user_id = u.id and m.role = 'client')`,
    { userId },
  );
}
