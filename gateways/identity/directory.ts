import { type InviteEmailStatus, invitationMail } from '../../domain/invitation.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createGotrueDirectory } from './gotrue.ts';
import { createKeycloakDirectory } from './keycloak.ts';

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

export type DirectorySettings = {
  kind: 'mail' | 'gotrue' | 'keycloak';
  adminUrl?: string | undefined;
  adminToken?: string | undefined;
};

/** The directory that the configuration names. Throws when it lacks an address or a token. */
export function createDirectory(settings: DirectorySettings, mailer: Mailer): IdentityDirectory {
  const { kind, adminUrl, adminToken } = settings;
  if (kind === 'mail') return createMailDirectory(mailer);
  if (adminUrl === undefined || adminToken === undefined) {
    throw new Error(`IDENTITY_DIRECTORY=${kind} needs IDENTITY_ADMIN_URL and IDENTITY_ADMIN_TOKEN`);
  }
  const create = kind === 'gotrue' ? createGotrueDirectory : createKeycloakDirectory;
  return create({ url: adminUrl, token: adminToken });
}

/** For any identity provider: a mail of our own, with a link to where people sign in or sign up. */
function createMailDirectory(mailer: Mailer): IdentityDirectory {
  return {
    isKnown: async () => false,
    async invite(invitation) {
      await mailInvitation(mailer, invitation);
      return { emailStatus: 'sent', isMailed: true };
    },
  };
}

/** Sends the person a mail of our own. Throws MailError. */
export async function mailInvitation(mailer: Mailer, invitation: Invitation): Promise<void> {
  const { id, email, tenantName, redirectTo } = invitation;
  const mail = invitationMail({ tenantName, signInUrl: redirectTo });
  await mailer.send({ ...mail, to: email, messageId: `invite.${id}` });
}
