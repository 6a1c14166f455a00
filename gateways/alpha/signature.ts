import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignedDelivery = {
  /** Any of them may have signed, so that keys can be rotated. */
  keys: readonly string[];
  /** The exact address registered with the provider, never the one of the request. */
  notificationUrl: string;
  body: Buffer;
  signature: string | undefined;
};

/**
 * Whether alpha signed these bytes: HMAC-SHA256 over address and body, or over the body alone, in
 * base64 or hex (contract 5). Takes the same time for every wrong signature. No key: never.
 */
export function isSignedByAlpha(delivery: SignedDelivery): boolean {
  const { keys, notificationUrl, body, signature } = delivery;
  const given = digestFrom(signature ?? '');
  if (given === null) return false;

  for (const key of keys) {
    for (const prefix of [notificationUrl, '']) {
      const expected = createHmac('sha256', key).update(prefix, 'utf8').update(body).digest();
      if (timingSafeEqual(expected, given)) return true;
    }
  }
  return false;
}

/** The 32 bytes that a signature spells in base64 or hex; null when it spells anything else. */
function digestFrom(signature: string): Buffer | null {
  if (/^[A-Za-z0-9+/]{43}=$/.test(signature)) return Buffer.from(signature, 'base64');
  if (/^[0-9a-fA-F]{64}$/.test(signature)) return Buffer.from(signature, 'hex');
  return null;
}
