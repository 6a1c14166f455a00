export const INVITE_EMAIL_STATUSES = ['sent', 'existing_auth_user'] as const;
/** Whether the invited person was new, or known to us or to the identity provider. */
export type InviteEmailStatus = (typeof INVITE_EMAIL_STATUSES)[number];

export const INVITE_STATUSES = ['pending', 'accepted', 'revoked'] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];

/** The mail that invites a person to work at a tenant's till. */
export function invitationMail(invitation: { tenantName: string; signInUrl: string }): {
  subject: string;
  text: string;
} {
  const { tenantName, signInUrl } = invitation;
  return {
    subject: `You are invited to work at ${tenantName}`,
    text: `${tenantName} invites you to redeem customers' points at its till.

To accept, sign in with the e-mail address that this mail was sent to:

${signInUrl}

If you did not expect this, you need not do anything.
`,
  };
}
