import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { WalletSchema } from '../../../../api/resources/wallet.ts';
import type { PaymentId, TenantId, WalletId } from '../../../../domain/ids.ts';
import {
  aDebit,
  aProgramme,
  aRule,
  aTenant,
  aWallet,
  postByHand,
} from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { aTill } from '../../../support/points/payments.ts';
import { balanceOf } from '../../../support/points/redemptions.ts';

const DAY_MS = 24 * 3_600_000;
const app = await useApp();
const { db } = app;

let consumer: SignedIn;
let email: string;
let tenantId: TenantId;
let walletId: WalletId;
let sell: Awaited<ReturnType<typeof aTill>>;
beforeEach(async () => {
  email = `${randomUUID()}@example.com`;
  consumer = await app.signIn({ role: 'consumer', email });
  tenantId = await aTenant(db, { country: 'DE' });
  await aRule(db, tenantId, { conversionRate: 0.1 });
  const publishedAt = new Date(Date.now() - 100 * DAY_MS);
  await aProgramme(db, tenantId, { returnWindowDays: 14, timeZone: 'Europe/Berlin', publishedAt });
  walletId = await aWallet(db, { balance: 20, userId: consumer.userId, tenantId });
  sell = await aTill(db, tenantId);
});

/** Where a sale stands in time: it was stored so long ago. */
const storedAgo = async (id: PaymentId, ms: number): Promise<Date> => {
  const createdAt = new Date(Date.now() - ms);
  await db('payments').where({ id }).update({ createdAt });
  return createdAt;
};
const after14Days = (createdAt: Date) => new Date(createdAt.getTime() + 14 * DAY_MS).toISOString();
const path = () => `/api/v1/consumer/wallets/${walletId}`;
const get = (address = path()) => app.call({ path: address, token: consumer.token });
const wallet = async () => {
  const { balance, pending, available, nextRelease, redeemable } = WalletSchema.parse(
    (await get()).body,
  );
  return { balance, pending, available, nextRelease, max: redeemable.max };
};
const redeem = (step: 'preview' | 'confirm', pointsToRedeem: number) =>
  app.call({
    method: 'POST',
    path: `${path()}/redeem/${step}`,
    token: consumer.token,
    body: { pointsToRedeem },
  });

