import type { JWTPayload } from 'jose';
import { z } from 'zod';
import type { Claims } from '../../domain/claims.ts';
import { languageIn } from '../../domain/language.ts';
import { isSameMailbox, normaliseEmail, normalisePhone } from '../../domain/matching.ts';
import { CLOCK_SKEW_SECONDS, type TokenGrant } from '../../domain/token-grant.ts';

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

/** What Postgres stores as something else, or not at all: two people would become one. */
const NOT_STORED = /[\0\p{Cs}]/u;

const Subject = z.object({
  iss: z.string(),
  sub: z
    .string()
    .min(1)
    .max(MAX_SUBJECT_LENGTH)
    .refine((sub) => !NOT_STORED.test(sub)),
});
/** In seconds since 1970. */
const IssuedAt = z.number().min(0).optional();

/** What a verified token says, or which of its claims makes no sense. */
export type ReadToken = { claims: Claims; grant: TokenGrant } | { odd: 'sub' | 'iat' };

/** Reads a verified token, whose bearer comes with it at this time. */
export function readToken(payload: JWTPayload, paths: ClaimPaths, now: Date): ReadToken {
  const subject = Subject.safeParse(payload);
  if (!subject.success) return { odd: 'sub' };
  const issued = IssuedAt.safeParse(payload.iat);
  // Contacts of a token from the future would be taken for the newest until then.
  const latest = now.getTime() / 1_000 + CLOCK_SKEW_SECONDS;
  if (!issued.success || (issued.data ?? 0) > latest) return { odd: 'iat' };
  const claims = { ...subject.data, ...personIn(payload, issued.data, paths) };
  return { claims, grant: grantIn(payload) };
}

function personIn(
  payload: JWTPayload,
  issuedAt: number | undefined,
  paths: ClaimPaths,
): Omit<Claims, 'iss' | 'sub'> {
  const text = (path: string) => z.string().safeParse(claimAt(payload, path)).data ?? null;
  const claimedEmail = text(paths.emailClaim);
  const email = normaliseEmail(claimedEmail);
  const isVerified = isTrue(claimAt(payload, paths.emailVerifiedClaim));
  const phone = phoneIn(text(paths.phoneClaim));
  return {
    email,
    // The provider verified what it wrote, which may be another mailbox than the folded form.
    emailVerified: email !== null && isVerified && isSameMailbox(claimedEmail),
    phone,
    phoneVerified: phone !== null && isTrue(claimAt(payload, paths.phoneVerifiedClaim)),
    name: displayName(text('name')),
    language: languageIn(text('locale')),
    contactsIssuedAt: issuedAt === undefined ? undefined : new Date(issuedAt * 1000),
    clientIntent: includesClient(claimAt(payload, paths.clientIntentClaim)),
  };
}

function grantIn(payload: JWTPayload): TokenGrant {
  const text = (name: string) => z.string().safeParse(payload[name]).data;
  return {
    client: text('azp') ?? text('client_id') ?? null,
    scopes: scopesIn(payload.scope ?? payload.scp),
    signedInAt: z.number().safeParse(payload.auth_time).data ?? null,
    acr: text('acr') ?? null,
  };
}

/** Words between blanks, or a list, as some issuers send them. */
function scopesIn(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((scope) => scope !== '');
  return z.array(z.string()).catch([]).parse(claim);
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
  // Cut first: half a letter could not be stored either, so that each request would change it.
  const clean = name
    ?.slice(0, MAX_NAME_LENGTH)
    .replace(/\p{C}+/gu, ' ')
    .trim();
  return clean || null;
}
