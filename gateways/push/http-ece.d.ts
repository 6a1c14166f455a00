// The library has no declarations. This is what we use of it.
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  /** Encrypts a message for a browser (RFC 8291), in the coding aes128gcm (RFC 8188). */
  export function encrypt(
    message: Buffer,
    parameters: {
      version: 'aes128gcm';
      /** A pair of keys on P-256 that is used once. */
      privateKey: ECDH;
      /** What the browser has told of itself, in base64url. */
      dh: string;
      authSecret: string;
    },
  ): Buffer;
}
