import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Sealed } from '../domain/sealed.ts';

/** What a sealed value belongs to: it opens nowhere else. */
export type SealContext = { tenantId: string; provider: string; field: string };

export type Secrets = {
  /** Seals a secret under the first key (AES-256-GCM), bound to its tenant, provider and field. */
  seal(secret: string, context: SealContext): Sealed;
  /** Opens what was sealed under any key of the ring. Throws when it was altered or moved. */
  open(sealed: Sealed, context: SealContext): string;
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/** Seals and opens with a ring of keys: the first seals, all open, so that keys can be rotated. */
export function createSecrets(ring: readonly { id: string; key: Uint8Array }[]): Secrets {
  const [current] = ring;
  if (current === undefined) throw new Error('The key ring is empty: set ENCRYPTION_KEY.');

  return {
    seal(secret, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(bindingOf(context));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const envelope = Buffer.concat([nonce, cipher.getAuthTag(), text]);
      return Sealed.parse(`v1.${current.id}.${envelope.toString('base64url')}`);
    },

    open(sealed, context) {
      const [, keyId, encoded = ''] = sealed.split('.');
      const key = ring.find((item) => item.id === keyId)?.key;
      if (key === undefined) {
        throw new Error(
          `A secret is sealed under key ${keyId}, which ENCRYPTION_KEY does not hold.`,
        );
      }
      const envelope = Buffer.from(encoded, 'base64url');
      const tag = envelope.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const nonce = envelope.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(bindingOf(context));
      decipher.setAuthTag(tag);
      const text = envelope.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}

function bindingOf({ tenantId, provider, field }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([tenantId, provider, field]), 'utf8');
}
