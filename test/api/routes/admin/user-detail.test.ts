import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aTenant, aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';

const app = await useApp();
const { db } = app;
const { token } = await app.signIn({ role: 'admin' });

const get = (userId: string, by = token) =>
  app.call({ path: `/api/v1/admin/users/${userId}`, token: by });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);

describe('GET /admin/users/:userId', () => {
  it('200 with what a search shows, wallets and memberships', async () => {
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { role: 'pos_operator', email, phone: '+4915112345678' });
    const [shop, bakery] = [await aTenant(db), await aTenant(db, { name: 'Bakery' })];
    const walletId = await aWallet(db, { userId, tenantId: shop, balance: 25 });
    await db('memberships').insert({ tenantId: bakery, userId, role: 'pos_operator' });

    const { status, body } = await get(userId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      wallets: [{ id: walletId, userId, tenantId: shop, balance: 25 }],
    });
    expect(body).toEqual({
      userId,
      name: null,
      email,
      emailVerified: true,
      phone: '+4915112345678',
      phoneVerified: true,
      role: 'pos_operator',
      status: 'active',
      tenantIds: [bakery],
      shop: { tenantId: bakery, name: 'Bakery', country: null },
      application: null,
      createdAt: time,
      wallets: [expect.anything()],
      memberships: [{ tenantId: bakery, name: 'Bakery', role: 'operator', joinedAt: time }],
      erasure: null,
    });
    const search = await app.call({ path: `/api/v1/admin/users/search?q=${email}`, token });
    expect(body).toMatchObject(search.json<object[]>()[0] ?? {});
  });

  it('200 with the tenants that a merchant owns, and for someone who has nothing', async () => {
    const userId = await aUser(db, { role: 'client', status: 'suspended' });
    const tenantId = await aTenant(db, { ownerId: userId });
    expect((await get(userId)).body).toMatchObject({
      status: 'suspended',
      wallets: [],
      memberships: [{ tenantId, role: 'owner' }],
    });
    expect((await get(await aUser(db))).body).toMatchObject({ wallets: [], memberships: [] });
  });

  it('404 NOT_FOUND for an unknown user', async () => {
    for (const id of [randomUUID(), 'not-an-id']) {
      expect(await get(id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  it('403 INSUFFICIENT_ROLE for everybody else, also for oneself', async () => {
    for (const role of ['consumer', 'client', 'pos_operator'] as const) {
      const person = await app.signIn({ role });
      expect(await get(person.userId, person.token)).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_ROLE' },
      });
    }
  });
});
