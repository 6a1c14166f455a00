import { type InviteEmailStatus, invitationMail } from '../../domain/invitation.ts';
import type { Mailer } from '../mail/mailer.ts';

export type Invitation = {
  /** What the invitation is, however often it is sent. */
  id: string;
  email: string;
  tenantName: string;
  /** Where the person signs in. */
  redirectTo: string;
};

/** Who has an account at the identity provider, and how others are asked to make one. */
export type IdentityDirectory = {
  /** Whether the directory knows a person by that e-mail. Throws DirectoryError. */
  isKnown(email: string): Promise<boolean>;
  /** Has the person invited. Doing it again does no harm. Throws DirectoryError, or MailError. */
  invite(invitation: Invitation): Promise<Invited>;
};

export type Invited = {
  emailStatus: InviteEmailStatus;
  /** Whether the person was written to; a directory may leave that to us where it knows them. */
  isTold: boolean;
};

/** Sends the person a mail of our own. Throws MailError. */
export async function mailInvitation(mailer: Mailer, invitation: Invitation): Promise<void> {
  const { id, email, tenantName, redirectTo } = invitation;
  const mail = invitationMail({ tenantName, signInUrl: redirectTo });
  await mailer.send({ ...mail, to: email, messageId: `invite.${id}` });
}
