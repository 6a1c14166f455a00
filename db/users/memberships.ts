import { Refusal } from '../../domain/errors.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Db, Tx } from '../connection.ts';

/** A person who works at a tenant's till. */
export type StoreOperator = {
  userId: UserId;
  email: string | null;
  joinedAt: Date;
  /** The exact time they joined, in microseconds since 1970. */
  joinedMicros: number;
};

/** Where a list continues: after the operator who joined at that time. */
export type OperatorPosition = readonly [joinedMicros: number, userId: UserId];

/** Lists a tenant's store operators, newest first, starting after `after`. */
export async function listOperators(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; after?: OperatorPosition | undefined },
): Promise<StoreOperator[]> {
  const [joinedMicros = null, userId = null] = page.after ?? [];
  const { rows } = await db.raw<{ rows: StoreOperator[] }>(
    `select m.user_id, u.email, m.created_at as joined_at, micros.joined_micros
     from memberships m
     join users u on u.id = m.user_id
     cross join lateral (
       select (extract(epoch from m.created_at) * 1000000)::bigint as joined_micros
     ) micros
     where m.tenant_id = :tenantId and m.role = 'pos_operator'
       and (:joinedMicros::bigint is null
         or (micros.joined_micros, m.user_id) < (:joinedMicros::bigint, :userId::uuid))
     order by m.created_at desc, m.user_id desc
     limit :limit`,
    { tenantId, joinedMicros, userId, limit: page.limit },
  );
  return rows;
}

/**
 * Removes a store operator from a tenant and revokes the pending invite by which they could return.
 * Someone who works at no other tenant becomes a consumer again. Running it again changes nothing.
 * Throws NOT_FOUND for someone who was never an operator there.
 */
export async function removeOperator(
  tx: Tx,
  { tenantId, userId, removedBy }: { tenantId: TenantId; userId: UserId; removedBy: UserId },
): Promise<void> {
  // Accepting an invite and changing a role lock the user as well, so each sees the other's result.
  await tx('users').where('id', userId).forNoKeyUpdate().select('id');
  const membership = { tenantId, userId, role: 'pos_operator' };
  const removed = await tx('memberships').where(membership).delete();
  if (removed === 0) return requireRemoved(tx, tenantId, userId);

  await tx('operator_removals').insert({ tenantId, userId, removedBy });
  await tx.raw(
    `update invites i set status = 'revoked', closed_at = now()
     from users u
     where u.id = :userId and u.email_verified and i.email = u.email
       and i.tenant_id = :tenantId and i.status = 'pending'`,
    { tenantId, userId },
  );
  await tx.raw(
    `update users u set role = 'consumer', updated_at = now()
     where u.id = :userId and u.role = 'pos_operator' and not exists (
       select from memberships m where m.user_id = u.id and m.role = 'pos_operator')`,
    { userId },
  );
}

async function requireRemoved(tx: Tx, tenantId: TenantId, userId: UserId): Promise<void> {
  const removal = await tx('operator_removals').where({ tenantId, userId }).first('removedAt');
  if (removal === undefined) throw new Refusal('NOT_FOUND', 'There is no such store operator.');
}
