import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { UserId } from '../../../../domain/ids.ts';
import { ROLES } from '../../../../domain/roles.ts';
import { aTenant, aUser } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { Call, SignedIn } from '../../../support/http/app.ts';

const app = await useApp();
const { db } = app;
const token = (await app.signIn({ role: 'admin' })).token;

const ask = (method: string, path: string, rest: Omit<Call, 'method' | 'path'> = {}) =>
  app.call({ method, path: `/api/v1${path}`, ...rest });

const approve = (userId: string) => ask('PATCH', `/admin/users/${userId}/approve`, { token });
const setRole = (userId: string, role: unknown) =>
  ask('PATCH', `/admin/users/${userId}/role`, { token, body: { role } });
const search = (q?: string) =>
  ask('GET', `/admin/users/search${q === undefined ? '' : `?q=${encodeURIComponent(q)}`}`, {
    token,
  });
const auditOf = (targetId: string) => db('audit_log').where({ targetId }).orderBy('seq');
const standingOf = (id: UserId) => db('users').where({ id }).first('role', 'status');

describe('GET /admin/users/search', () => {
  it('200 with users who wait for approval when q is absent, empty or blank', async () => {
    const userId = await aUser(db, { role: 'client', status: 'pending_approval' });
    for (const q of [undefined, '', '  ']) {
      const { status, body } = await search(q);
      expect(status).toBe(200);
      expect(body).toEqual([
        expect.objectContaining({ userId, role: 'client', status: 'pending_approval' }),
      ]);
    }
  });

  it('200 with who has waited longest first, and the shop that a merchant has', async () => {
    const waiting = async (created: string) => {
      const userId = await aUser(db, { role: 'client', status: 'pending_approval' });
      await db('users').where({ id: userId }).update({ createdAt: created });
      return userId;
    };
    const later = await waiting('2020-03-02T10:00:00Z');
    const first = await waiting('2020-03-01T10:00:00Z');
    await db('users').where({ id: first }).update({ name: 'Lina Park', emailVerified: false });
    const tenantId = await aTenant(db, { ownerId: later, name: 'Bakery', country: 'CH' });
    const { body } = await search();
    expect(Object(body).slice(0, 2)).toMatchObject([
      { userId: first, name: 'Lina Park', emailVerified: false, shop: null },
      { userId: later, shop: { tenantId, name: 'Bakery', country: 'CH' } },
    ]);
    await db('users').whereIn('id', [first, later]).update({ status: 'active' });
  });

  it('200 with every field of the users who match, whatever the case', async () => {
    const mark = randomUUID();
    const userId = await aUser(db, { email: `ann@${mark}.example`, phone: '+4915112345678' });
    const expected = {
      userId,
      name: null,
      email: `ann@${mark}.example`,
      emailVerified: true,
      phone: '+4915112345678',
      phoneVerified: true,
      role: 'consumer',
      status: 'active',
      tenantIds: [],
      shop: null,
      application: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    };
    expect((await search(`ANN@${mark.toUpperCase()}`)).body).toEqual([expected]);
    expect((await search('+49 151 1234')).body).toEqual([expected]);
    expect((await search(`ann_${mark}`)).body).toEqual([]);
  });

  it('400 VALIDATION_ERROR for a q longer than any e-mail', async () => {
    expect(await search('x'.repeat(321))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    });
  });
});

describe('PATCH /admin/users/:userId/approve', () => {
  it('200 with one workspace for a client, however often it is repeated', async () => {
    const userId = await aUser(db, {
      role: 'client',
      status: 'pending_approval',
      email: `corner.cafe.${randomUUID()}@shop.example`,
    });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => approve(userId)));
    const owned = await db('memberships').where({ userId });
    expect(owned).toMatchObject([{ role: 'client' }]);
    const { tenantId } = owned[0];
    for (const { status, body } of [...answers, await approve(userId)]) {
      expect({ status, body }).toEqual({
        status: 200,
        body: { userId, role: 'client', status: 'active', tenantId },
      });
    }
    expect(await db('tenants').where({ id: tenantId }).first()).toMatchObject({
      name: expect.stringMatching(/^corner\.cafe\.[^@]+$/),
      country: null,
    });
    expect(await auditOf(userId)).toMatchObject([
      {
        action: 'user.approve',
        targetType: 'user',
        tenantId,
        before: { role: 'client', status: 'pending_approval' },
        after: { role: 'client', status: 'active' },
      },
    ]);
  });

  it('200 with a workspace of the name in the application, which is then gone', async () => {
    const { userId, ...merchant } = await app.signIn({
      role: 'client',
      status: 'pending_approval',
    });
    const application = { shopName: 'Corner Café', phone: '+12125550102', reason: 'For guests.' };
    const path = '/auth/me/application';
    await ask('PUT', path, { token: merchant.token, body: application });
    const found = (await ask('GET', `/admin/users/${userId}`, { token })).body;
    expect(found).toMatchObject({ application });

    const { tenantId } = Object((await approve(userId)).body);
    expect(await db('tenants').where({ id: tenantId }).first()).toMatchObject({
      name: 'Corner Café',
      onboarding: { businessName: 'Corner Café' },
    });
    expect(await db('users').where({ id: userId }).first()).toMatchObject({ application: null });
    const me = (await ask('GET', '/auth/me', { token: merchant.token })).body;
    expect(me).toMatchObject({ needsMerchantOnboarding: false });
    expect(JSON.stringify(await auditOf(userId))).not.toContain('Corner');
  });

  it('200 with the workspace the client already has', async () => {
    const userId = await aUser(db, { role: 'client', status: 'pending_approval' });
    const tenantId = await aTenant(db, { ownerId: userId });
    expect((await approve(userId)).body).toMatchObject({ tenantId });
    expect(await db('memberships').where({ userId })).toHaveLength(1);
  });

  it('200 without a workspace for every other role', async () => {
    for (const role of ['consumer', 'pos_operator', 'admin'] as const) {
      const userId = await aUser(db, { role, status: 'pending_approval' });
      expect((await approve(userId)).body).toEqual({ userId, role, status: 'active' });
      expect(await db('memberships').where({ userId })).toEqual([]);
    }
  });

  it('200 without a change for an active user', async () => {
    const userId = await aUser(db, { role: 'client' });
    expect(await approve(userId)).toMatchObject({
      status: 200,
      body: { userId, role: 'client', status: 'active' },
    });
    expect(await auditOf(userId)).toEqual([]);
  });

  it('403 FORBIDDEN for a suspended user, who stays suspended', async () => {
    const userId = await aUser(db, { role: 'client', status: 'suspended' });
    expect(await approve(userId)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await standingOf(userId)).toEqual({ role: 'client', status: 'suspended' });
    expect(await auditOf(userId)).toEqual([]);
  });

  it('200, and the merchant can use the service', async () => {
    const merchant = await app.signIn({ role: 'client', status: 'pending_approval' });
    const profile = async () => (await ask('GET', '/auth/me', { token: merchant.token })).body;
    expect(await profile()).toMatchObject({ canUseApp: false, code: 'PENDING_APPROVAL' });

    await approve(merchant.userId);
    expect(await profile()).toMatchObject({
      canUseApp: true,
      needsMerchantOnboarding: true,
      tenantIds: [expect.any(String)],
    });
  });
});

