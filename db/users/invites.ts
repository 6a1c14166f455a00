import { Refusal } from '../../domain/errors.ts';
import type { InviteId, TenantId, UserId } from '../../domain/ids.ts';
import type { InviteEmailStatus, InviteStatus } from '../../domain/invitation.ts';
import type { Db, Tx } from '../connection.ts';
import { one } from '../one.ts';

export type Invite = {
  id: InviteId;
  tenantId: TenantId;
  email: string;
  status: InviteStatus;
  emailStatus: InviteEmailStatus;
  createdAt: Date;
};

const INVITE = ['id', 'tenantId', 'email', 'status', 'emailStatus', 'createdAt'] as const;

/**
 * Invites a person to a tenant and returns the invite. An invite that is already pending is
 * returned as it is, also to concurrent calls.
 */
export async function create(
  tx: Tx,
  invite: Pick<Invite, 'tenantId' | 'email' | 'emailStatus'> & { invitedBy: UserId },
): Promise<Invite> {
  const { rows } = await tx.raw<{ rows: Invite[] }>(
    `insert into invites (tenant_id, email, email_status, invited_by)
     values (:tenantId, :email, :emailStatus, :invitedBy)
     on conflict (email, tenant_id) where status = 'pending'
       do update set status = excluded.status
     returning id, tenant_id, email, status, email_status, created_at`,
    invite,
  );
  return one(rows, 'invite');
}

/** Lists a tenant's pending invites, newest first, starting after `after`. */
export async function listPending(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; after?: InviteId | undefined },
): Promise<Invite[]> {
  const query = db<Invite>('invites').where({ tenantId, status: 'pending' });
  if (page.after !== undefined) {
    query.whereRaw(
      `(created_at, id) <
       (select a.created_at, a.id from invites a where a.tenant_id = ? and a.id = ?)`,
      [tenantId, page.after],
    );
  }
  return query
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .select(...INVITE);
}

/**
 * Revokes a pending invite; a revoked one stays revoked. Throws NOT_FOUND for an invite that was
 * accepted in the meantime, is unknown, or belongs to another tenant.
 */
export async function revoke(db: Db, tenantId: TenantId, id: InviteId): Promise<void> {
  await db('invites')
    .where({ tenantId, id, status: 'pending' })
    .update({ status: 'revoked', closedAt: db.fn.now() });
  const revoked = await db('invites').where({ tenantId, id, status: 'revoked' }).first('id');
  if (revoked === undefined) throw new Refusal('NOT_FOUND', 'There is no such pending invite.');
}

/**
 * Accepts every pending invite to the user's verified e-mail, which makes the user an operator of
 * those tenants. Clients, admins and users who are not active stay as they are, and so do their
 * invites. Each invite is accepted once, also when this runs twice or for several users with that
 * e-mail at once.
 */
export async function acceptAll(db: Db, userId: UserId): Promise<void> {
  await db.raw(
    `with person as (
       select id, email from users
       where id = :userId and email_verified and status = 'active'
         and role in ('consumer', 'pos_operator')
       for no key update
     ),
     pending as (
       select i.id, p.id as user_id from invites i join person p on p.email = i.email
       where i.status = 'pending'
       order by i.id for update of i
     ),
     accepted as (
       update invites i set status = 'accepted', accepted_by = p.user_id, closed_at = now()
       from pending p where i.id = p.id
       returning i.tenant_id, p.user_id
     ),
     joined as (
       insert into memberships as m (tenant_id, user_id, role)
       select tenant_id, user_id, 'pos_operator' from accepted
       on conflict on constraint memberships_once_per_tenant_and_user
         do update set role = excluded.role, created_at = now() where m.role <> excluded.role
     )
     -- Unconditionally: the role that this statement sees may be older than its lock.
     update users set role = 'pos_operator', updated_at = now()
     where id in (select user_id from accepted)`,
    { userId },
  );
}
