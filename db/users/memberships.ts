import { Refusal } from '../../domain/errors.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Role } from '../../domain/roles.ts';
import * as auditLog from '../audit-log.ts';
import type { Db, Tx } from '../connection.ts';
import { comparedEmail } from './spelling.ts';

/** A person who works at a tenant's till. */
export type StoreOperator = {
  userId: UserId;
  email: string | null;
  name: string | null;
  joinedAt: Date;
  /** The exact time they joined, in microseconds since 1970. */
  joinedMicros: number;
  /** How many sales they attached to customers there in 30 days. */
  attached: number;
};

/** Where a list continues: after the operator who joined at that time. */
export type OperatorPosition = readonly [joinedMicros: number, userId: UserId];

/** Lists a tenant's store operators, newest first, starting after `after`. */
export async function listOperators(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; after?: OperatorPosition | undefined },
): Promise<StoreOperator[]> {
  const [joinedMicros, userId] = page.after ?? [];
  const { rows } = await db.raw<{ rows: StoreOperator[] }>(
    `select m.user_id, u.email, u.name, m.created_at as joined_at, micros.joined_micros, (
         select count(*) from sale_attachments
         where operator_id = m.user_id and tenant_id = m.tenant_id
           and created_at > now() - interval '30 days'
       ) as attached
     from memberships m
     join users u on u.id = m.user_id
     cross join lateral (
       select (extract(epoch from m.created_at) * 1000000)::bigint as joined_micros
     ) micros
     where m.tenant_id = :tenantId and m.role = 'pos_operator'
       ${page.after === undefined ? '' : AFTER}
     order by m.created_at desc, m.user_id desc
     limit :limit`,
    { tenantId, limit: page.limit, ...(page.after && { joinedMicros, userId }) },
  );
  return rows;
}

const AFTER = `and (m.created_at, m.user_id) <
  (timestamptz 'epoch' + :joinedMicros::bigint * interval '1 microsecond', :userId::uuid)`;

/** A person who may work at tills, or already does. */
export type Person = {
  id: UserId;
  /** As it is compared with that of an invite. */
  comparedEmail: string | null;
  emailVerified: boolean;
  role: Role;
};

/**
 * Locks a user who decides about working at a till, until the transaction ends. Whatever else
 * changes roles or memberships locks the user as well, so each sees the other's result. Throws
 * FORBIDDEN for a client or admin.
 */
export async function lockPerson(tx: Tx, userId: UserId): Promise<Person> {
  const person = await tx('users')
    .where('id', userId)
    .forNoKeyUpdate()
    .first<Person | undefined>(
      'id',
      tx.raw(`${comparedEmail('users')} as compared_email`),
      'emailVerified',
      'role',
    );
  if (person?.role === 'consumer' || person?.role === 'pos_operator') return person;
  throw new Refusal(
    'FORBIDDEN',
    'Merchants and administrators do not work at tills. Use another account.',
  );
}

/** An operator of a tenant, and who ends that, by which request. */
type Ending = { tenantId: TenantId; userId: UserId; by: auditLog.Acting };

/**
 * Removes a store operator from a tenant and withdraws the open invite by which they could return.
 * Someone who works at no other tenant becomes a consumer again. Running it again changes nothing.
 * Throws NOT_FOUND for someone who was never an operator there.
 */
export async function removeOperator(tx: Tx, { tenantId, userId, by }: Ending): Promise<void> {
  await tx('users').where('id', userId).forNoKeyUpdate().select('id');
  const isRemoved = await end(tx, { tenantId, userId, by }, 'operator.remove');
  if (!isRemoved) return;
  await tx.raw(
    `update invites i set status = 'withdrawn', closed_at = now()
     from users u
     where u.id = :userId and u.email_verified and ${comparedEmail('i')} = ${comparedEmail('u')}
       and i.tenant_id = :tenantId and i.status = 'pending'`,
    { tenantId, userId },
  );
}

/**
 * Lets an operator leave a tenant, as `removeOperator` does without the merchant. Throws FORBIDDEN
 * for a client or admin, and NOT_FOUND for someone who was never an operator there.
 */
export async function leave(tx: Tx, { tenantId, userId, by }: Ending): Promise<void> {
  await lockPerson(tx, userId);
  await end(tx, { tenantId, userId, by }, 'operator.leave');
}

/**
 * Ends all memberships of an operator, whose row the caller has locked and gives another role.
 * Without `by`, when nobody signed in did it, the audit log has no entry.
 */
export async function endAll(
  tx: Tx,
  userId: UserId,
  { role, by }: { role: Role; by: auditLog.Acting | null },
): Promise<void> {
  const ended = await tx('memberships')
    .where({ userId, role: 'pos_operator' })
    .delete()
    .returning<{ tenantId: TenantId }[]>('tenantId');
  for (const { tenantId } of ended) {
    const removedBy = by?.actorUserId ?? null;
    await tx('operator_removals').insert({ tenantId, userId, removedBy });
    if (by !== null) await audit(tx, { tenantId, userId, by }, { action: 'operator.remove', role });
  }
}

/** Ends a membership; returns whether there was one. Throws NOT_FOUND if there never was. */
async function end(
  tx: Tx,
  ending: Ending,
  action: 'operator.remove' | 'operator.leave',
): Promise<boolean> {
  const { tenantId, userId, by } = ending;
  const removed = await tx('memberships')
    .where({ tenantId, userId, role: 'pos_operator' })
    .delete();
  if (removed === 0) {
    await requireRemoved(tx, tenantId, userId);
    return false;
  }
  await tx('operator_removals').insert({ tenantId, userId, removedBy: by.actorUserId });
  await tx.raw(
    `update users u set role = 'consumer', updated_at = now()
     where u.id = :userId and u.role = 'pos_operator' and not exists (
       select from memberships m where m.user_id = u.id and m.role = 'pos_operator')`,
    { userId },
  );
  const user = await tx('users').where('id', userId).first<{ role: Role }>('role');
  await audit(tx, ending, { action, role: user.role });
  return true;
}

async function audit(
  tx: Tx,
  { tenantId, userId, by }: Ending,
  { action, role }: { action: 'operator.remove' | 'operator.leave'; role: Role },
): Promise<void> {
  await auditLog.insert(tx, {
    ...by,
    action,
    targetType: 'user',
    targetId: userId,
    tenantId,
    reason: null,
    before: { role: 'pos_operator' },
    after: { role },
  });
}

async function requireRemoved(tx: Tx, tenantId: TenantId, userId: UserId): Promise<void> {
  const removal = await tx('operator_removals').where({ tenantId, userId }).first('removedAt');
  if (removal === undefined) throw new Refusal('NOT_FOUND', 'There is no such store operator.');
}
