import { type InviteEmailStatus, invitationMail } from '../../domain/invitation.ts';
import type { Mailer } from '../mail/mailer.ts';

export type Invitation = {
  /** Identifies the invitation, also when it is sent again. */
  id: string;
  email: string;
  tenantName: string;
  /** The address where the person signs in. */
  redirectTo: string;
};

/** Looks up accounts at the identity provider and invites people to create one. */
export type IdentityDirectory = {
  /** Whether a person with that e-mail has an account. Throws DirectoryError. */
  isKnown(email: string): Promise<boolean>;
  /** Invites the person; repeating it is harmless. Throws DirectoryError or MailError. */
  invite(invitation: Invitation): Promise<Invited>;
};

export type Invited = {
  emailStatus: InviteEmailStatus;
  /** Whether the directory sent a mail; for a person it knows, it may leave that to us. */
  isMailed: boolean;
};

/** Sends the person our own invitation mail. Throws MailError. */
export async function mailInvitation(mailer: Mailer, invitation: Invitation): Promise<void> {
  const { id, email, tenantName, redirectTo } = invitation;
  const mail = invitationMail({ tenantName, signInUrl: redirectTo });
  await mailer.send({ ...mail, to: email, messageId: `invite.${id}` });
}
