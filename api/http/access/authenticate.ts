import type { IncomingHttpHeaders } from 'node:http';
import * as users from '../../../db/users/users.ts';
import { type DenialCode, denialCode } from '../../../domain/account-status.ts';
import { type IssueCode, Refusal } from '../../../domain/errors.ts';
import { languageIn } from '../../../domain/language.ts';
import type { TokenGrant } from '../../../domain/token-grant.ts';
import { isEqualInConstantTime } from '../../../gateways/crypto/constant-time.ts';
import type { Deps } from '../deps.ts';
import { currentCorrelationId } from '../middleware/correlation-id.ts';

const STANDING_MESSAGES: Record<DenialCode, string> = {
  SUSPENDED: 'This account is suspended. Ask support to reinstate it.',
  ADMIN_EMAIL_REQUIRED:
    'Administrators must sign in with a verified e-mail address of their domain.',
  PENDING_APPROVAL: 'An administrator must approve this account first. Try again later.',
};

/** As a program tells them apart: signing in again helps with none of them. */
const ISSUES = {
  SUSPENDED: 'suspended',
  ADMIN_EMAIL_REQUIRED: 'admin_email_required',
  PENDING_APPROVAL: 'pending_approval',
} as const satisfies Record<DenialCode, IssueCode>;

/** A signed-in user, and for whom their token speaks. */
export type Bearer = { user: users.User; grant: TokenGrant };

/**
 * Returns the user of a bearer token, and creates the user on the first request, whose language is
 * then theirs, unless the token names one. Throws UNAUTHORIZED without a valid token.
 */
export async function authenticate(
  headers: IncomingHttpHeaders,
  { db, verifyToken, settings, contactProofs: proofs }: Deps,
): Promise<Bearer> {
  const token = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) {
    throw new Refusal(
      'UNAUTHORIZED',
      'Send an access token in the header "Authorization: Bearer <token>".',
      'token_missing',
    );
  }
  const requestId = currentCorrelationId() ?? 'none';
  const { adminEmailDomain, bootstrapAdminEmails } = settings;
  const policy = { adminEmailDomain, bootstrapAdminEmails, proofs, requestId };
  const { grant, ...claims } = await verifyToken(token);
  const language = claims.language ?? languageIn(headers['accept-language']);
  return { user: await users.signIn(db, { ...claims, language }, policy), grant };
}

/** Throws UNAUTHORIZED for a user who is not active, or an admin outside the admin domain. */
export function requireActiveUser(user: users.User, { settings }: Deps): void {
  const code = denialCode(user, settings.adminEmailDomain);
  if (code !== undefined) throw new Refusal('UNAUTHORIZED', STANDING_MESSAGES[code], ISSUES[code]);
}

/** Throws UNAUTHORIZED unless `given` is a cron secret; its timing does not help guess one. */
export function requireCronSecret(given: string, secrets: readonly string[]): void {
  const matches = secrets.filter((secret) => isEqualInConstantTime(given, secret));
  if (matches.length === 0) {
    throw new Refusal(
      'UNAUTHORIZED',
      'The X-Cron-Secret header is missing or wrong. Send the secret.',
    );
  }
}
