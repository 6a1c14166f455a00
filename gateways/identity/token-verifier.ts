import {
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import type { Claims } from '../../domain/claims.ts';
import { type IssueCode, Refusal } from '../../domain/errors.ts';
import { normaliseEmail, normalisePhone } from '../../domain/matching.ts';

/**
 * Verifies an access token and returns its claims. Throws UNAUTHORIZED for an invalid token, and
 * IdentityProviderUnavailable when the issuer's keys are not available.
 */
export type TokenVerifier = (token: string) => Promise<Claims>;

export type IdentitySettings = {
  issuer: string;
  audience: string;
  /** Discovered from the issuer when absent. */
  jwksUrl?: string | undefined;
  emailClaim: string;
  emailVerifiedClaim: string;
  phoneClaim: string;
  phoneVerifiedClaim: string;
  clientIntentClaim: string;
};

/** The issuer's keys are not available, so that a token can be neither accepted nor refused. */
export class IdentityProviderUnavailable extends Error {
  override readonly name = 'IdentityProviderUnavailable';
}

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const CLOCK_SKEW_SECONDS = 60;
const DISCOVERY_TIMEOUT_MS = 5_000;
const MAX_SUBJECT_LENGTH = 255;
const MAX_NAME_LENGTH = 200;

/**
 * Creates the verifier of one issuer's access tokens. It uses only keys of the issuer's JWKS, never
 * keys named in the token's header, and fetches them when the first token is verified.
 */
export function createTokenVerifier(settings: IdentitySettings): TokenVerifier {
  const keys = issuerKeys(settings);
  return async (token) => {
    const { payload, protectedHeader } = await verify(token, keys, settings);
    refuseOtherTokens(payload, protectedHeader.typ);
    return claimsOf(payload, settings);
  };
}

async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience }: IdentitySettings,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['sub', 'exp'],
    });
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw refusal('has expired: sign in again', 'token_expired');
    if (error instanceof errors.JOSEError) throw refusal('is not valid');
    throw error;
  }
}

/**
 * Refuses ID tokens, which are meant for the application that signed the person in, not for this
 * API. Issuers mark them with hashes of the other tokens, or with a type. A nonce is no evidence:
 * some issuers put it into access tokens too.
 */
function refuseOtherTokens(payload: JWTPayload, typ: string | undefined): void {
  const isJwt = typ === undefined || /^(application\/)?(at\+)?jwt$/i.test(typ);
  const isIdToken = 'at_hash' in payload || 'c_hash' in payload || payload.typ === 'ID';
  if (!isJwt || isIdToken) throw refusal('is not an access token');
}

function issuerKeys({ issuer, jwksUrl }: IdentitySettings): JWTVerifyGetKey {
  let discovery: Promise<JWTVerifyGetKey> | undefined;

  function keySet(): Promise<JWTVerifyGetKey> {
    discovery ??= findKeySet(issuer, jwksUrl).catch((error: unknown) => {
      // The next token retries, so that a temporary outage of the issuer has no lasting effect.
      discovery = undefined;
      throw error;
    });
    return discovery;
  }

  return async (header, token) => {
    try {
      const find = await keySet();
      return await find(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error;
      if (error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      throw new IdentityProviderUnavailable(`No keys from ${issuer}.`, { cause: error });
    }
  };
}

async function findKeySet(issuer: string, jwksUrl: string | undefined): Promise<JWTVerifyGetKey> {
  return createRemoteJWKSet(new URL(jwksUrl ?? (await discoverJwksUrl(issuer))));
}

async function discoverJwksUrl(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, {
    signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  // A document for another issuer would let that issuer's keys sign this issuer's tokens.
  const Discovery = z.object({ issuer: z.literal(issuer), jwks_uri: z.url() });
  return Discovery.parse(await response.json()).jwks_uri;
}

const Subject = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(MAX_SUBJECT_LENGTH),
});

function claimsOf(payload: JWTPayload, settings: IdentitySettings): Claims {
  const subject = Subject.safeParse(payload);
  if (!subject.success) throw refusal('has no subject');

  const text = (path: string) => z.string().safeParse(claimAt(payload, path)).data ?? null;
  const email = normaliseEmail(text(settings.emailClaim));
  const phone = normalisePhone(text(settings.phoneClaim));
  return {
    ...subject.data,
    email,
    emailVerified: email !== null && isTrue(claimAt(payload, settings.emailVerifiedClaim)),
    phone,
    phoneVerified: phone !== null && isTrue(claimAt(payload, settings.phoneVerifiedClaim)),
    name: displayName(text('name')),
    contactsIssuedAt: payload.iat === undefined ? undefined : new Date(payload.iat * 1000),
    clientIntent: claimAt(payload, settings.clientIntentClaim) === 'client',
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

/** Removes characters that cannot be stored or shown in one line: people choose their names. */
function displayName(name: string | null): string | null {
  const clean = name
    ?.replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  return clean || null;
}

function refusal(reason: string, why: IssueCode = 'token_invalid'): Refusal {
  return new Refusal('UNAUTHORIZED', `The access token ${reason}.`, why);
}
