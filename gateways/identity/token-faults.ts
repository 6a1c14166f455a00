import { decodeProtectedHeader, errors, type JWTPayload } from 'jose';
import type { Why } from '../../domain/errors.ts';

/** What is wrong with a token: a few words for its bearer, and more for the log. */
export type TokenFault = {
  says: string;
  why: Why;
  /** What the bearer must not be told for sure is for the log only. Nothing here is a secret. */
  detail: Readonly<Record<string, string | undefined>>;
};

const MAX_TEXT = 200;

/** Names the claim, the algorithm or the key for which jose refused a token. */
export function faultOf(error: errors.JOSEError, token: string): TokenFault {
  if (error instanceof errors.JWTExpired) {
    const why = 'token_expired';
    return { says: 'has expired: sign in again', why, detail: { reason: 'claim', claim: 'exp' } };
  }
  if (error instanceof errors.JWTClaimValidationFailed) return claimFault(error);
  return { says: 'is not valid', why: 'token_invalid', detail: detailOf(error, token) };
}

function claimFault({ claim, reason, payload }: errors.JWTClaimValidationFailed): TokenFault {
  const problem = reason === 'missing' ? 'is missing' : 'does not fit';
  const detail = { reason: 'claim', claim, problem, received: shown(payload, claim) };
  if (claim !== 'aud') return { says: 'is not valid', why: 'token_invalid', detail };
  // Told openly: it is what everybody gets wrong first, and no secret.
  return {
    says: 'is for another audience: ask for one for this API',
    why: { issue: 'token_invalid', params: { claim } },
    detail,
  };
}

function detailOf(error: errors.JOSEError, token: string): TokenFault['detail'] {
  const { alg, kid } = headerOf(token);
  if (error instanceof errors.JOSEAlgNotAllowed) return { reason: 'algorithm', alg };
  if (error instanceof errors.JWKSNoMatchingKey) return { reason: 'key', alg, kid };
  if (error instanceof errors.JWKSMultipleMatchingKeys) return { reason: 'no kid', alg };
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return { reason: 'signature', alg, kid };
  return { reason: 'format', alg, kid };
}

function headerOf(token: string): { alg?: string | undefined; kid?: string | undefined } {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return { alg: cut(alg), kid: cut(kid) };
  } catch {
    return {};
  }
}

/** Issuer and audience name services; other claims may name people. */
function shown(payload: JWTPayload, claim: string): string | undefined {
  return claim === 'iss' || claim === 'aud' ? cut(payload[claim]) : undefined;
}

function cut(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_TEXT);
}
