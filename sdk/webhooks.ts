import type { components, webhooks } from './generated/schema.ts';

type Test = webhooks['endpoint.test']['post']['requestBody']['content']['application/json'] & {
  id: string;
};

/**
 * What the service has sent; `type` tells what `data` holds. `endpoint.test` is sent when the
 * merchant asks for a test. Later releases may send other types: ignore those you do not know.
 */
export type WebhookEvent = components['schemas']['TenantEvent'] | Test;

/** Why a delivery was not accepted. Answer it with 401 or 400, and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason:
    | 'header_missing'
    | 'timestamp_out_of_range'
    | 'no_signature_matches'
    | 'not_json';

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** As a framework gives them: an object with names in any case, or `Headers`. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How far the delivery's time may be from the present one. Default: 300. */
  toleranceSeconds?: number;
  /** The present time, in milliseconds. Default: `Date.now()`. */
  now?: number;
};

const TOLERANCE_SECONDS = 300;

/**
 * Returns the event of a delivery that one of the secrets has signed, as Standard Webhooks defines
 * it. While a secret is being replaced, pass the old and the new one.
 *
 * `body` has to be the bytes as they came: parsing and writing JSON again changes them. Throws a
 * `WebhookVerificationError` if nothing matches. The same event may come more than once: keep the
 * ids that you have handled.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .flatMap((signature) => bytesOfBase64(signature.slice('v1,'.length)) ?? []);

  const age = Math.abs(now / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > toleranceSeconds) {
    const message = `webhook-timestamp is more than ${toleranceSeconds} seconds from now.`;
    throw new WebhookVerificationError('timestamp_out_of_range', message);
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    if (await isSignedBy(secret, signatures, signed)) return eventOf(id, bytes);
  }
  throw new WebhookVerificationError('no_signature_matches', 'No signature is of a known secret.');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('header_missing', `The delivery has no header ${name}.`);
}

/** `subtle.verify` compares in constant time. */
async function isSignedBy(
  secret: string,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await crypto.subtle.importKey(
    'raw',
    keyOf(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const checks = signatures.map((one) => crypto.subtle.verify('HMAC', key, one, signed));
  return (await Promise.all(checks)).includes(true);
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = bytesOfBase64(secret.replace(/^whsec_/, ''));
  if (key === undefined || key.length === 0) {
    throw new TypeError('A secret is whsec_ and base64, as it was shown when it was made.');
  }
  return key;
}

function eventOf(id: string, bytes: Uint8Array): WebhookEvent {
  const text = new TextDecoder().decode(bytes);
  try {
    return { ...JSON.parse(text), id };
  } catch {
    throw new WebhookVerificationError('not_json', 'The body is signed, but no JSON.');
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
