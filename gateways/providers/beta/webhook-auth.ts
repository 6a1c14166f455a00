import { createHmac } from 'node:crypto';
import { isEqualInConstantTime } from '../../crypto/constant-time.ts';

export type BetaDelivery = {
  /** The app's auth code at beta; without it nothing is authentic. */
  secret: string | undefined;
  /** With names in lower case. */
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
};

/**
 * Whether beta sent this webhook. Accepts the secret itself in `X-Beta-Auth` (`X-Clover-Auth` at
 * the real provider) or in `Authorization`, or the HMAC-SHA256 of the body under it, in hex or
 * base64. Takes the same time for every wrong value. Without a secret nothing is authentic.
 */
export function isAuthenticBeta({ secret, headers, body }: BetaDelivery): boolean {
  if (secret === undefined || secret === '') return false;
  const codes = [headers['x-beta-auth'], headers['x-clover-auth']].map((code) => `${code ?? ''}`);
  const bearer = `${headers.authorization ?? ''}`.replace(/^Bearer +/i, '');
  const isShared =
    [...codes, bearer].filter((given) => isEqualInConstantTime(given, secret)).length > 0;
  return isShared || isSigned(codes, secret, body);
}

/** Whether a code is the HMAC of the body, as public integrations send. It requires the secret. */
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
