import type { JWTPayload } from 'jose';
import { z } from 'zod';
import type { Claims } from '../../domain/claims.ts';
import { isSameMailbox, normaliseEmail, normalisePhone } from '../../domain/matching.ts';

/** Where the claims are: names, or dotted paths into the token. */
export type ClaimPaths = {
  emailClaim: string;
  emailVerifiedClaim: string;
  phoneClaim: string;
  phoneVerifiedClaim: string;
  clientIntentClaim: string;
};

const MAX_SUBJECT_LENGTH = 255;
const MAX_NAME_LENGTH = 200;

const Subject = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(MAX_SUBJECT_LENGTH),
});

/** Reads the claims of a verified token; undefined when it names no subject. */
export function claimsOf(payload: JWTPayload, paths: ClaimPaths): Claims | undefined {
  const subject = Subject.safeParse(payload);
  if (!subject.success) return undefined;

  const text = (path: string) => z.string().safeParse(claimAt(payload, path)).data ?? null;
  const claimedEmail = text(paths.emailClaim);
  const email = normaliseEmail(claimedEmail);
  const isVerified = isTrue(claimAt(payload, paths.emailVerifiedClaim));
  const phone = phoneIn(text(paths.phoneClaim));
  return {
    ...subject.data,
    email,
    // The provider verified what it wrote, which may be another mailbox than the folded form.
    emailVerified: email !== null && isVerified && isSameMailbox(claimedEmail),
    phone,
    phoneVerified: phone !== null && isTrue(claimAt(payload, paths.phoneVerifiedClaim)),
    name: displayName(text('name')),
    contactsIssuedAt: payload.iat === undefined ? undefined : new Date(payload.iat * 1000),
    clientIntent: includesClient(claimAt(payload, paths.clientIntentClaim)),
  };
}

/** The claim with exactly that name (it may be a URL with dots), else the one at that path. */
function claimAt(payload: JWTPayload, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path];
  let value: unknown = payload;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** Accepts flags as strings too, as some issuers send them. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true';
}

/** Accepts a list too: that is how Keycloak writes roles. */
function includesClient(claim: unknown): boolean {
  return claim === 'client' || (Array.isArray(claim) && claim.includes('client'));
}

/** Supabase writes E.164 without its plus sign. */
function phoneIn(claim: string | null): string | null {
  return normalisePhone(claim !== null && /^[1-9]\d+$/.test(claim) ? `+${claim}` : claim);
}

/** Removes characters that cannot be stored or shown in one line: people choose their names. */
function displayName(name: string | null): string | null {
  const clean = name
    ?.replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  return clean || null;
}
