import { Refusal } from '../../domain/errors.ts';
import type { InviteId, TenantId, UserId } from '../../domain/ids.ts';
import type { InviteStatus } from '../../domain/invitation.ts';
import type { Role } from '../../domain/roles.ts';
import { requireActiveShop, type TenantStatus } from '../../domain/tenant-status.ts';
import * as auditLog from '../audit-log.ts';
import type { Db, Tx } from '../connection.ts';
import { isActive } from '../tenants/is-active.ts';
import { OPEN_INVITE } from './invites.ts';
import { endAll, lockPerson, type Person } from './memberships.ts';
import { comparedEmail } from './spelling.ts';

/** An invite as the invited person sees it. */
export type PendingInvite = {
  id: InviteId;
  tenantId: TenantId;
  tenantName: string;
  createdAt: Date;
};

/** An invite as the person sees it whose it is, whatever became of it. */
export type OwnInvite = PendingInvite & { status: InviteStatus };

/** A person who decides about an invite, and the request by which they do. */
export type Decision = { userId: UserId; inviteId: InviteId; by: auditLog.Acting };

const MAX_LISTED = 100;

/** Lists the open invites that the user may decide about, oldest first. */
export async function listPending(db: Db, userId: UserId): Promise<PendingInvite[]> {
  const { rows } = await db.raw<{ rows: PendingInvite[] }>(
    `select i.id, i.tenant_id, t.name as tenant_name, i.created_at
     from users u
     join lateral (
       select * from invites
       where ${comparedEmail('invites')} = ${comparedEmail('u')} and ${OPEN_INVITE}
     ) i on true
     join tenants t on t.id = i.tenant_id
     where u.id = :userId and u.email_verified and u.status = 'active'
       and u.role in ('consumer', 'pos_operator')
     order by i.created_at, i.id limit :limit`,
    { userId, limit: MAX_LISTED },
  );
  return rows;
}

/**
 * Returns an invite of the user: one to their verified e-mail, or that they accepted. Throws
 * NOT_FOUND for another's.
 */
export async function getOwn(db: Db, userId: UserId, inviteId: InviteId): Promise<OwnInvite> {
  const { rows } = await db.raw<{ rows: OwnInvite[] }>(
    `select i.id, i.tenant_id, t.name as tenant_name, i.created_at,
       case when i.status = 'pending' and i.lapses_at <= now() then 'lapsed' else i.status end
         as status
     from invites i
     join users u on u.id = :userId and u.role in ('consumer', 'pos_operator')
     join tenants t on t.id = i.tenant_id
     where i.id = :inviteId
       and case when i.status = 'accepted' then i.accepted_by = u.id
                else ${comparedEmail('i')} = ${comparedEmail('u')} and u.email_verified end`,
    { userId, inviteId },
  );
  const [invite] = rows;
  if (invite === undefined) throw notFound();
  return invite;
}

/**
 * Accepts an invite to the user's verified e-mail, which makes the user an operator of its tenant.
 * Accepting it again changes nothing. Throws FORBIDDEN for a client or admin and while the tenant
 * is suspended, and NOT_FOUND for another person's invite and for one that is withdrawn, declined
 * or lapsed.
 */
export async function accept(tx: Tx, { userId, inviteId, by }: Decision): Promise<void> {
  const person = await lockPerson(tx, userId);
  const invite = await lockInvite(tx, inviteId, person);
  if (invite?.status === 'accepted') return;
  if (!invite?.isOpen) throw notFound();
  requireActiveShop({ status: invite.tenantStatus });
  await join(tx, { person, inviteId, by });
}

/** Declines an invite, with the refusals of `accept`. Declining it again changes nothing. */
export async function decline(tx: Tx, decision: Omit<Decision, 'by'>): Promise<void> {
  const person = await lockPerson(tx, decision.userId);
  const invite = await lockInvite(tx, decision.inviteId, person);
  if (invite?.status === 'declined') return;
  if (!invite?.isOpen) throw notFound();
  await tx('invites')
    .where('id', decision.inviteId)
    .update({ status: 'declined', closedAt: tx.fn.now() });
}

/**
 * Accepts the invite of a consumer whom this transaction creates, with that verified e-mail, if it
 * is older than the user and the only open one, and its tenant is active. Everybody else decides.
 */
export async function acceptFirst(
  tx: Tx,
  { userId, by }: Omit<Decision, 'inviteId'>,
): Promise<void> {
  const person = await lockPerson(tx, userId);
  const { rows } = await tx.raw<{ rows: { id: InviteId; isDue: boolean }[] }>(
    `select id, created_at < now() and ${isActive('invites.tenant_id')} as is_due from invites
     where ${comparedEmail('invites')} = :email and ${OPEN_INVITE} order by id for update`,
    { email: person.comparedEmail },
  );
  const [only] = rows;
  if (rows.length !== 1 || !only?.isDue) return;
  await join(tx, { person, inviteId: only.id, by });
}

type LockedInvite = { status: InviteStatus; isOpen: boolean; tenantStatus: TenantStatus };

/** Locks the invite and returns it, if it is this person's. */
async function lockInvite(
  tx: Tx,
  inviteId: InviteId,
  person: Person,
): Promise<LockedInvite | undefined> {
  const { rows } = await tx.raw<{ rows: LockedInvite[] }>(
    `select status, ${OPEN_INVITE} as is_open,
       (select t.status from tenants t where t.id = tenant_id) as tenant_status
     from invites
     where id = :inviteId
       and case when status = 'accepted' then accepted_by = :userId
                else ${comparedEmail('invites')} = :email end
     for update`,
    { inviteId, userId: person.id, email: person.emailVerified ? person.comparedEmail : null },
  );
  return rows[0];
}

/** Makes the person, whose row is locked, an operator of the tenant of an open invite. */
async function join(
  tx: Tx,
  { person, inviteId, by }: { person: Person; inviteId: InviteId; by: auditLog.Acting },
): Promise<void> {
  const before: Role = person.role;
  // Someone whose role was taken away gets back no shop but the one they accept.
  if (before === 'consumer') await endAll(tx, person.id, { role: 'consumer', by: null });
  const { rows } = await tx.raw<{ rows: { tenantId: TenantId }[] }>(
    `with accepted as (
       update invites set status = 'accepted', accepted_by = :userId, closed_at = now()
       where id = :inviteId
       returning tenant_id
     ),
     joined as (
       insert into memberships as m (tenant_id, user_id, role)
       select tenant_id, :userId, 'pos_operator' from accepted
       on conflict on constraint memberships_once_per_tenant_and_user
         do update set role = excluded.role, created_at = now() where m.role <> excluded.role
     ),
     changed as (
       update users set role = 'pos_operator', updated_at = now()
       where id = :userId and role <> 'pos_operator'
     )
     select tenant_id from accepted`,
    { userId: person.id, inviteId },
  );
  await auditLog.insert(tx, {
    ...by,
    action: 'operator.accept',
    targetType: 'user',
    targetId: person.id,
    tenantId: rows[0]?.tenantId ?? null,
    reason: null,
    before: { role: before },
    after: { role: 'pos_operator', inviteId },
  });
}

function notFound(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such invite for you. It may have been withdrawn.');
}
