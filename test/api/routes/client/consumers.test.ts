import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import { monthOf, startOfMonth } from '../../../../domain/intervals.ts';
import {
  aProgramme,
  aRule,
  aTenant,
  aUser,
  aWallet,
  required,
} from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';
import { aTill } from '../../../support/points/payments.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

let tenantId: TenantId;
let token: string;
const app = await useApp();
const { db } = app;
beforeEach(async () => {
  tenantId = await aTenant(db);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
});

const list = (query = '', by = token) =>
  app.call({ path: `/api/v1/client/tenants/${tenantId}/consumers${query}`, token: by });

const ownerOf = async (id?: WalletId) =>
  required(await db('wallets').where({ id }).first<{ userId: string }>('userId')).userId;

describe('GET …/consumers', () => {
  it('200 with each balance, contacts masked, newest wallet first', async () => {
    const nameless = await aWallet(db, { tenantId });
    await db('users')
      .whereIn('id', db('wallets').where({ id: nameless }).select('userId'))
      .update({ email: null });
    const userId = await aUser(db, { email: 'anna@example.com', phone: '+4915112345678' });
    const walletId = await aWallet(db, { tenantId, userId, balance: 25 });

    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        userId,
        walletId,
        email: 'a***@example.com',
        phone: '***678',
        balance: 25,
        status: 'active',
        lastActivityAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      },
      expect.objectContaining({
        walletId: nameless,
        email: null,
        phone: null,
        balance: 0,
        lastActivityAt: null,
      }),
    ]);
  });

  it('200 with those who owe points, page by page, and nobody else', async () => {
    const owing = [await aWallet(db, { tenantId }), await aWallet(db, { tenantId })];
    await aWallet(db, { tenantId, balance: 5 });
    const elsewhere = await aWallet(db);
    await db('wallets')
      .whereIn('id', [...owing, elsewhere])
      .update({ owed: 7 });
    const first = await list('?owes=true&limit=1');
    const second = await app.call({ path: nextPath(first) ?? '', token });
    const ids = [first, second].flatMap((page) =>
      page.json<{ walletId: string }[]>().map(({ walletId }) => walletId),
    );
    expect(ids).toEqual(owing.toReversed());
    expect(nextPath(second)).toBeUndefined();
    const detail = await app.call({
      path: `/api/v1/client/tenants/${tenantId}/consumers/${await ownerOf(owing[0])}`,
      token,
    });
    expect(detail).toMatchObject({ body: { wallet: { owed: 7 } } });
    await db('wallets')
      .whereIn('id', [...owing, elsewhere])
      .update({ owed: 0 });
  });

  it('200 with those with more than five sales and codes in 24 hours', async () => {
    await aRule(db, tenantId);
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email });
    await aWallet(db, { tenantId, balance: 5 });
    const sell = await aTill(db, tenantId);
    for (let nth = 0; nth < 5; nth++) await sell({ amount: 100, email });
    expect((await list('?unusual=true')).body).toEqual([]);
    await sell({ amount: 100, email });
    expect((await list('?unusual=true')).body).toMatchObject([{ userId, balance: 600 }]);
    expect((await list('?unusual=true&owes=true')).body).toEqual([]);
  });

  it.each(['?owes=false', '?owes=', '?unusual=1'])('400 VALIDATION_ERROR for %s', async (query) => {
    const refused = { status: 400, body: { code: 'VALIDATION_ERROR' } };
    expect(await list(query)).toMatchObject(refused);
  });

  it('200 page by page, without consumers of another tenant', async () => {
    const made: string[] = [];
    for (let nth = 0; nth < 3; nth++) made.push(await aWallet(db, { tenantId }));
    await aWallet(db);
    const first = await list('?limit=2');
    const second = await app.call({ path: nextPath(first) ?? '', token });
    expect(nextPath(second)).toBeUndefined();
    const ids = [first, second].flatMap((page) =>
      page.json<{ walletId: string }[]>().map(({ walletId }) => walletId),
    );
    expect(ids).toEqual(made.toReversed());
  });

  it.each(['?limit=0', '?limit=1.5', '?cursor=x'])('400 VALIDATION_ERROR for %s', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  it('403 for an operator of the tenant, and for a merchant of another tenant', async () => {
    const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
    expect(await list('', operator.token)).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_ROLE' },
    });
    const other = await app.signIn({ role: 'client', member: await aTenant(db) });
    expect(await list('', other.token)).toMatchObject({
      status: 403,
      body: { code: 'TENANT_FORBIDDEN' },
    });
  });
});