describe('points of a sale in its return window', () => {
  it('wait, fall with a refund, and can be used once it has ended', async () => {
    const sale = { id: 'E7', email, amount: 500 };
    const id = await sell(sale);
    const createdAt = await storedAgo(id, 4 * DAY_MS);
    const nextRelease = after14Days(createdAt);
    const before = { balance: 70, pending: 50, available: 20, nextRelease, max: 20 };
    expect(await wallet()).toEqual(before);
    const params = { available: 20, pending: 50, nextRelease };
    for (const step of ['preview', 'confirm'] as const) {
      expect(await redeem(step, 30)).toMatchObject({
        status: 422,
        body: { code: 'INSUFFICIENT_BALANCE', issues: [{ code: 'points_pending', params }] },
      });
      expect(await redeem(step, 71)).toMatchObject({
        status: 422,
        body: { issues: [{ code: 'insufficient_balance', params: { balance: 70 } }] },
      });
    }
    expect(await redeem('preview', 20)).toMatchObject({
      status: 200,
      body: { currentBalance: 70, newBalance: 50, redeemable: { min: 1, max: 20 } },
    });

    await sell({ ...sale, refunded: 250, updatedAt: new Date() });
    expect(await wallet()).toMatchObject({ balance: 45, pending: 25, available: 20 });

    await storedAgo(id, 14 * DAY_MS - 60_000);
    expect(await wallet()).toMatchObject({ balance: 45, pending: 25, available: 20 });
    await storedAgo(id, 14 * DAY_MS);
    const after = { balance: 45, pending: 0, available: 45, nextRelease: null, max: 45 };
    expect(await wallet()).toEqual(after);
    expect(await redeem('confirm', 45)).toMatchObject({ status: 200 });
  });

  it('wait as the version said that was in effect then', async () => {
    const id = await sell({ email, amount: 500 });
    await aProgramme(db, tenantId, { returnWindowDays: 0 });
    expect(await wallet()).toMatchObject({ pending: 50, available: 20 });
    await sell({ email, amount: 300 });
    expect(await wallet()).toMatchObject({ balance: 100, pending: 50, available: 50 });
    await storedAgo(id, 101 * DAY_MS);
    expect(await wallet()).toMatchObject({ balance: 100, pending: 0, available: 100 });
  });

  it('may be more than the balance, of which nothing can be used then', async () => {
    await storedAgo(await sell({ email, amount: 500 }), 15 * DAY_MS);
    expect(await redeem('confirm', 70)).toMatchObject({ status: 200 });
    await sell({ email, amount: 100 });
    await db('payments').where({ tenantId }).update({ createdAt: new Date() });
    expect(await wallet()).toMatchObject({ balance: 10, pending: 60, available: 0, max: 0 });
    expect(await redeem('confirm', 1)).toMatchObject({
      status: 422,
      body: { issues: [{ code: 'points_pending', params: { available: 0, pending: 60 } }] },
    });
  });

  it('wait no more once they are owed', async () => {
    const sale = { id: 'OWED', email, amount: 500 };
    await storedAgo(await sell(sale), DAY_MS);
    await db.transaction((tx) => postByHand(tx, [aDebit(walletId, 65)]));
    expect(await wallet()).toMatchObject({ balance: 5, pending: 50, available: 0 });
    await sell({ ...sale, refunded: 500, updatedAt: new Date() });
    expect(await wallet()).toMatchObject({ balance: 0, pending: 0, nextRelease: null });
  });

  it('count neither for the minimum nor for the share of a rule', async () => {
    await sell({ email, amount: 500 });
    await aRule(db, tenantId, { maxRedemptionPercentage: 50 });
    expect(await wallet()).toMatchObject({ available: 20, max: 10 });
    const above = { code: 'above_maximum_share', params: { max: 10 } };
    expect(await redeem('confirm', 11)).toMatchObject({ status: 422, body: { issues: [above] } });
    await aRule(db, tenantId, { minBalanceToRedeem: 21 });
    expect(await wallet()).toMatchObject({ max: 0 });
    expect(await redeem('confirm', 20)).toMatchObject({
      body: { issues: [{ code: 'below_minimum_balance' }] },
    });
  });

  it('are not spent by any of many confirmations at once with a refund', async () => {
    const sales = Array.from({ length: 4 }, (_, n) => ({ id: `R${n}`, email, amount: 500 }));
    for (const sale of sales) await sell(sale);
    const updatedAt = new Date();
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => redeem('confirm', 5))),
      ...sales.map((sale) => sell({ ...sale, refunded: 500, updatedAt })),
    ]);
    const issued = answers.filter(({ status }) => status === 200);
    // 20 points never waited; the others do until they are taken back.
    expect(issued).toHaveLength(4);
    expect(await balanceOf(db, walletId)).toBe(0);
    expect(await wallet()).toMatchObject({ balance: 0, pending: 0, available: 0 });
  });

  it('are explained with the time on the clocks of the shop', async () => {
    const id = await sell({ email, amount: 500 });
    const createdAt = await storedAgo(id, 4 * DAY_MS);
    const entry = await db('ledger_entries').where({ sourceId: id }).first('id');
    const at = after14Days(createdAt);
    const explain = async () =>
      (await get(`${path()}/history/${entry.id}/explain`)).json<{
        steps: string[];
        coded: { steps: { code: string }[] };
      }>();
    const { steps, coded } = await explain();
    expect(steps.at(-1)).toMatch(
      /^They can be used from \d+ \w+ \d{4}, \d\d:\d\d on, when the sale can no longer/,
    );
    const params = { at, timeZone: 'Europe/Berlin' };
    expect(coded.steps.at(-1)).toEqual({ code: 'usable_from', params });
    await storedAgo(id, 14 * DAY_MS);
    expect((await explain()).coded.steps.at(-1)).toMatchObject({ code: 'calculated' });
  });
});
