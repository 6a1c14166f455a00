import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Route, route } from '../../../../api/http/route.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant, aWallet } from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { ADMIN_DOMAIN, serveRoutes } from '../../../support/http/serve-routes.ts';
import { startIssuer } from '../../../support/people/issuer.ts';
import { type TestPerson, tokenFor } from '../../../support/people/tokens.ts';

const Body = z.object({ points: z.int() });
const Envelope = z.object({ code: z.string().optional() });
const Seen = z.object({ tenant: z.string().nullable(), user: z.string() });

const routes: Route[] = [
  route({
    method: 'POST',
    path: '/client/tenants/:tenantId/things/:connectionId',
    access: 'TENANT_PROFILE_UPDATE',
    summary: 'Of a tenant',
    body: Body,
    response: Seen,
    handle: ({ user, tenant }) => ({ tenant: tenant.id, user: user.id }),
  }),
  route({
    method: 'POST',
    path: '/admin/tenants/:tenantId',
    access: 'ADMIN_TENANTS_VIEW_ALL',
    summary: 'Of an administrator',
    response: Seen,
    handle: ({ user, tenant }) => ({ tenant: tenant.id, user: user.id }),
  }),
  route({
    method: 'GET',
    path: '/any',
    access: 'any-token',
    summary: 'Of anyone with a token',
    response: Seen,
    handle: ({ user, tenant = null }) => ({ tenant, user: user.id }),
  }),
  route({
    method: 'GET',
    path: '/own',
    access: 'WALLET_VIEW_OWN',
    summary: 'Of a consumer',
    response: Seen,
    handle: ({ user }) => ({ tenant: null, user: user.id }),
  }),
];
let tenantId: TenantId;
const database = await useDatabase();
const issuer = await startIssuer();
const served = await serveRoutes(routes, { issuer, db: database.db });
afterAll(async () => {
  await served.close();
  await issuer.close();
});
beforeEach(async () => {
  tenantId = await aTenant(database.db);
});

const tokenOf = (person: TestPerson) => tokenFor(database.db, issuer, person);

