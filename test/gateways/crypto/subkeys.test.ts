import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealer, createSubkeys } from '../../../gateways/crypto/sealer.ts';

const ring = [
  { id: 'k2', key: new Uint8Array(32).fill(2) },
  { id: 'k1', key: new Uint8Array(32).fill(1) },
];
const hex = (key: Uint8Array | undefined) => Buffer.from(key ?? []).toString('hex');

/** HKDF (RFC 5869) by its definition, for one block and no salt. */
function hkdf(key: Uint8Array, info: string): string {
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(key).digest();
  return createHmac('sha256', extracted).update(info).update(Buffer.of(1)).digest('hex');
}

describe('subkeys', () => {
  it('are derived with HKDF-SHA256, one for each key, with its id', () => {
    const subkeys = createSubkeys(ring, 'code hmac');
    expect(subkeys.map(({ id, key }) => [id, hex(key)])).toEqual(
      ring.map(({ id, key }) => [id, hkdf(key, 'loyalty code hmac v1')]),
    );
  });

  it('differ by purpose and by key, and from the key itself', () => {
    const purposes = ['state signing', 'code hmac', 'sealed bodies'] as const;
    const keys = purposes.flatMap((purpose) => createSubkeys(ring, purpose));
    expect(new Set([...ring, ...keys].map(({ key }) => hex(key))).size).toBe(8);
  });

  it('require a key', () => {
    expect(() => createSealer(createSubkeys([], 'sealed bodies'))).toThrow('set ENCRYPTION_KEY');
  });
});

describe('a sealer', () => {
  const sealer = createSealer(createSubkeys(ring, 'sealed bodies'));

  it('opens only with the same binding', () => {
    const sealed = sealer.seal('a secret', ['user', 'POST', '/path', 'key']);
    expect(sealed).toMatch(/^v1\.k2\./);
    expect(sealer.open(sealed, ['user', 'POST', '/path', 'key'])).toBe('a secret');
    for (const other of [['user', 'POST', '/path'], ['user', 'POST/path', 'key'], []]) {
      expect(() => sealer.open(sealed, other)).toThrow();
    }
  });

  it('does not open a value sealed for another purpose, even with the same key ids', () => {
    const sealed = sealer.seal('a secret', ['T', 'alpha', 'token']);
    const context = { tenantId: 'T', provider: 'alpha', field: 'token' };
    expect(() => createSealer(ring).open(sealed, context)).toThrow();
    expect(() =>
      createSealer(createSubkeys(ring, 'code hmac')).open(sealed, ['T', 'alpha', 'token']),
    ).toThrow();
  });
});
