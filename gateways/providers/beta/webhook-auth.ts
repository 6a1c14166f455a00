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
  const { codes, all } = givenIn(headers);
  return isShared(all, secret) || isSigned(codes, secret, body);
}

/**
 * Says of the headers alone whether they hold the secret; `signed` if they hold what may be the
 * HMAC of a body that was not read yet.
 */
export function proofInHeaders({
  secret,
  headers,
}: Omit<BetaDelivery, 'body'>): 'secret' | 'signed' | 'none' {
  if (secret === undefined || secret === '') return 'none';
  const { codes, all } = givenIn(headers);
  if (isShared(all, secret)) return 'secret';
  return codes.some((code) => HMAC.test(code)) ? 'signed' : 'none';
}

/** SHA-256 in hex or base64. */
const HMAC = /^(sha256=)?([0-9a-f]{64}|[0-9a-z+/]{43}=)$/i;

function givenIn(headers: BetaDelivery['headers']) {
  const codes = [headers['x-beta-auth'], headers['x-clover-auth']].map((code) => `${code ?? ''}`);
  const bearer = `${headers.authorization ?? ''}`.replace(/^Bearer +/i, '');
  return { codes, all: [...codes, bearer] };
}

function isShared(given: readonly string[], secret: string): boolean {
  return given.filter((each) => isEqualInConstantTime(each, secret)).length > 0;
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
