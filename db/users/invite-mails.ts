import type { InviteId, TenantId } from '../../domain/ids.ts';
import type { InviteEmailStatus } from '../../domain/invitation.ts';
import type { Db } from '../connection.ts';

/** What the mail of an invite is made of. */
export type DueInvite = {
  id: InviteId;
  email: string;
  emailStatus: InviteEmailStatus;
  tenantName: string;
};

/** The invite, as long as its mail is due; undefined once it is sent, or the invite is closed. */
export async function findDue(db: Db, id: InviteId): Promise<DueInvite | undefined> {
  return due(db)
    .join('tenants as t', 't.id', 'i.tenantId')
    .where('i.id', id)
    .first<DueInvite | undefined>('i.id', 'i.email', 'i.emailStatus', 't.name as tenantName');
}

/** Records that the mail was handed over, and whether the person turned out to be known. */
export async function recordSent(db: Db, id: InviteId, status: InviteEmailStatus): Promise<void> {
  await db('invites')
    .where({ id, sentAt: null })
    .update({ emailStatus: status, sentAt: db.fn.now() });
}

/** Records that no mail can reach that address. The invite stays: its person may still sign in. */
export async function recordUndeliverable(db: Db, id: InviteId): Promise<void> {
  await db('invites').where({ id, sentAt: null }).update({ undeliverableAt: db.fn.now() });
}

/** Younger ones are still in the hands of the request that committed them. */
const OVERDUE_AFTER_SECONDS = 30;

/** An invite whose mail has been due for a while. */
export type OverdueInvite = { id: InviteId; tenantId: TenantId };

/** Lists the invites whose mail is overdue, in the order of their ids, from the one after `after`. */
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
