import { Refusal } from '../../domain/errors.ts';
import type { InviteId, TenantId, UserId } from '../../domain/ids.ts';
import type { InviteEmailStatus, InviteStatus, InviteUse } from '../../domain/invitation.ts';
import { inAscii } from '../../domain/matching.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';
import { comparedEmail, otherSpellingOf } from './spelling.ts';

// What a merchant does with invites. What the invited person does is in invite-decisions.ts.

export type Invite = {
  id: InviteId;
  tenantId: TenantId;
  email: string;
  status: InviteStatus;
  emailStatus: InviteEmailStatus;
  createdAt: Date;
};

const INVITE = ['id', 'tenantId', 'email', 'status', 'emailStatus', 'createdAt'] as const;

/** An invite that can still be decided. A lapsed one keeps its status until it is replaced. */
export const OPEN_INVITE = `status = 'pending' and lapses_at > now()`;

/** SQL: withdraws an invite that is open, and forgets the address of any. */
export const WITHDRAW_AND_EMPTY = `
  status = case status when 'pending' then 'withdrawn' else status end,
  closed_at = coalesce(closed_at, now()), email = null, ascii_email = null`;

/** Lets no other transaction invite on behalf of the tenant until this one ends. */
export async function lockTenant(tx: Tx, tenantId: TenantId): Promise<void> {
  await tx.raw(`select pg_advisory_xact_lock(hashtextextended('inviting ' || :tenantId, 0))`, {
    tenantId,
  });
}

/** Finds the tenant's open invite to an address. */
export async function findOpen(
  db: Db,
  tenantId: TenantId,
  email: string,
): Promise<Invite | undefined> {
  return db<Invite>('invites')
    .where({ tenantId })
    .whereRaw(`${comparedEmail('invites')} = ?`, [inAscii(email)])
    .whereRaw(OPEN_INVITE)
    .first(...INVITE);
}

/** Counts what limits the tenant's next invite; withdrawn and declined ones count to the hour. */
export async function useOf(db: Db, tenantId: TenantId): Promise<InviteUse> {
  const { rows } = await db.raw<{ rows: InviteUse[] }>(
    `select count(*) as last_hour,
       greatest(1, ceil(extract(epoch from min(created_at) + interval '1 hour' - now())))::bigint
         as seconds_to_wait,
       (select count(*) from invites where tenant_id = :tenantId and ${OPEN_INVITE}) as open
     from invites
     where tenant_id = :tenantId and created_at > now() - interval '1 hour'`,
    { tenantId },
  );
  return one(rows, 'count of invites');
}

/**
 * Invites a person to a tenant and returns the invite. An open one is returned as it is, also to
 * concurrent calls; one that has lapsed is replaced.
 */
export async function create(
  tx: Tx,
  invite: Pick<Invite, 'tenantId' | 'email' | 'emailStatus'> & { invitedBy: UserId },
): Promise<Invite> {
  const { tenantId, email } = invite;
  await tx('invites')
    .where({ tenantId, status: 'pending' })
    .whereRaw(`${comparedEmail('invites')} = ?`, [inAscii(email)])
    .where('lapsesAt', '<=', tx.fn.now())
    .update({ status: 'lapsed', closedAt: tx.fn.now() });
  const { rows } = await tx.raw<{ rows: Invite[] }>(
    `insert into invites (id, tenant_id, email, ascii_email, email_status, invited_by)
     values (:id, :tenantId, :email, :asciiEmail, :emailStatus, :invitedBy)
     on conflict (coalesce(ascii_email, email), tenant_id) where status = 'pending'
       do update set status = excluded.status
     returning id, tenant_id, email, status, email_status, created_at`,
    // The id need not be secret: only a user with the invited, verified e-mail can decide.
    { ...invite, asciiEmail: otherSpellingOf(email), id: newId() },
  );
  return one(rows, 'invite');
}

/** Lists a tenant's open invites, newest first, starting after `after`. */
export async function listOpen(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; after?: InviteId | undefined },
): Promise<Invite[]> {
  const query = db<Invite>('invites').where({ tenantId }).whereRaw(OPEN_INVITE);
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
 * Withdraws an open invite, and returns whether it was still open; a withdrawn one stays withdrawn.
 * Throws NOT_FOUND for one that was decided meanwhile or has lapsed, for an unknown one, and for
 * another tenant's.
 */
export async function withdraw(db: Db, tenantId: TenantId, id: InviteId): Promise<boolean> {
  const updated = await db('invites')
    .where({ tenantId, id })
    .whereRaw(OPEN_INVITE)
    .update({ status: 'withdrawn', closedAt: db.fn.now() });
  if (updated > 0) return true;
  const withdrawn = await db('invites').where({ tenantId, id, status: 'withdrawn' }).first('id');
  if (withdrawn === undefined) throw new Refusal('NOT_FOUND', 'There is no such pending invite.');
  return false;
}
