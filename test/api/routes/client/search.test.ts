import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { numberOf } from '../../../../db/users/members.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { aRule, aTenant, aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aTill } from '../../../support/points/payments.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

let tenantId: TenantId;
let token: string;
const app = await useApp();
const { db } = app;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await db('tenants').where({ id: tenantId }).update({ currency: 'EUR', country: 'DE' });
  await aRule(db, tenantId);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
});

type Found = {
  readAs: string[];
  consumers: { userId: string }[];
  transactions: { id: string }[];
  redemptions: { id: string }[];
};
const search = (text: string, by = token) =>
  app.call({
    method: 'POST',
    path: `/api/v1/client/tenants/${tenantId}/search`,
    token: by,
    body: { text },
  });
const found = async (text: string) => {
  const { readAs, ...all } = (await search(text)).json<Found>();
  return {
    readAs,
    consumers: all.consumers.map(({ userId }) => userId),
    transactions: all.transactions.map(({ id }) => id),
    redemptions: all.redemptions.map(({ id }) => id),
  };
};
const nothing = { consumers: [], transactions: [], redemptions: [] };

describe('POST …/search', () => {
  it('200 with the customer of a whole contact or a member number, masked', async () => {
    const email = `${randomUUID()}@example.com`;
    const phone = '+4915123456780';
    const userId = await aUser(db, { email, phone });
    await aWallet(db, { tenantId, userId, balance: 25 });
    expect(await found(` ${email.toUpperCase()} `)).toEqual({
      ...nothing,
      readAs: ['email'],
      consumers: [userId],
    });
    expect((await found('0151 23456780')).consumers).toEqual([userId]);
    expect((await found(await numberOf(db, userId))).consumers).toEqual([userId]);
    const answer = await search(email);
    expect(answer.body).toMatchObject({
      consumers: [{ email: `${email[0]}***@example.com`, phone: '***780', balance: 25 }],
    });
    expect(JSON.stringify(answer.body)).not.toContain(email);
    expect(app.log.join()).not.toContain(email);
  });

  it('200 also with whoever has not verified the address', async () => {
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email, emailVerified: false });
    await aWallet(db, { tenantId, userId });
    expect((await found(email)).consumers).toEqual([userId]);
  });

  it('200 with the sales that named an address which is nobody’s, and why they wait', async () => {
    const sell = await aTill(db, tenantId);
    const email = `${randomUUID()}@example.com`;
    const id = await sell({ email, amount: 1_250 });
    await sell({ email: `${randomUUID()}@example.com` });
    expect(await found(email)).toEqual({ ...nothing, readAs: ['email'], transactions: [id] });
    expect((await search(email)).body).toMatchObject({
      transactions: [{ outcome: 'stored_anonymous', outcomeReason: 'no_match', consumer: null }],
    });
  });

  it('200 with the sales of an amount, the newest first, and the sale of an id', async () => {
    const sell = await aTill(db, tenantId);
    const ids = [await sell({ amount: 1_250 }), await sell({ amount: 1_250 })];
    await sell({ amount: 1_251 });
    const old = await sell({ amount: 1_250 });
    const occurredAt = new Date(Date.now() - 91 * 24 * 3_600_000);
    await db('payments').where({ id: old }).update({ occurredAt });
    const times = [new Date(Date.now() - 2_000), new Date(Date.now() - 1_000)];
    for (const [nth, id] of ids.entries()) {
      await db('payments').where({ id }).update({ occurredAt: times[nth] });
    }
    expect((await found('12.50')).transactions).toEqual(ids.toReversed());
    expect((await found('12,5')).transactions).toEqual(ids.toReversed());
    const { providerPaymentId } = await db('payments').where({ id: old }).first();
    expect(await found(providerPaymentId)).toEqual({
      ...nothing,
      readAs: ['paymentId'],
      transactions: [old],
    });
  });

  it('200 with the redemption of a code, which is not shown', async () => {
    const walletId = await aWallet(db, { tenantId, balance: 100 });
    const { id, code } = await aRedemption(db, { walletId, points: 50 });
    expect((await found(code.toLowerCase())).redemptions).toEqual([id]);
    expect(JSON.stringify((await search(code)).body)).not.toContain(code);
  });

  it('200 with nothing for a part of a contact, and for customers of others', async () => {
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email, phone: '+4915123456781' });
    const walletId = await aWallet(db, { userId, balance: 100 });
    const { code } = await aRedemption(db, { walletId, points: 50 });
    const sell = await aTill(db, await aTenant(db));
    const elsewhere = await sell({ email: `x${email}`, amount: 777 });
    const { providerPaymentId } = await db('payments').where({ id: elsewhere }).first();
    const asked = [email, '+4915123456781', await numberOf(db, userId), code, `x${email}`];
    for (const text of [...asked, '7.77', providerPaymentId, email.slice(1), 'example.com']) {
      expect(await found(text)).toMatchObject(nothing);
    }
  });

  it('429 for whoever searches for many people who are unknown, and not for amounts', async () => {
    for (let nth = 0; nth < 32; nth++) await search(`${nth}.00`);
    for (let nth = 0; nth < 30; nth++) {
      expect(await search(`${nth}@example.com`)).toMatchObject({ status: 200 });
    }
    expect(await search('31@example.com')).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED' },
    });
  });

  it('403 for an operator of the tenant, and for a merchant of another tenant', async () => {
    const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
    const other = await app.signIn({ role: 'client', member: await aTenant(db) });
    const text = 'ada@example.com';
    expect((await search(text, operator.token)).body).toMatchObject({ code: 'INSUFFICIENT_ROLE' });
    expect((await search(text, other.token)).body).toMatchObject({ code: 'TENANT_FORBIDDEN' });
  });
});
