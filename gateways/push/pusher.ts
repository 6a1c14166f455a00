import { createECDH } from 'node:crypto';
import { encrypt } from 'http_ece';
import { importJWK, SignJWT } from 'jose';
import { AddressError, type Resolve, resolveByDns } from '../webhooks/addresses.ts';
import { postToPublic } from '../webhooks/post.ts';

/** Where a browser is told of something, and the keys for which it is encrypted. */
export type Subscription = { endpoint: string; p256dh: string; auth: string };

/** What a browser is told; of two with the same topic it shows the later one. */
export type Push = { payload: string; topic: string };

/**
 * What became of it. `gone`: the browser is never told again. `refused`: this will never be taken.
 * `later`: it may be tried again.
 */
export type Pushed = 'taken' | 'gone' | 'refused' | 'later';

export type Pusher = {
  /** Has a push service tell a browser. Never rejects. */
  push(subscription: Subscription, push: Push): Promise<Pushed>;
};

const WITHIN_MS = 5_000;
/** For how long a push service keeps what a phone that is off has not got. */
const TTL_SECONDS = 24 * 3_600;
/** Push services accept tokens of at most a day. */
const TOKEN_LIFETIME = '12h';

/**
 * Creates what sends pushes (RFC 8030): encrypted for the browser alone (RFC 8291), and signed, so
 * that the push service knows whose they are (RFC 8292). DNS, connecting and the answer have five
 * seconds together. Throws where the private key is none of P-256.
 */
export function createPusher(options: {
  /** 32 bytes, in base64url. */
  privateKey: string;
  /** Where a push service can complain: a mailto: or https: address. */
  contact: string;
  /** Whether this machine may be called, as in the sandbox. */
  allowsLoopback: boolean;
  resolve?: Resolve;
  withinMs?: number;
}): Pusher {
  const { contact, allowsLoopback, resolve = resolveByDns, withinMs = WITHIN_MS } = options;
  const signer = signerOf(options.privateKey);
  return {
    async push(subscription, { payload, topic }) {
      const body = encrypted(payload, subscription);
      if (body === undefined) return 'gone';
      const signal = AbortSignal.timeout(withinMs);
      try {
        const url = new URL(subscription.endpoint);
        const token = await signer.sign({ audience: url.origin, contact });
        const headers = {
          Authorization: `vapid t=${token}, k=${signer.publicKey}`,
          'Content-Encoding': 'aes128gcm',
          'Content-Type': 'application/octet-stream',
          TTL: `${TTL_SECONDS}`,
          Topic: topic,
        };
        const calling = { allowsLoopback, resolve, signal };
        const answer = await postToPublic({ url, headers, body }, calling);
        answer.destroy();
        return meaningOf(answer.statusCode ?? 0);
      } catch (error) {
        return error instanceof AddressError ? 'refused' : 'later';
      }
    },
  };
}

/** Returns the public half of a private key of P-256, both in base64url. */
export function publicPushKey(privateKey: string): string {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  return pair.getPublicKey('base64url');
}

function signerOf(privateKey: string) {
  const publicKey = publicPushKey(privateKey);
  const point = Buffer.from(publicKey, 'base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  const key = importJWK({ kty: 'EC', crv: 'P-256', d: privateKey, x, y }, 'ES256');
  return {
    publicKey,
    sign: async ({ audience, contact }: { audience: string; contact: string }) =>
      new SignJWT()
        .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
        .setAudience(audience)
        .setSubject(contact)
        .setExpirationTime(TOKEN_LIFETIME)
        .sign(await key),
  };
}

/** Undefined where nothing can be encrypted for the keys: nobody could read it. */
function encrypted(payload: string, { p256dh, auth }: Subscription): Buffer | undefined {
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  try {
    return encrypt(Buffer.from(payload), {
      version: 'aes128gcm',
      privateKey,
      dh: p256dh,
      authSecret: auth,
    });
  } catch {
    return undefined;
  }
}

function meaningOf(status: number): Pushed {
  if (status >= 200 && status < 300) return 'taken';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'later' : 'refused';
}
