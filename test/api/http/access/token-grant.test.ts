import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Role } from '../../../../domain/roles.ts';
import type { TokenPolicy } from '../../../../domain/token-grant.ts';
import { aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { Answer, TestApp } from '../../../support/http/app.ts';
import { ANY_TOKEN } from '../../../support/http/serve-routes.ts';

const now = Math.floor(Date.now() / 1_000);
const appWith = (tokens: Partial<TokenPolicy>) =>
  useApp({ settings: { tokens: { ...ANY_TOKEN, ...tokens } } });

/** What was refused, as a program tells it apart. */
function refusalIn({ status, json }: Answer) {
  const { code, issues } = json<{ code?: string; issues?: { code: string }[] }>();
  return [status, code, issues?.[0]?.code];
}

/** Returns tokens of one person of a role, with claims of the token's own. */
async function someone(app: TestApp, role: Role) {
  const member = role === 'client' || role === 'pos_operator' ? await aTenant(app.db) : undefined;
  const { token } = await app.signIn({ role, ...(member && { member }) });
  const { sub, email } = decodeJwt(token);
  const tokenWith = (claims: object) =>
    app.issuer.token({ sub, email, email_verified: true, ...claims });
  return {
    tenantId: member,
    ask: async (claims: object, path: string, method = 'GET') =>
      app.call({ path: `/api/v1${path}`, method, token: await tokenWith(claims) }),
  };
}

describe('where apps are named', async () => {
  const app = await appWith({ adminClients: ['office'], merchantClients: ['portal'] });
  const other = { azp: 'some-wallet', client_id: 'some-wallet' };
  const wrong = [403, 'INSUFFICIENT_ROLE', 'wrong_client'];

  it('403 wrong_client for what an administrator does with another app', async () => {
    const admin = await someone(app, 'admin');
    expect(refusalIn(await admin.ask(other, '/admin/tenants'))).toEqual(wrong);
    expect(refusalIn(await admin.ask({}, '/admin/tenants'))).toEqual(wrong);
    expect((await admin.ask({ azp: 'office' }, '/admin/tenants')).status).toBe(200);
    expect((await admin.ask(other, '/auth/me')).status).toBe(200);
  });

  it('403 wrong_client for a merchant and a till, whose wallet every app may show', async () => {
    const merchant = await someone(app, 'client');
    const shop = `/client/tenants/${merchant.tenantId}`;
    expect(refusalIn(await merchant.ask(other, shop))).toEqual(wrong);
    expect((await merchant.ask({ client_id: 'portal' }, shop)).status).toBe(200);

    const operator = await someone(app, 'pos_operator');
    expect(refusalIn(await operator.ask(other, '/pos/context'))).toEqual(wrong);
    expect((await operator.ask({ azp: 'portal' }, '/pos/context')).status).toBe(200);
    expect((await operator.ask(other, '/consumer/wallets')).status).toBe(200);
  });

  it('says that the role is too little before it says that the app is wrong', async () => {
    const consumer = await someone(app, 'consumer');
    const answer = await consumer.ask(other, '/admin/tenants');
    expect(refusalIn(answer)).toEqual([403, 'INSUFFICIENT_ROLE', undefined]);
  });
});

describe('where tokens need scopes', async () => {
  const app = await appWith({ needsScopes: true });
  const missing = [403, 'INSUFFICIENT_ROLE', 'missing_scope'];

  it('403 missing_scope without the scope of the group', async () => {
    const consumer = await someone(app, 'consumer');
    expect(refusalIn(await consumer.ask({ scope: 'openid' }, '/consumer/wallets'))).toEqual(
      missing,
    );
    expect((await consumer.ask({ scope: 'openid wallet' }, '/consumer/wallets')).status).toBe(200);
    expect((await consumer.ask({}, '/auth/me')).status).toBe(200);
  });

  it.each([
    { method: 'GET', path: `/auth/invites/${randomUUID()}`, with: ['wallet', 'till'] },
    { method: 'POST', path: `/auth/invites/${randomUUID()}/accept`, with: ['wallet', 'till'] },
    { method: 'POST', path: `/auth/invites/${randomUUID()}/decline`, with: ['wallet', 'till'] },
    { method: 'DELETE', path: '/pos/membership/:tenantId', with: ['till'] },
  ])('$method $path: with $with', async ({ method, path, with: scopes }) => {
    const operator = await someone(app, 'pos_operator');
    const address = path.replace(':tenantId', operator.tenantId ?? '');
    for (const scope of ['shop', 'admin', ...(scopes.includes('wallet') ? [] : ['wallet'])]) {
      expect(refusalIn(await operator.ask({ scope }, address, method))).toEqual(missing);
    }
    for (const scope of scopes) {
      expect((await operator.ask({ scope }, address, method)).status).not.toBe(403);
    }
  });
});

it('401 sign_in_again for an administrator who signed in long ago or weakly', async () => {
  const app = await appWith({ adminMaxAuthAge: 3_600, adminAcr: 'mfa' });
  const again = [401, 'UNAUTHORIZED', 'sign_in_again'];
  const admin = await someone(app, 'admin');
  const ask = (claims: object) => admin.ask(claims, '/admin/users/search?q=x');
  expect(refusalIn(await ask({ acr: 'mfa', auth_time: now - 90 * 86_400 }))).toEqual(again);
  expect(refusalIn(await ask({ acr: '0', auth_time: now }))).toEqual(again);
  expect(refusalIn(await ask({ acr: 'mfa' }))).toEqual(again);
  expect((await ask({ acr: 'mfa', auth_time: now })).status).toBe(200);
});

it('401 for odd subjects and times of issue, and no error', async () => {
  const app = await appWith({});
  for (const odd of [{ sub: 'a\u0000b' }, { sub: '\udc00' }, { iat: 1e300 }, { iat: -1e14 }]) {
    const token = await app.issuer.token({ sub: randomUUID(), ...odd });
    const answer = await app.call({ path: '/api/v1/auth/me', token });
    expect(refusalIn(answer)).toEqual([401, 'UNAUTHORIZED', 'token_invalid']);
  }
  expect(app.reported).toEqual([]);
});
