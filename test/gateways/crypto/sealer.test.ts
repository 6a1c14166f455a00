import { describe, expect, it } from 'vitest';
import { Sealed } from '../../../domain/sealed.ts';
import { createSealer, createSubkeys } from '../../../gateways/crypto/sealer.ts';

const one = { id: 'k1', key: new Uint8Array(32).fill(1) };
const two = { id: 'k2', key: new Uint8Array(32).fill(2) };
const context = { tenantId: 'T1', provider: 'alpha', field: 'access_token' };
const sealer = createSealer([one]);
const NONCE_BYTES = 12;

describe('seal', () => {
  it.each(['EAAA-token', '', 'ключ ☕', 'x'.repeat(10_000)])('opens again: %.12s', (secret) => {
    const sealed = sealer.seal(secret, context);
    expect(Sealed.parse(sealed)).toBe(sealed);
    expect(sealer.open(sealed, context)).toBe(secret);
  });

  it('reveals only the id of the key', () => {
    const sealed = sealer.seal('EAAA-token', context);
    expect(sealed).toMatch(/^v1\.k1\./);
    expect(Buffer.from(bytesOf(sealed)).toString('latin1')).not.toContain('EAAA-token');
  });

  it('uses a new nonce each time, so that equal secrets are sealed differently', () => {
    const sealed = Array.from({ length: 2_000 }, () => sealer.seal('token', context));
    const nonces = sealed.map((text) => bytesOf(text).subarray(0, NONCE_BYTES).toString('hex'));
    expect(new Set(nonces).size).toBe(2_000);
  });

  it('requires a key', () => {
    expect(() => createSealer([])).toThrow('set ENCRYPTION_KEY');
  });
});

describe('open', () => {
  const sealed = sealer.seal('EAAA-token', context);

  it.each([
    { moved: { tenantId: 'T2' }, to: 'another tenant' },
    { moved: { provider: 'beta' }, to: 'another provider' },
    { moved: { field: 'refresh_token' }, to: 'another field' },
    { moved: { tenantId: 'T1","alpha' }, to: 'a tenant with quotes in its name' },
    { moved: { tenantId: '', provider: 'T1alpha' }, to: 'names that are split differently' },
  ])('refuses what was moved to $to', ({ moved }) => {
    expect(() => sealer.open(sealed, { ...context, ...moved })).toThrow();
  });

  it('refuses a value with any byte changed', () => {
    const bytes = bytesOf(sealed);
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => sealer.open(withBytes(changed), context), `byte ${index}`).toThrow();
    }
  });

  it('refuses a truncated or extended value', () => {
    const bytes = bytesOf(sealed);
    for (const length of [1, 11, 12, 13, 27, 28, bytes.length - 1]) {
      expect(() => sealer.open(withBytes(bytes.subarray(0, length)), context)).toThrow();
    }
    expect(() => sealer.open(withBytes(Buffer.concat([bytes, bytes])), context)).toThrow();
  });

  it('refuses another key with the same id', () => {
    const other = createSealer([{ id: 'k1', key: two.key }]);
    expect(() => other.open(sealed, context)).toThrow();
  });

  it('names the missing key', () => {
    expect(() => createSealer([two]).open(sealed, context)).toThrow(
      'A secret is sealed under key k1, which ENCRYPTION_KEY does not hold.',
    );
  });

  it('does not include the secret in an error', () => {
    const ring = createSealer([two, { id: 'k1', key: two.key }]);
    expect(() => ring.open(sealed, context)).not.toThrow(/EAAA/);
  });
});

describe('what is at rest', () => {
  it.each([
    {
      kind: "a provider's secret",
      sealed: 'v1.k1.ODHEa4gZbtl9-kY_a6BTcut34vs8bn9z914R0SSwear1hzONtog',
      ring: [one],
      binding: context,
      text: 'EAAA-token',
    },
    {
      kind: 'an answer',
      sealed: 'v1.k1.cqGKT8HBCkp6aIGTmjbMV3uaaMoGX5WYY-c8DtCygc6gYuo6-T5a7aYJWjmk',
      ring: createSubkeys([one], 'sealed bodies'),
      binding: ['idempotency', 'U1', 'POST', '/path', 'key'],
      text: '{"code":"A1B2C3"}',
    },
  ])('stays readable: $kind', ({ sealed, ring, binding, text }) => {
    expect(createSealer(ring).open(Sealed.parse(sealed), binding)).toBe(text);
  });

  it('stays recognisable', () => {
    expect(sealer.fingerprints('ann@example.com').map((mac) => mac.toString('hex'))).toEqual([
      'bf9cd9e62cfd625a45c0762fd037583b47d902da07b5f5101dcecbe386dda4b7',
    ]);
  });
});

describe('a rotated ring', () => {
  const rotated = createSealer([two, one]);

  it('opens what the old key sealed and seals under the new one', () => {
    expect(rotated.open(sealer.seal('old', context), context)).toBe('old');
    const sealed = rotated.seal('new', context);
    expect(sealed).toMatch(/^v1\.k2\./);
    expect(rotated.open(sealed, context)).toBe('new');
    expect(() => sealer.open(sealed, context)).toThrow('key k2');
  });
});

const bytesOf = (sealed: string) => Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
const withBytes = (bytes: Buffer) => Sealed.parse(`v1.k1.${bytes.toString('base64url')}`);
