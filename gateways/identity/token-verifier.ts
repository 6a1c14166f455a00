import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Claims } from '../../domain/claims.ts';
import { Refusal } from '../../domain/errors.ts';
import { CLOCK_SKEW_SECONDS, type TokenGrant } from '../../domain/token-grant.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { type ClaimPaths, readToken } from './token-claims.ts';
import { faultOf, type TokenFault } from './token-faults.ts';

/**
 * Verifies an access token and returns what it says of its bearer, and for whom it speaks. Throws
 * UNAUTHORIZED for an invalid token, and IdentityProviderUnavailable when the issuer's keys are not
 * available.
 */
export type TokenVerifier = (token: string) => Promise<Claims & { grant: TokenGrant }>;

export type IdentitySettings = ClaimPaths & {
  issuer: string;
  audience: string;
  /** Discovered from the issuer when absent. */
  jwksUrl?: string | undefined;
};

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/**
 * Creates the verifier of one issuer's access tokens. It uses only keys of the issuer's JWKS, never
 * keys named in the token's header, and fetches them when the first token is verified. Why a token
 * was refused is logged.
 */
export function createTokenVerifier(settings: IdentitySettings, log: Logger): TokenVerifier {
  const { issuer, audience, jwksUrl } = settings;
  const keys = createIssuerKeys({ issuer, jwksUrl, log });
  const checks = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_SKEW_SECONDS,
    requiredClaims: ['sub', 'exp'],
  };

  function refuse({ says, why, detail }: TokenFault): Refusal {
    log.info({ event: 'token_refused', ...detail }, `An access token ${says}`);
    return new Refusal('UNAUTHORIZED', `The access token ${says}.`, why);
  }

  return async (token) => {
    const { payload, protectedHeader } = await jwtVerify(token, keys, checks).catch(
      (error: unknown) => {
        throw error instanceof errors.JOSEError ? refuse(faultOf(error, token)) : error;
      },
    );
    if (!isAccessToken(payload, protectedHeader.typ)) {
      const detail = { reason: 'kind', typ: protectedHeader.typ };
      throw refuse({ says: 'is not an access token', why: 'token_invalid', detail });
    }
    const read = readToken(payload, settings, new Date());
    if ('claims' in read) return { ...read.claims, grant: read.grant };
    const detail = { reason: 'claim', claim: read.odd };
    throw refuse({ says: ODD_CLAIMS[read.odd], why: 'token_invalid', detail });
  };
}

const ODD_CLAIMS = {
  sub: 'has no subject, or one that is too long or no text',
  iat: 'was issued at no time, or in the future',
} as const;

/**
 * Tells ID tokens apart, which are meant for the application that signed the person in, not for
 * this API. Issuers mark them with hashes of the other tokens, or with a type. A nonce is no
 * evidence: some issuers put it into access tokens too.
 */
function isAccessToken(payload: JWTPayload, typ: string | undefined): boolean {
  const isJwt = typ === undefined || /^(application\/)?(at\+)?jwt$/i.test(typ);
  const isIdToken = 'at_hash' in payload || 'c_hash' in payload || payload.typ === 'ID';
  return isJwt && !isIdToken;
}
