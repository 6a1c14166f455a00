import { decodeJwt } from 'jose';
import { CLOCK_SKEW_SECONDS } from '../../domain/token-grant.ts';

/**
 * Returns until when the bearer token of an `Authorization` header is accepted, with the skew of
 * clocks. Only for a token that was verified: the signature is not verified here.
 */
export function acceptedUntil(authorization: string | undefined): Date {
  const { exp } = decodeJwt((authorization ?? '').replace(/^Bearer +/i, '').trim());
  if (exp === undefined) throw new Error('A verified token has no expiry.');
  return new Date((exp + CLOCK_SKEW_SECONDS) * 1_000);
}
