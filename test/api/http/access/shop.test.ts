import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { likelyShop, namedShop, unnamedShop } from '../../../../api/http/access/shop.ts';
import type { User } from '../../../../db/users/users.ts';
import { TenantId, UserId } from '../../../../domain/ids.ts';

const [one, two] = [TenantId.parse(randomUUID()), TenantId.parse(randomUUID())];
const operator = (...tenantIds: TenantId[]): User => ({
  id: UserId.parse(randomUUID()),
  iss: 'https://issuer.test',
  sub: 'ann',
  role: 'pos_operator',
  status: 'active',
  email: null,
  emailVerified: false,
  phone: null,
  phoneVerified: false,
  name: null,
  language: null,
  tenantIds,
});

it('namedShop reads the header in lower case', () => {
  expect(namedShop({})).toBeUndefined();
  expect(namedShop({ 'x-tenant-id': one.toUpperCase() })).toBe(one);
});

describe('unnamedShop', () => {
  it('the only shop, or of several the oldest where that is enough', () => {
    expect(unnamedShop('named', operator(one))).toBe(one);
    expect(unnamedShop('oldest', operator(one, two))).toBe(one);
  });

  it('VALIDATION_ERROR shop_required for several, TENANT_FORBIDDEN without any', () => {
    expect(() => unnamedShop('named', operator(one, two))).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        issues: [expect.objectContaining({ path: '', code: 'shop_required' })],
      }),
    );
    for (const shop of ['named', 'oldest'] as const) {
      expect(() => unnamedShop(shop, operator())).toThrow(
        expect.objectContaining({ code: 'TENANT_FORBIDDEN' }),
      );
    }
  });
});

it('likelyShop is the shop whose quota a request uses, if it will be let in', () => {
  expect(likelyShop(operator(one), {})).toBe(one);
  expect(likelyShop(operator(one, two), {})).toBeUndefined();
  expect(likelyShop(operator(one, two), { 'x-tenant-id': two.toUpperCase() })).toBe(two);
  expect(likelyShop(operator(one), { 'x-tenant-id': two })).toBeUndefined();
  expect(likelyShop(operator(one), { 'x-tenant-id': 'none' })).toBeUndefined();
});