describe('PATCH /admin/users/:userId/role', () => {
  it.each(['active', 'pending_approval', 'suspended'] as const)(
    '200 with pending_approval for a user who was %s and becomes a client',
    async (status) => {
      const userId = await aUser(db, { status });
      expect(await setRole(userId, 'client')).toMatchObject({
        status: 200,
        body: { userId, role: 'client', status: 'pending_approval' },
      });
      expect(await standingOf(userId)).toEqual({ role: 'client', status: 'pending_approval' });
    },
  );

  it('200 with the same status for every other role', async () => {
    for (const role of ROLES.filter((role) => role !== 'client')) {
      for (const status of ['active', 'pending_approval', 'suspended'] as const) {
        const userId = await aUser(db, { role: 'client', status });
        expect((await setRole(userId, role)).body).toEqual({ userId, role, status });
        expect(await auditOf(userId)).toMatchObject([
          { action: 'user.role', before: { role: 'client', status }, after: { role, status } },
        ]);
      }
    }
  });

  it.each(['consumer', 'client', 'admin'] as const)(
    '200, and an operator who becomes a %s works at no shop any more',
    async (role) => {
      const operator = await app.signIn({ role: 'pos_operator', member: await aTenant(db) });
      const other = await aTenant(db);
      const { userId } = operator;
      await db('memberships').insert({ tenantId: other, userId, role: 'pos_operator' });
      await setRole(userId, role);
      expect(await db('memberships').where({ userId })).toEqual([]);
      const entries = await auditOf(userId);
      expect(entries.map(({ action }) => action).sort()).toEqual([
        'operator.remove',
        'operator.remove',
        'user.role',
      ]);
      await setRole(userId, 'pos_operator');
      await approve(userId);
      expect(await ask('GET', '/pos/context', { token: operator.token })).toMatchObject({
        status: 403,
        body: { code: 'TENANT_FORBIDDEN' },
      });
    },
  );

  it('200, and an operator whose role is set again keeps the shops', async () => {
    const tenantId = await aTenant(db);
    const { userId } = await app.signIn({ role: 'pos_operator', member: tenantId });
    expect((await setRole(userId, 'pos_operator')).status).toBe(200);
    expect(await db('memberships').where({ userId })).toMatchObject([{ tenantId }]);
  });

  it('200 with the former workspace for a user who becomes a client again', async () => {
    const userId = await aUser(db, { role: 'client' });
    const tenantId = await aTenant(db, { ownerId: userId });
    expect((await setRole(userId, 'consumer')).body).not.toHaveProperty('tenantId');
    expect((await setRole(userId, 'client')).body).toMatchObject({ tenantId });
    expect((await approve(userId)).body).toMatchObject({ status: 'active', tenantId });
  });

  it.each([undefined, null, 'owner', 'Client', '', 1])(
    '400 VALIDATION_ERROR for the role %j',
    async (role) => {
      const userId = await aUser(db);
      expect(await setRole(userId, role)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      });
    },
  );
});

it('404 NOT_FOUND for an unknown user', async () => {
  for (const id of [randomUUID(), 'not-an-id']) {
    expect(await approve(id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await setRole(id, 'client')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
});

it('200 for two admins who change each other at once', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => app.signIn({ role: 'admin' })));
  const change = (by?: SignedIn, of?: SignedIn) =>
    ask('PATCH', `/admin/users/${of?.userId}/role`, {
      token: by?.token ?? '',
      body: { role: 'admin' },
    });
  const answers = await Promise.all([change(one, other), change(other, one)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

it.each(['client', 'pos_operator', 'consumer'] as const)(
  '403 INSUFFICIENT_ROLE for a %s',
  async (role) => {
    const other = (await app.signIn({ role })).token;
    const userId = await aUser(db);
    for (const [method, path] of [
      ['GET', '/admin/users/search'],
      ['PATCH', `/admin/users/${userId}/approve`],
      ['PATCH', `/admin/users/${userId}/role`],
    ] as const) {
      expect(await ask(method, path, { token: other })).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_ROLE' },
      });
    }
  },
);
