import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignedDelivery = {
  /** A signature under any of these keys is accepted, so that keys can be rotated. */
  keys: readonly string[];
  /** The exact URL registered with the provider, never the URL of the request. */
  notificationUrl: string;
  body: Buffer;
  signature: string | undefined;
};

/**
 * Whether alpha signed these bytes: HMAC-SHA256 over URL and body, or over the body alone, in
 * base64 or hex. Takes the same time for every wrong signature. Without a key nothing is valid.
 */
export function isSignedByAlpha(delivery: SignedDelivery): boolean {
  const { keys, notificationUrl, body, signature } = delivery;
  const given = decodeDigest(signature ?? '');
  if (given === null) return false;

  for (const key of keys) {
    for (const prefix of [notificationUrl, '']) {
      const expected = createHmac('sha256', key).update(prefix, 'utf8').update(body).digest();
      if (timingSafeEqual(expected, given)) return true;
    }
  }
  return false;
}

/** Decodes a signature of 32 bytes from base64 or hex; null for anything else. */
function decodeDigest(signature: string): Buffer | null {
  if (/^[A-Za-z0-9+/]{43}=$/.test(signature)) return Buffer.from(signature, 'base64');
  if (/^[0-9a-fA-F]{64}$/.test(signature)) return Buffer.from(signature, 'hex');
  return null;
}