describe('GET …/consumers/:userId', () => {
  const show = (userId: string, by = token) => list(`/${userId}`, by);

  it('200 with the wallet, and the last sales and codes here, contacts masked', async () => {
    await aRule(db, tenantId);
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email, phone: '+4915112345678' });
    const [pay, payElsewhere] = [await aTill(db, tenantId), await aTill(db, await aTenant(db))];
    const sold = await pay({ email, amount: 250 });
    await pay({});
    await payElsewhere({ email });
    const wallet = required(
      await db('wallets').where({ userId, tenantId }).first<{ id: WalletId }>('id'),
    );
    const { id, code } = await aRedemption(db, { walletId: wallet.id, points: 50 });

    const { status, body } = await show(userId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      userId,
      email: `${email[0]}***@example.com`,
      phone: '***678',
      wallet: { id: wallet.id, tenantId, balance: 200, status: 'active', worthMinorUnits: 200 },
      transactions: [{ id: sold, pointsAwarded: 250, consumer: { userId, phone: '***678' } }],
      redemptions: [{ id, status: 'issued', points: 50, usedBy: null, consumer: { userId } }],
    });
    expect(JSON.stringify(body)).not.toContain(email);
    expect(JSON.stringify(body)).not.toContain(code);
  });

  it('200 with the 20 sales that occurred last, also without points', async () => {
    await aRule(db, tenantId, { minSpendMinorUnits: 10_000 });
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email });
    await aWallet(db, { userId, tenantId });
    const pay = await aTill(db, tenantId);
    const sold: string[] = [];
    for (let nth = 0; nth < 22; nth++) {
      const id = await pay({ email });
      const occurredAt = new Date(Date.UTC(2026, 0, 1, 22 - nth));
      await db('payments').where({ id }).update({ occurredAt });
      sold.push(id);
    }
    const { transactions } = (await show(userId)).json<{ transactions: { id: string }[] }>();
    expect(transactions.map(({ id }) => id)).toEqual(sold.slice(0, 20));
  });

  it('200 with the visits, after refunds, and whether the contacts are verified', async () => {
    await aRule(db, tenantId);
    await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email, phone: '+4915112345678' });
    const pay = await aTill(db, tenantId);
    const createdAt = new Date();
    const [old, half, whole, other] = [
      await pay({ email, createdAt, amount: 1_000 }),
      await pay({ email, createdAt, amount: 601 }),
      await pay({ email, createdAt, amount: 500 }),
      await pay({ email, createdAt, amount: 400 }),
    ];
    const occurredAt = new Date(Date.now() - 400 * 24 * 3_600_000);
    await db('payments').where({ id: old }).update({ occurredAt });
    await db('payments').where({ id: half }).update({ refundedMinorUnits: 300 });
    await db('payments').where({ id: whole }).update({ refundedMinorUnits: 500 });
    await db('payments').where({ id: other }).update({ currency: 'USD' });
    expect((await show(userId)).body).toMatchObject({
      emailVerified: true,
      tier: null,
      expiring: null,
      goodwill: null,
      visits: {
        visits: 2,
        firstVisitAt: occurredAt.toISOString(),
        averageMinorUnits: 651,
        yearMinorUnits: 301,
      },
    });
    await db('users').where({ id: userId }).update({ emailVerified: false });
    expect((await show(userId)).body).toMatchObject({ emailVerified: false });
    await db('tenants').where({ id: tenantId }).update({ currency: null });
    expect((await show(userId)).body).toMatchObject({ visits: { visits: 3 } });
  });

  it('200 with the tier, and what expires next, by the programme', async () => {
    await aProgramme(db, tenantId, {
      tiers: [{ key: 'silver', name: 'Silver', thresholdMinorUnits: 1, multiplier: 1.25 }],
      validityMonths: 12,
      publishedAt: startOfMonth(monthOf(new Date(), 'UTC') - 1, 'UTC'),
    });
    const userId = await aUser(db);
    const walletId = await aWallet(db, { tenantId, userId, balance: 25 });
    await db('wallet_standings').insert({
      walletId,
      tenantId,
      tierKey: 'silver',
      since: '2026-01-01',
      keptUntil: '2100-01-01',
      decidedOn: '2026-01-01',
    });
    expect((await show(userId)).body).toMatchObject({
      tier: 'Silver',
      expiring: { points: 25, expiresAt: expect.stringMatching(/^\d{4}-/) },
    });
  });

  it('404 NOT_FOUND for whoever has no wallet here', async () => {
    const elsewhere = await aUser(db);
    await aWallet(db, { userId: elsewhere });
    for (const userId of [elsewhere, await aUser(db), randomUUID(), 'not-an-id']) {
      expect(await show(userId)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  it('403 for an operator of the tenant, and for a merchant of another tenant', async () => {
    const userId = await aUser(db);
    await aWallet(db, { userId, tenantId });
    const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
    const other = await app.signIn({ role: 'client', member: await aTenant(db) });
    expect((await show(userId, operator.token)).body).toMatchObject({ code: 'INSUFFICIENT_ROLE' });
    expect((await show(userId, other.token)).body).toMatchObject({ code: 'TENANT_FORBIDDEN' });
  });
});

describe('GET …/consumers/:userId/history', () => {
  it('200 with what moved the points here, newest first, page by page', async () => {
    await aRule(db, tenantId);
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email });
    const pay = await aTill(db, tenantId);
    await pay({ email, amount: 1_250 });
    const wallet = await db('wallets').where({ userId, tenantId }).first('id');
    await aRedemption(db, { walletId: wallet.id, points: 50 });
    const first = await list(`/${userId}/history?limit=1`);
    expect(first).toMatchObject({
      status: 200,
      body: [{ reason: 'redemption', points: 50, discount: { discountValueMinorUnits: 50 } }],
    });
    const second = await app.call({ path: nextPath(first) ?? '', token });
    expect(second.body).toMatchObject([
      { reason: 'purchase', points: 1_250, sale: { amountMinorUnits: 1_250 } },
    ]);
    expect(nextPath(second)).toBeUndefined();
  });

  it('404 NOT_FOUND for whoever has no wallet here', async () => {
    const elsewhere = await aUser(db);
    await aWallet(db, { userId: elsewhere });
    expect(await list(`/${elsewhere}/history`)).toMatchObject({ status: 404 });
  });
});
