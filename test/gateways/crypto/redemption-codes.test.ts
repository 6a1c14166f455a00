import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { RedemptionId, TenantId } from '../../../domain/ids.ts';
import { createRedemptionCodes } from '../../../gateways/crypto/redemption-codes.ts';

const key = (id: string, fill: number) => ({ id, key: new Uint8Array(32).fill(fill) });
const owner = () => ({
  id: RedemptionId.parse(randomUUID()),
  tenantId: TenantId.parse(randomUUID()),
});

it('a code is 6 random bytes in upper-case hexadecimal', () => {
  const codes = createRedemptionCodes([key('k1', 7)], (bytes) => Buffer.alloc(bytes, 0xab));
  expect(codes.make(owner()).code).toBe('ABABABABABAB');
  const made = Array.from({ length: 500 }, () =>
    createRedemptionCodes([key('k1', 7)]).make(owner()),
  );
  expect(new Set(made.map(({ code }) => code)).size).toBe(500);
  for (const { code } of made) expect(code).toMatch(/^[0-9A-F]{12}$/);
});

it('what is stored of a code is none', () => {
  const { code, hmac, sealed } = createRedemptionCodes([key('k1', 7)]).make(owner());
  const stored = `${hmac.toString('hex')} ${hmac.toString('base64')} ${sealed}`.toUpperCase();
  expect(hmac).toHaveLength(32);
  expect(stored).not.toContain(code);
});

it('is found under every key of the ring, and made under the first', () => {
  const before = createRedemptionCodes([key('k1', 7)]);
  const rotated = createRedemptionCodes([key('k2', 8), key('k1', 7)]);
  const old = before.make(owner());
  expect(rotated.hmacsOf(old.code)).toContainEqual(old.hmac);

  const made = rotated.make(owner());
  expect(made.keyId).toBe('k2');
  expect(made.hmacs).toEqual(rotated.hmacsOf(made.code));
  expect(made.hmac).toEqual(made.hmacs[0]);
  expect(before.hmacsOf(made.code)).not.toContainEqual(made.hmac);
});

it('the sealed copy opens for its own redemption only, also after a rotation', () => {
  const mine = owner();
  const { code, sealed } = createRedemptionCodes([key('k1', 7)]).make(mine);
  const rotated = createRedemptionCodes([key('k2', 8), key('k1', 7)]);
  expect(rotated.open(sealed, mine)).toBe(code);
  expect(() => rotated.open(sealed, { ...mine, id: owner().id })).toThrow();
  expect(() => rotated.open(sealed, { ...mine, tenantId: owner().tenantId })).toThrow();
  expect(() => createRedemptionCodes([key('k2', 8)]).open(sealed, mine)).toThrow('k1');
});

it('is renewed under the first key, and stays the same code', () => {
  const whose = owner();
  const old = createRedemptionCodes([key('k1', 7)]).make(whose);
  const rotated = createRedemptionCodes([key('k2', 8), key('k1', 7)]);
  const renewed = rotated.renew(old.sealed, whose);
  expect(renewed).toMatchObject({ code: old.code, keyId: 'k2' });
  const without = createRedemptionCodes([key('k2', 8)]);
  expect(without.open(renewed.sealed, whose)).toBe(old.code);
  expect(without.hmacsOf(old.code)).toEqual([renewed.hmac]);
  expect(() => rotated.renew(old.sealed, owner())).toThrow();
});
