import { describe, expect, it } from 'vitest';
import { type Permission, permissions, ROLES } from '../../domain/roles.ts';
import { hasScope, scopeOf, shortfallOf, type TokenGrant } from '../../domain/token-grant.ts';
import { ANY_TOKEN } from '../support/http/serve-routes.ts';

const NOW = new Date('2026-01-15T10:00:00.000Z');
const agoSeconds = (seconds: number) => NOW.getTime() / 1_000 - seconds;
const grant = (some: Partial<TokenGrant> = {}): TokenGrant => ({
  client: null,
  scopes: [],
  signedInAt: null,
  acr: null,
  ...some,
});
const everyPermission: Permission[] = ROLES.flatMap((role) => [...permissions[role]]);

describe('shortfallOf', () => {
  it('nothing is asked of a token where nothing is set', () => {
    for (const permission of everyPermission) {
      expect(shortfallOf(permission, grant(), ANY_TOKEN, NOW)).toBeUndefined();
    }
  });

  const clients = { ...ANY_TOKEN, adminClients: ['office'], merchantClients: ['portal', 'till'] };
  it.each([
    { permission: 'ADMIN_USER_MANAGE', client: 'office', is: undefined },
    { permission: 'ADMIN_USER_MANAGE', client: 'portal', is: 'wrong_client' },
    { permission: 'ADMIN_USER_MANAGE', client: null, is: 'wrong_client' },
    { permission: 'TENANT_REWARD_CONFIG', client: 'portal', is: undefined },
    { permission: 'TENANT_REWARD_CONFIG', client: 'office', is: 'wrong_client' },
    { permission: 'REDEMPTION_VERIFY', client: 'till', is: undefined },
    { permission: 'REDEMPTION_VERIFY', client: 'wallet', is: 'wrong_client' },
    { permission: 'WALLET_REDEEM', client: 'wallet', is: undefined },
    { permission: 'WALLET_REDEEM', client: null, is: undefined },
  ] as const)('$permission with the app $client: $is', ({ permission, client, is }) => {
    expect(shortfallOf(permission, grant({ client }), clients, NOW)).toBe(is);
  });

  it('each permission needs the scope of its group, and no other helps', () => {
    const policy = { ...ANY_TOKEN, needsScopes: true };
    for (const permission of everyPermission) {
      const others = (['wallet', 'till', 'shop', 'admin'] as const).filter(
        (scope) => scope !== scopeOf(permission),
      );
      const with_ = (scopes: string[]) => shortfallOf(permission, grant({ scopes }), policy, NOW);
      expect(with_([scopeOf(permission)])).toBeUndefined();
      expect(with_([...others, 'openid'])).toBe('missing_scope');
    }
  });

  const age = { ...ANY_TOKEN, adminMaxAuthAge: 600 };
  it.each([
    { signedInAt: agoSeconds(0), is: undefined },
    { signedInAt: agoSeconds(660), is: undefined },
    { signedInAt: agoSeconds(661), is: 'sign_in_again' },
    { signedInAt: agoSeconds(-60), is: undefined },
    { signedInAt: agoSeconds(-61), is: 'sign_in_again' },
    { signedInAt: null, is: 'sign_in_again' },
  ])('an administrator who signed in at $signedInAt: $is', ({ signedInAt, is }) => {
    expect(shortfallOf('ADMIN_USER_SEARCH', grant({ signedInAt }), age, NOW)).toBe(is);
    expect(shortfallOf('TENANT_VIEW', grant({ signedInAt }), age, NOW)).toBeUndefined();
  });

  it('an administrator’s sign-in without a time is none, however long one is good', () => {
    const policy = { ...ANY_TOKEN, adminMaxAuthAge: Number.MAX_SAFE_INTEGER };
    const with_ = (signedInAt: number | null) =>
      shortfallOf('ADMIN_USER_SEARCH', grant({ signedInAt }), policy, NOW);
    expect([with_(1), with_(null)]).toEqual([undefined, 'sign_in_again']);
  });

  it('an administrator needs exactly the acr that is set', () => {
    const policy = { ...ANY_TOKEN, adminAcr: 'mfa' };
    const withAcr = (acr: string | null) =>
      shortfallOf('ADMIN_USER_SEARCH', grant({ acr }), policy, NOW);
    expect([withAcr('mfa'), withAcr('MFA'), withAcr(null)]).toEqual([
      undefined,
      'sign_in_again',
      'sign_in_again',
    ]);
  });

  it('says first what signing in again does not help against', () => {
    const policy = { ...clients, needsScopes: true, adminAcr: 'mfa' };
    const of = (some: Partial<TokenGrant>) =>
      shortfallOf('ADMIN_USER_SEARCH', grant(some), policy, NOW);
    expect(of({})).toBe('wrong_client');
    expect(of({ client: 'office' })).toBe('missing_scope');
    expect(of({ client: 'office', scopes: ['admin'] })).toBe('sign_in_again');
    expect(of({ client: 'office', scopes: ['admin'], acr: 'mfa' })).toBeUndefined();
  });
});

describe('hasScope', () => {
  it('one of several is enough, and none is asked for where tokens need none', () => {
    const needed = ['wallet', 'till'] as const;
    const has = (scopes: string[], needsScopes = true) =>
      hasScope(needed, { scopes }, { needsScopes });
    expect([has(['till']), has(['shop']), has([], false)]).toEqual([true, false, true]);
  });
});
