import type { Db } from '../db/connection.ts';
import * as inviteMails from '../db/users/invite-mails.ts';
import type { InviteId } from '../domain/ids.ts';
import type { InviteEmailStatus } from '../domain/invitation.ts';
import {
  type IdentityDirectory,
  type Invitation,
  mailInvitation,
} from '../gateways/identity/directory.ts';
import { DirectoryError } from '../gateways/identity/directory-request.ts';
import { MailError, type Mailer } from '../gateways/mail/mailer.ts';
import type { MailOutcome } from './redemptions/mails.ts';

export type InviteDeps = {
  db: Db;
  directory: IdentityDirectory;
  mailer: Mailer;
  /** Where people sign in. */
  frontendUrl: string;
};

export type OverdueInvite = inviteMails.OverdueInvite;

/** How many runs one batch starts. */
const BATCH = 100;

/** The steps of inviting a person. Each may run any number of times. */
export function createInviteActivities({ db, directory, mailer, frontendUrl }: InviteDeps) {
  return {
    /**
     * Invites the person through the directory, and mails them where the directory does not. What
     * was sent is recorded; a run killed before that asks the directory again, which is harmless.
     */
    async sendInvite(id: InviteId): Promise<MailOutcome> {
      const due = await inviteMails.findDue(db, id);
      if (due === undefined) return 'unneeded';
      const invitation = { ...due, redirectTo: frontendUrl };
      try {
        const found = await invite(directory, mailer, invitation);
        // A person the service knew at the invitation stays known, whatever the directory says.
        const isKnown = due.emailStatus === 'existing_auth_user';
        await inviteMails.recordSent(db, id, isKnown ? due.emailStatus : found);
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

async function invite(
  directory: IdentityDirectory,
  mailer: Mailer,
  invitation: Invitation,
): Promise<InviteEmailStatus> {
  const { emailStatus, isMailed } = await directory.invite(invitation);
  if (!isMailed) await mailInvitation(mailer, invitation);
  return emailStatus;
}

/** Whether the address was refused for good. */
function isFinal(error: unknown): boolean {
  if (error instanceof MailError || error instanceof DirectoryError) return !error.isTransient;
  return false;
}