async function answer(method: string, path: string, token?: string, body?: string) {
  const response = await fetch(`${served.url}/api/v1${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
  });
  const { code } = Envelope.parse(await response.json());
  return { status: response.status, code };
}

const insufficientRole = { status: 403, code: 'INSUFFICIENT_ROLE' };
const thing = (tenant: string, connection: string = randomUUID()) =>
  `/client/tenants/${tenant}/things/${connection}`;

describe('authentication comes first', () => {
  it.each([
    ['no token', undefined],
    ['another scheme', 'Basic YTpi'],
    ['an empty token', 'Bearer '],
    ['two tokens', 'Bearer a.b.c d.e.f'],
    ['a malformed token', 'Bearer nonsense'],
  ])('401 UNAUTHORIZED with %s, whatever else is wrong', async (_, authorization) => {
    const response = await fetch(`${served.url}/api/v1${thing('not-an-id')}`, {
      method: 'POST',
      headers: { ...(authorization && { authorization }) },
      body: 'not json',
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('503 INTERNAL_ERROR, not 401, while the issuer cannot be reached', async () => {
    const gone = await startIssuer();
    const other = await serveRoutes(routes, { issuer: gone, db: database.db });
    const token = await gone.token({ sub: 'ann' });
    await gone.close();
    try {
      const response = await fetch(`${other.url}/api/v1/own`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('5');
      expect(await response.json()).toMatchObject({ code: 'INTERNAL_ERROR' });
      expect(other.reported).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it.each<[string, TestPerson]>([
    ['waits for approval', { role: 'client', status: 'pending_approval' }],
    ['is suspended', { role: 'client', status: 'suspended' }],
    ['is an admin outside the domain', { role: 'admin', email: 'boss@elsewhere.example' }],
    ['is an admin of a sub-domain', { role: 'admin', email: `boss@sub.${ADMIN_DOMAIN}` }],
  ])(
    '401 UNAUTHORIZED everywhere for a user who %s, but not where any token is enough',
    async (_, person) => {
      const email = person.email && `${randomUUID()}${person.email}`;
      const member = person.role === 'admin' ? {} : { member: tenantId };
      const token = await tokenOf({ ...person, ...(email && { email }), ...member });
      for (const [method, path] of [
        ['POST', thing(tenantId)],
        ['POST', `/admin/tenants/${tenantId}`],
        ['GET', '/own'],
      ] as const) {
        expect(await answer(method, path, token)).toMatchObject({
          status: 401,
          code: 'UNAUTHORIZED',
        });
      }
      expect(await answer('GET', '/any', token)).toMatchObject({ status: 200 });
    },
  );

  it('200 for a new user, who becomes a consumer', async () => {
    const token = await issuer.token({ sub: randomUUID() });
    const answers = await Promise.all([1, 2, 3].map(() => answer('GET', '/own', token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe('then the tenant', () => {
  it.each([
    ['malformed', 'not-an-id'],
    ['unknown', randomUUID()],
  ])('404 TENANT_NOT_FOUND for one that is %s, for every role', async (_, id) => {
    for (const role of ['client', 'consumer', 'admin'] as const) {
      expect(await answer('POST', thing(id), await tokenOf({ role }))).toMatchObject({
        status: 404,
        code: 'TENANT_NOT_FOUND',
      });
    }
  });

  it.each(['client', 'pos_operator', 'consumer', 'admin'] as const)(
    '403 TENANT_FORBIDDEN for a %s who does not belong to it',
    async (role) => {
      const elsewhere = role === 'client' || role === 'pos_operator';
      const member = elsewhere ? { member: await aTenant(database.db) } : {};
      const token = await tokenOf({ role, ...member });
      expect(await answer('POST', thing(tenantId), token)).toMatchObject({
        status: 403,
        code: 'TENANT_FORBIDDEN',
      });
    },
  );
});

describe('then the permission', () => {
  it('403 INSUFFICIENT_ROLE for an operator of the tenant', async () => {
    const token = await tokenOf({ role: 'pos_operator', member: tenantId });
    expect(await answer('POST', thing(tenantId, 'not-an-id'), token, '{')).toEqual(
      insufficientRole,
    );
  });

  it('403 INSUFFICIENT_ROLE on a route without a tenant', async () => {
    for (const role of ['client', 'admin'] as const) {
      expect(await answer('GET', '/own', await tokenOf({ role }))).toEqual(insufficientRole);
    }
  });
});

describe('then validation', () => {
  it('404 NOT_FOUND for an id that cannot exist, 400 for an invalid body, else 200', async () => {
    const token = await tokenOf({ role: 'client', member: tenantId });
    expect(await answer('POST', thing(tenantId, 'not-an-id'), token, '{')).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    });
    expect(await answer('POST', thing(tenantId), token, '{}')).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
    const upperCase = thing(tenantId.toUpperCase());
    expect(await answer('POST', upperCase, token, '{"points":1}')).toMatchObject({ status: 200 });
  });
});

describe('under /admin', () => {
  it('403 INSUFFICIENT_ROLE before the tenant is looked up', async () => {
    const token = await tokenOf({ role: 'client', member: tenantId });
    for (const id of [tenantId, randomUUID(), 'not-an-id']) {
      expect(await answer('POST', `/admin/tenants/${id}`, token)).toEqual(insufficientRole);
    }
  });

  it('200 for every tenant that exists, 404 TENANT_NOT_FOUND for others', async () => {
    const token = await tokenOf({ role: 'admin' });
    expect(await answer('POST', `/admin/tenants/${tenantId}`, token)).toMatchObject({
      status: 200,
    });
    for (const id of [randomUUID(), 'not-an-id']) {
      expect(await answer('POST', `/admin/tenants/${id}`, token)).toMatchObject({
        status: 404,
        code: 'TENANT_NOT_FOUND',
      });
    }
  });
});

it('403 INSUFFICIENT_ROLE for a consumer at a tenant where they have a wallet', async () => {
  const sub = randomUUID();
  const token = await issuer.token({ sub });
  await answer('GET', '/any', token);
  const user = await database.db('users').where({ sub }).first('id');
  await aWallet(database.db, { userId: user.id, tenantId });
  expect(await answer('POST', thing(tenantId), token)).toEqual(insufficientRole);
});
