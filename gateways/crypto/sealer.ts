import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Sealed } from '../../domain/sealed.ts';

/** A key and its id, which every sealed value contains. */
export type Key = { id: string; key: Uint8Array };

/** One of a tenant's secrets at a provider. */
export type ProviderSecret = { tenantId: string; provider: string; field: string };

/** The owner of a sealed value, by its names. The value can be opened only for this owner. */
export type Binding = readonly string[] | ProviderSecret;

export type Sealer = {
  /** Seals a text under the first key (AES-256-GCM), bound to its owner. */
  seal(text: string, binding: Binding): Sealed;
  /** Opens a value sealed under any key of the ring. Throws when it was altered or moved. */
  open(sealed: Sealed, binding: Binding): string;
  /** Identifies a text without storing it (HMAC-SHA256), once per key, first key first. */
  fingerprints(text: string): [Buffer, ...Buffer[]];
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const ALGORITHM = 'aes-256-gcm';

/**
 * Seals and opens with a ring of keys: the first seals, all open, so that keys can be rotated. The
 * ring itself is for providers' secrets; everything else gets subkeys of its own.
 */
export function createSealer(ring: readonly Key[]): Sealer {
  const [current, ...older] = ring;
  if (current === undefined) throw new Error('The key ring is empty: set ENCRYPTION_KEY.');
  const macOf = (item: Key) => derive(item.key, 'fingerprint');
  const [currentMac, olderMacs] = [macOf(current), older.map(macOf)];

  return {
    fingerprints: (text) => {
      const of = (key: Uint8Array) => createHmac('sha256', key).update(text, 'utf8').digest();
      return [of(currentMac), ...olderMacs.map(of)];
    },

    seal(text, binding) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(bytesOf(binding));
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const envelope = Buffer.concat([nonce, cipher.getAuthTag(), hidden]);
      return Sealed.parse(`v1.${current.id}.${envelope.toString('base64url')}`);
    },

    open(sealed, binding) {
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
      decipher.setAAD(bytesOf(binding));
      decipher.setAuthTag(tag);
      const hidden = envelope.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
    },
  };
}

/** The uses of keys, other than sealing providers' secrets. */
export type Purpose =
  | 'state signing'
  | 'code hmac'
  | 'sealed codes'
  | 'sealed bodies'
  | 'contact fingerprints'
  | 'contact proofs'
  | 'statement signing'
  | 'webhook secrets'
  | 'stop links';

/**
 * Derives the keys of one purpose (HKDF-SHA256, 32 bytes). They keep the ids of the original keys.
 * A leaked subkey is of no use for another purpose.
 */
export function createSubkeys(ring: readonly Key[], purpose: Purpose): Key[] {
  return ring.map(({ id, key }) => ({
    id,
    key: derive(key, purpose),
  }));
}

function derive(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `loyalty ${purpose} v1`, KEY_BYTES));
}

function bytesOf(binding: Binding): Buffer {
  return Buffer.from(JSON.stringify(namesOf(binding)), 'utf8');
}

function namesOf(binding: Binding): readonly string[] {
  if (!('field' in binding)) return binding;
  const { tenantId, provider, field } = binding;
  return [tenantId, provider, field];
}
