import type { InviteId, TenantId } from '../../domain/ids.ts';
import type { InviteEmailStatus } from '../../domain/invitation.ts';
import type { Db } from '../connection.ts';

/** The content of an invite's mail. */
export type DueInvite = {
  id: InviteId;
  email: string;
  emailStatus: InviteEmailStatus;
  tenantName: string;
};

/**
 * Finds the invite if its mail is due; undefined once the mail is sent or undeliverable, or the
 * invite is closed.
 */
export async function findDue(db: Db, id: InviteId): Promise<DueInvite | undefined> {
  return due(db)
    .join('tenants as t', 't.id', 'i.tenantId')
    .where('i.id', id)
    .first<DueInvite | undefined>('i.id', 'i.email', 'i.emailStatus', 't.name as tenantName');
}

/** Records that the mail was sent, and whether the invited person already had an account. */
export async function recordSent(db: Db, id: InviteId, status: InviteEmailStatus): Promise<void> {
  await db('invites')
    .where({ id, sentAt: null })
    .update({ emailStatus: status, sentAt: db.fn.now() });
}

/** Records that the address is undeliverable. The invite stays: the person may still sign in. */
export async function recordUndeliverable(db: Db, id: InviteId): Promise<void> {
  await db('invites').where({ id, sentAt: null }).update({ undeliverableAt: db.fn.now() });
}

/** Mails of newer invites are left to the request that committed the invite. */
const OVERDUE_AFTER_SECONDS = 30;

/** An invite whose mail has been due for a while. */
export type OverdueInvite = { id: InviteId; tenantId: TenantId };

/** Lists the invites whose mail is overdue, ordered by id, starting after `after`. */
export async function listOverdue(
  db: Db,
  page: { after: InviteId | null; limit: number },
): Promise<OverdueInvite[]> {
  const query = due(db).whereRaw('i.created_at < now() - make_interval(secs => ?)', [
    OVERDUE_AFTER_SECONDS,
  ]);
  if (page.after !== null) query.where('i.id', '>', page.after);
  return query.orderBy('i.id').limit(page.limit).select<OverdueInvite[]>('i.id', 'i.tenantId');
}

function due(db: Db) {
  return db('invites as i')
    .where('i.status', 'pending')
    .whereNull('i.sentAt')
    .whereNull('i.undeliverableAt');
}
