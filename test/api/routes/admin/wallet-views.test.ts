import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aCredit, aTenant, aUser, aWallet, postByHand } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';

const app = await useApp();
const { db } = app;
const { token } = await app.signIn({ role: 'admin' });

const get = (path: string, by = token) =>
  app.call({ path: `/api/v1/admin/wallets${path}`, token: by });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);

describe('GET /admin/wallets', () => {
  it('200 with the wallets of the user at every tenant, oldest first', async () => {
    const userId = await aUser(db);
    const tenantId = await aTenant(db, { name: 'Bakery' });
    const first = await aWallet(db, { userId, tenantId, balance: 25 });
    const second = await aWallet(db, { userId });
    await aWallet(db, { tenantId });
    const { status, body } = await get(`?userId=${userId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      {
        id: first,
        userId,
        tenantId,
        balance: 25,
        status: 'active',
        createdAt: time,
        updatedAt: time,
        tenant: { id: tenantId, name: 'Bakery', branding: { logoUrl: null, color: null } },
      },
      { id: second, userId, balance: 0 },
    ]);
  });

  it('200 with an empty list for a user without wallets, and for an unknown one', async () => {
    for (const userId of [await aUser(db), randomUUID()]) {
      expect(await get(`?userId=${userId}`)).toMatchObject({ status: 200, body: [] });
    }
  });

  it.each([
    ['', 'required'],
    ['?userId=', 'invalid_format'],
    ['?userId=ada@example.com', 'invalid_format'],
  ])('400 VALIDATION_ERROR for "%s"', async (query, code) => {
    expect(await get(query)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: 'userId', code }] },
    });
  });
});

describe('GET /admin/wallets/:walletId', () => {
  it('200 with any wallet and whose it is', async () => {
    const userId = await aUser(db, { email: 'lina@example.com', phone: '+12125550123' });
    await db('users').where({ id: userId }).update({ name: 'Lina Park' });
    const walletId = await aWallet(db, { userId, balance: 5 });
    await db('wallets').where({ id: walletId }).update({ status: 'frozen' });
    expect(await get(`/${walletId}`)).toMatchObject({
      status: 200,
      body: {
        id: walletId,
        userId,
        owner: { name: 'Lina Park', email: 'lina@example.com', phone: '+12125550123' },
        balance: 5,
        status: 'frozen',
      },
    });
  });
});

describe('GET /admin/wallets/:walletId/history', () => {
  it('200 with the entries, newest first, page by page', async () => {
    const walletId = await aWallet(db, { balance: 5 });
    const [posted] = await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 7)]));
    const first = await get(`/${walletId}/history?limit=1`);
    expect(first.body).toEqual([
      {
        id: posted?.id,
        walletId,
        entry_type: 'credit',
        points: 7,
        balanceAfter: 12,
        reason: 'admin_adjustment',
        sourceType: 'adjustment',
        sourceId: posted?.sourceId,
        createdAt: time,
        sale: null,
        discount: null,
      },
    ]);
    const second = await app.call({ path: nextPath(first) ?? '', token });
    expect(second.body).toMatchObject([{ points: 5, balanceAfter: 5 }]);
    expect(nextPath(second)).toBeUndefined();
  });

  it.each(['?limit=0', '?cursor=x'])('400 VALIDATION_ERROR for %s', async (query) => {
    const answer = await get(`/${await aWallet(db)}/history${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });
});

it.each(['', '/history'])('404 NOT_FOUND for an unknown wallet%s', async (path) => {
  for (const id of [randomUUID(), 'not-an-id']) {
    expect(await get(`/${id}${path}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
});

it('403 INSUFFICIENT_ROLE for the owner of the wallet, and for its merchant', async () => {
  const consumer = await app.signIn({ role: 'consumer' });
  const tenantId = await aTenant(db);
  const walletId = await aWallet(db, { userId: consumer.userId, tenantId });
  const merchant = await app.signIn({ role: 'client', member: tenantId });
  for (const path of [`?userId=${consumer.userId}`, `/${walletId}`, `/${walletId}/history`]) {
    for (const by of [consumer, merchant]) {
      expect(await get(path, by.token)).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_ROLE' },
      });
    }
  }
});
