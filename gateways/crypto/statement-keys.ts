import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { createSubkeys, type Key } from './sealer.ts';

/** A key that verifies statements: 32 bytes in hexadecimal, and its id, which follows from them. */
export type StatementKey = { keyId: string; publicKey: string };

export type StatementKeys = {
  /** The key that signs. */
  current: StatementKey;
  /** All keys that may have signed, the current one first. */
  known: readonly StatementKey[];
  /** Signs a text with the current key (Ed25519); the same text always has the same signature. */
  sign(text: string): string;
  /** Whether a known key with this id has signed the text. */
  verify(text: string, signed: { keyId: string; signature: string }): boolean;
};

/** The start of a PKCS #8 key of Ed25519 (RFC 8410), which 32 secret bytes follow. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Signs with the first of some secret keys. All of them verify, and so do further public keys of
 * 32 bytes in hexadecimal: those of secret keys that are gone.
 */
export function createStatementKeys(
  secrets: readonly Key[],
  publicKeys: readonly string[] = [],
): StatementKeys {
  const own = secrets.map(({ key }) => privateKeyOf(key));
  const [signing] = own;
  if (signing === undefined) throw new Error('There is no key to sign statements with.');
  const all = [...own.map(publicKeyOf), ...publicKeys].map(statementKey);
  const known = [...new Map(all.map((key) => [key.keyId, key])).values()];
  return {
    current: statementKey(publicKeyOf(signing)),
    known,
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), signing).toString('hex'),
    verify(text, { keyId, signature }) {
      const key = known.find((each) => each.keyId === keyId);
      return key !== undefined && isSignedBy(key.publicKey, text, signature);
    },
  };
}

export type StatementKeySettings = {
  encryptionKeys: readonly Key[];
  /** Secret keys of their own, the first of which then signs. */
  signingKeys?: readonly Key[] | undefined;
  publicKeys: readonly string[];
};

/**
 * The keys of whoever signs: keys of their own, or while developing such that are derived from the
 * encryption keys. Beside keys of their own derived ones count for nothing, since more processes
 * have what they are made of.
 */
export function statementKeysFor(settings: StatementKeySettings): StatementKeys {
  const { encryptionKeys, signingKeys = [], publicKeys } = settings;
  const own = signingKeys.length > 0 ? signingKeys : derivedFrom(encryptionKeys);
  return createStatementKeys(own, publicKeys);
}

/** The keys of whoever only verifies: those that are listed, or while developing derived ones. */
export function publicStatementKeysFor({
  encryptionKeys,
  publicKeys,
}: Omit<StatementKeySettings, 'signingKeys'>): Pick<StatementKeys, 'known'> {
  if (publicKeys.length > 0) return { known: publicKeys.map(statementKey) };
  return createStatementKeys(derivedFrom(encryptionKeys));
}

function derivedFrom(encryptionKeys: readonly Key[]): Key[] {
  return createSubkeys(encryptionKeys, 'statement signing');
}

/** The key of some bytes, and its id: the first 16 digits of their SHA-256. */
export function statementKey(publicKey: string): StatementKey {
  const bytes = Buffer.from(publicKey, 'hex');
  return { keyId: createHash('sha256').update(bytes).digest('hex').slice(0, 16), publicKey };
}

/** Whether a public key, 32 bytes in hexadecimal, has signed a text. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'hex'));
}

function privateKeyOf(secret: Uint8Array): KeyObject {
  const key = Buffer.concat([PKCS8_START, secret]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

function publicKeyOf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('hex');
}
