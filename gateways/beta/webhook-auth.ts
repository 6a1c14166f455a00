import { createHmac } from 'node:crypto';
import { isEqualInConstantTime } from '../crypto/constant-time.ts';

export type BetaDelivery = {
  /** The app's auth code at beta; without one nothing is authentic. */
  secret: string | undefined;
  /** By their names in lower case. */
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
};

/**
 * Whether beta sent this: the secret itself in `X-Beta-Auth` (at the real provider `X-Clover-Auth`)
 * or in `Authorization`, or the HMAC-SHA256 of the body with it, in hex or base64. How wrong a
 * value is does not show in the time it takes. No secret: never.
 */
export function isAuthenticBeta({ secret, headers, body }: BetaDelivery): boolean {
  if (secret === undefined || secret === '') return false;
  const codes = [headers['x-beta-auth'], headers['x-clover-auth']].map((code) => `${code ?? ''}`);
  const bearer = `${headers.authorization ?? ''}`.replace(/^Bearer +/i, '');
  const isShared =
    [...codes, bearer].filter((given) => isEqualInConstantTime(given, secret)).length > 0;
  return isShared || isSigned(codes, secret, body);
}

/** Public integrations sign so, and it needs the secret as well. */
function isSigned(codes: readonly string[], secret: string, body: Buffer): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const matches = codes
    .map((code) => code.replace(/^sha256=/i, ''))
    .filter(
      (given) =>
        isEqualInConstantTime(given.toLowerCase(), expected.toString('hex')) ||
        isEqualInConstantTime(given, expected.toString('base64')),
    );
  return matches.length > 0;
}
