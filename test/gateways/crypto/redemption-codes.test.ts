import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { RedemptionId, TenantId } from '../../../domain/ids.ts';
import { createRedemptionCodes } from '../../../gateways/crypto/redemption-codes.ts';

const key = (id: string, fill: number) => ({ id, key: new Uint8Array(32).fill(fill) });
const anOwner = () => ({
  id: RedemptionId.parse(randomUUID()),
  tenantId: TenantId.parse(randomUUID()),
});

it('a code is 6 random bytes in upper-case hexadecimal', () => {
  const codes = createRedemptionCodes([key('k1', 7)], (bytes) => Buffer.alloc(bytes, 0xab));
  expect(codes.make(anOwner()).code).toBe('ABABABABABAB');
  const made = Array.from({ length: 500 }, () =>
    createRedemptionCodes([key('k1', 7)]).make(anOwner()),
  );
  expect(new Set(made.map(({ code }) => code)).size).toBe(500);
  for (const { code } of made) expect(code).toMatch(/^[0-9A-F]{12}$/);
});

it('the stored forms do not contain the code', () => {
  const { code, hmac, sealed } = createRedemptionCodes([key('k1', 7)]).make(anOwner());
  const stored = `${hmac.toString('hex')} ${hmac.toString('base64')} ${sealed}`.toUpperCase();
  expect(hmac).toHaveLength(32);
  expect(stored).not.toContain(code);
});

it('a code is made under the first key and found under every key', () => {
  const before = createRedemptionCodes([key('k1', 7)]);
  const rotated = createRedemptionCodes([key('k2', 8), key('k1', 7)]);
  const old = before.make(anOwner());
  expect(rotated.hmacsOf(old.code)).toContainEqual(old.hmac);

  const made = rotated.make(anOwner());
  expect(made.keyId).toBe('k2');
  expect(made.hmacs).toEqual(rotated.hmacsOf(made.code));
  expect(made.hmac).toEqual(made.hmacs[0]);
  expect(before.hmacsOf(made.code)).not.toContainEqual(made.hmac);
});

it('the sealed copy can be opened only for its own redemption, also after a rotation', () => {
  const owner = anOwner();
  const { code, sealed } = createRedemptionCodes([key('k1', 7)]).make(owner);
  const rotated = createRedemptionCodes([key('k2', 8), key('k1', 7)]);
  expect(rotated.open(sealed, owner)).toBe(code);
  expect(() => rotated.open(sealed, { ...owner, id: anOwner().id })).toThrow();
  expect(() => rotated.open(sealed, { ...owner, tenantId: anOwner().tenantId })).toThrow();
  expect(() => createRedemptionCodes([key('k2', 8)]).open(sealed, owner)).toThrow('k1');
});

it('renew seals the same code under the first key', () => {
  const owner = anOwner();
  const old = createRedemptionCodes([key('k1', 7)]).make(owner);
  const rotated = createRedemptionCodes([key('k2', 8), key('k1', 7)]);
  const renewed = rotated.renew(old.sealed, owner);
  expect(renewed).toMatchObject({ code: old.code, keyId: 'k2' });
  const newKeyOnly = createRedemptionCodes([key('k2', 8)]);
  expect(newKeyOnly.open(renewed.sealed, owner)).toBe(old.code);
  expect(newKeyOnly.hmacsOf(old.code)).toEqual([renewed.hmac]);
  expect(() => rotated.renew(old.sealed, anOwner())).toThrow();
});
