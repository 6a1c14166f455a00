import { describe, expect, it } from 'vitest';
import {
  createStatementKeys,
  isSignedBy,
  publicStatementKeysFor,
  statementKey,
  statementKeysFor,
} from '../../../gateways/crypto/statement-keys.ts';

/** The first two tests of RFC 8032, section 7.1. */
const RFC = [
  {
    secret: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    text: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e397' +
      '01cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    secret: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    text: 'r',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f361' +
      '3d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
] as const;

const keyOf = (secret: string, id = 'k') => ({ id, key: Buffer.from(secret, 'hex') });
const [first, second] = RFC;

describe('createStatementKeys', () => {
  it.each(RFC)('has the public key and the signature of RFC 8032: $publicKey', (vector) => {
    const keys = createStatementKeys([keyOf(vector.secret)]);
    expect(keys.current.publicKey).toBe(vector.publicKey);
    expect(keys.sign(vector.text)).toBe(vector.signature);
    expect(isSignedBy(vector.publicKey, vector.text, vector.signature)).toBe(true);
  });

  it('names a key by the SHA-256 of its bytes', () => {
    expect(statementKey(first.publicKey).keyId).toBe('21fe31dfa154a261');
  });

  it('signs with the first key and verifies with all, and with public keys that are gone', () => {
    const old = createStatementKeys([keyOf(first.secret)]);
    const signed = { keyId: old.current.keyId, signature: old.sign('text') };
    const both = createStatementKeys([keyOf(second.secret), keyOf(first.secret, 'old')]);
    expect(both.current.publicKey).toBe(second.publicKey);
    expect(both.verify('text', signed)).toBe(true);
    const later = createStatementKeys([keyOf(second.secret)], [first.publicKey]);
    expect(later.known.map(({ publicKey }) => publicKey)).toEqual([
      second.publicKey,
      first.publicKey,
    ]);
    expect(later.verify('text', signed)).toBe(true);
    expect(later.verify('Text', signed)).toBe(false);
    expect(createStatementKeys([keyOf(second.secret)]).verify('text', signed)).toBe(false);
  });

  it('lists a key once that is given twice, and needs one that signs', () => {
    expect(createStatementKeys([keyOf(first.secret)], [first.publicKey]).known).toHaveLength(1);
    expect(() => createStatementKeys([])).toThrow('no key to sign');
  });
});

describe('the keys of a configuration', () => {
  const encryptionKeys = [keyOf(second.secret)];
  const publicOf = (keys: { known: readonly { publicKey: string }[] }) =>
    keys.known.map(({ publicKey }) => publicKey);

  it('are a key of its own and those that are listed, and none that an API could make', () => {
    const signingKeys = [keyOf(first.secret)];
    const keys = statementKeysFor({ encryptionKeys, signingKeys, publicKeys: [second.publicKey] });
    expect(publicOf(keys)).toEqual([first.publicKey, second.publicKey]);
    const api = publicStatementKeysFor({ encryptionKeys, publicKeys: [first.publicKey] });
    expect(publicOf(api)).toEqual([first.publicKey]);
  });

  it('are derived ones while there are none, the same for worker and API', () => {
    const derived = publicOf(statementKeysFor({ encryptionKeys, publicKeys: [] }));
    expect(derived).toHaveLength(1);
    expect(publicOf(publicStatementKeysFor({ encryptionKeys, publicKeys: [] }))).toEqual(derived);
    expect(derived).not.toContain(second.publicKey);
  });
});
