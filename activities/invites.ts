import type { Db } from '../db/connection.ts';
import * as inviteMails from '../db/users/invite-mails.ts';
import type { InviteId } from '../domain/ids.ts';
import { invitationMail, nameInMail } from '../domain/invitation.ts';
import type { IdentityDirectory } from '../gateways/identity/directory.ts';
import { DirectoryError } from '../gateways/identity/directory-request.ts';
import { MailError, type Mailer } from '../gateways/mail/mailer.ts';
import { renderMail } from '../gateways/mail/render-mail.ts';

export type InviteDeps = {
  db: Db;
  directory: IdentityDirectory;
  mailer: Mailer;
  /** Where people sign in and decide. */
  frontendUrl: string;
};

export type OverdueInvite = inviteMails.OverdueInvite;

/** So many runs reconcile starts at a time, ten times. It may have 2,000 open, of all kinds. */
const BATCH = 60;

/**
 * How sending an invite's mail ended. `unneeded`: it was sent before or is out of date.
 * `undeliverable`: the mail server refuses its address for good. `deferred`: its address had one
 * within the last day.
 */
export type InviteMailOutcome = 'sent' | 'unneeded' | 'undeliverable' | 'deferred';

/** The steps of inviting a person. Each may run any number of times. */
export function createInviteActivities(deps: InviteDeps) {
  const { db, mailer, frontendUrl } = deps;
  return {
    /**
     * Invites the person through the directory, and mails them where the directory does not. The
     * directory is asked once: a run that was killed, or that could not mail, goes on with our own
     * mail, whose copies a mail server can recognise.
     */
    async sendInvite(id: InviteId): Promise<InviteMailOutcome> {
      const due = await inviteMails.claim(db, id);
      if (due === 'unneeded' || due === 'deferred') return due;
      const inviteUrl = `${frontendUrl}/invites/${id}`;
      try {
        const isMailed = await isMailedByDirectory(deps, due, inviteUrl);
        const mail = renderMail(invitationMail({ ...due, inviteUrl }));
        if (!isMailed) await mailer.send({ ...mail, to: due.email, messageId: `invite.${id}` });
        await inviteMails.recordSent(db, id);
        return 'sent';
      } catch (error) {
        if (!isFinal(error)) throw error;
        await inviteMails.recordUndeliverable(db, id);
        return 'undeliverable';
      }
    },

    /** Lists invites whose mail is overdue, in the order of their ids. Reads only. */
    async listOverdueInvites(after: InviteId | null): Promise<OverdueInvite[]> {
      return inviteMails.listOverdue(db, { after, limit: BATCH });
    },
  };
}

async function isMailedByDirectory(
  { db, directory }: InviteDeps,
  { id, email, tenantName, directoryAsked }: inviteMails.DueInvite,
  inviteUrl: string,
): Promise<boolean> {
  if (directoryAsked) return false;
  await inviteMails.noteAsked(db, id, true);
  try {
    const invitation = { email, tenantName: nameInMail(tenantName), inviteUrl };
    return (await directory.invite(invitation)).isMailed;
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    // It may have sent a mail, and would send another one each time it is asked.
    if (error.isUnclear) return false;
    await inviteMails.noteAsked(db, id, false);
    throw error;
  }
}

/** Whether the address was refused for good. */
function isFinal(error: unknown): boolean {
  if (error instanceof MailError || error instanceof DirectoryError) return !error.isTransient;
  return false;
}
