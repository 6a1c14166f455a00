import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { expireOne } from '../../../../db/redemptions/lifecycle.ts';
import {
  RedemptionId,
  type RewardId,
  type TenantId,
  type WalletId,
} from '../../../../domain/ids.ts';
import type { ExpiredCodes } from '../../../../domain/redemption.ts';
import { aProgramme, aReward, aRule, aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aTill } from '../../../support/points/payments.ts';
import { expiresIn } from '../../../support/points/redemptions.ts';

const app = await useApp();
const { db } = app;

let tenantId: TenantId;
let walletId: WalletId;
let token: string;
let till: string;
let email: string;
let rewardId: RewardId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
  await aRule(db, tenantId, { minBalanceToRedeem: 500, maxRedemptionPercentage: 10 });
  ({ token: till } = await app.signIn({ role: 'pos_operator', member: tenantId }));
  email = `${randomUUID()}@example.com`;
  const ada = await app.signIn({ role: 'consumer', email });
  token = ada.token;
  walletId = await aWallet(db, { tenantId, userId: ada.userId, balance: 100 });
  rewardId = await aReward(db, tenantId, { stock: 2 });
});

type Issued = { redemptionCode: string; redemptionId: string };
const list = async () =>
  (await app.call({ path: `/api/v1/consumer/wallets/${walletId}/rewards`, token })).json<unknown>();
const redeem = (id: string = rewardId) => {
  const path = `/api/v1/consumer/wallets/${walletId}/rewards/${id}/redeem`;
  return app.call({ method: 'POST', path, token });
};
const got = async (id: string = rewardId) => (await redeem(id)).json<Issued>();
const cancel = (id: string) =>
  app.call({ method: 'POST', path: `/api/v1/consumer/redemptions/${id}/cancel`, token });
const atTill = (step: 'lookup' | 'complete', code: string) => {
  const path = `/api/v1/pos/redemptions/${step}`;
  return app.call({ method: 'POST', path, token: till, body: { code } });
};
const taken = async (id: string = rewardId) =>
  (await db('rewards').where({ id }).first('taken')).taken;
const refused = (code: string) => ({ body: { issues: [{ code }] } });

describe('POST /consumer/wallets/:walletId/rewards/:rewardId/redeem', () => {
  it('200 with a code for the price, whatever the least balance and the share', async () => {
    const answer = await redeem();
    const reward = { id: rewardId, name: 'A coffee', kind: 'item' };
    expect(answer).toMatchObject({
      status: 200,
      body: { points: 30, discountValueMinorUnits: 0, currency: 'EUR', reward },
    });
    expect(await db('wallets').where({ id: walletId }).first('balance')).toEqual({ balance: 70 });
    const { redemptionCode: code } = answer.json<Issued>();
    expect((await atTill('lookup', code)).body).toMatchObject({ status: 'issued', reward });
    expect((await atTill('complete', code)).body).toMatchObject({ reward, points: 30 });
    expect(await taken()).toBe(1);
    const own = await app.call({ path: '/api/v1/consumer/redemptions', token });
    expect(own.body).toMatchObject([{ status: 'used', reward }]);
    const used = await app.call({ path: '/api/v1/pos/redemptions', token: till });
    expect(used.body).toMatchObject([{ reward, discountValueMinorUnits: 0 }]);
  });

  it('takes an amount off at the till, and counts in the factor of rewards', async () => {
    const id = await aReward(db, tenantId, {
      kind: 'amount',
      pricePoints: 40,
      valueMinorUnits: 90,
    });
    const { redemptionCode } = await got(id);
    const done = await atTill('complete', redemptionCode);
    expect(done.body).toMatchObject({ discountValueMinorUnits: 90, reward: { kind: 'amount' } });
    const client = await app.signIn({ role: 'client', member: tenantId });
    const path = `/api/v1/client/tenants/${tenantId}/statistics`;
    expect((await app.call({ path, token: client.token })).body).toMatchObject({
      rewardFactor: 2.25,
    });
  });

  it('is refused in one order, and changes nothing then', async () => {
    const dear = await aReward(db, tenantId, { pricePoints: 101 });
    expect(await redeem(dear)).toMatchObject(refused('insufficient_balance'));
    expect(await taken(dear)).toBe(0);
    const { redemptionId } = await got();
    expect(await redeem()).toMatchObject(refused('reward_limit'));
    await cancel(redemptionId);
    await db('rewards').where({ id: rewardId }).update({ taken: 2 });
    expect(await redeem()).toMatchObject(refused('sold_out'));
    await db('rewards').where({ id: rewardId }).update({ taken: 0, endedAt: new Date() });
    expect(await redeem()).toMatchObject(refused('reward_ended'));
    await db('wallets').where({ id: walletId }).update({ status: 'frozen' });
    expect(await redeem()).toMatchObject({ status: 403, ...refused('wallet_frozen') });
    await db('wallets').where({ id: walletId }).update({ status: 'active' });
    expect((await redeem(await aReward(db, await aTenant(db)))).status).toBe(404);
    expect(await db('wallets').where({ id: walletId }).first('balance')).toEqual({ balance: 100 });
  });

  it('is refused neither for the code of another nor for one that has run out', async () => {
    const open = RedemptionId.parse((await got()).redemptionId);
    const grace = await app.signIn({ role: 'consumer' });
    const own = await aWallet(db, { tenantId, userId: grace.userId, balance: 100 });
    const path = `/api/v1/consumer/wallets/${own}/rewards/${rewardId}/redeem`;
    const answer = await app.call({ method: 'POST', path, token: grace.token });
    expect(answer.status).toBe(200);
    await expiresIn(db, [open], -1);
    // Nothing has put it back yet.
    expect(await redeem()).toMatchObject(refused('sold_out'));
  });

  it('does not take points that wait', async () => {
    await aProgramme(db, tenantId, { returnWindowDays: 14 });
    const sell = await aTill(db, tenantId);
    await sell({ email, amount: 50, createdAt: new Date() });
    const dear = await aReward(db, tenantId, { pricePoints: 120 });
    expect(await redeem(dear)).toMatchObject(refused('points_pending'));
    expect((await redeem()).status).toBe(200);
  });

  it('gives the last one to one of many', async () => {
    const last = await aReward(db, tenantId, { stock: 1, pricePoints: 1, valueMinorUnits: 5 });
    const people = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const one = await app.signIn({ role: 'consumer' });
        const own = await aWallet(db, { tenantId, userId: one.userId, balance: 10 });
        return { own, token: one.token };
      }),
    );
    const answers = await Promise.all(
      people.map(({ own, token: its }) =>
        app.call({
          method: 'POST',
          path: `/api/v1/consumer/wallets/${own}/rewards/${last}/redeem`,
          token: its,
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 422, 422, 422, 422, 422]);
    expect(await taken(last)).toBe(1);
  });
});

describe('a code for a reward that ends unused', () => {
  it('puts one back when it is cancelled', async () => {
    const { redemptionId } = await got();
    expect(await taken()).toBe(1);
    expect((await cancel(redemptionId)).status).toBe(200);
    expect(await taken()).toBe(0);
  });

  it.each(['refund', 'forfeit'] as const)('puts one back when it expires: %s', async (policy) => {
    const { redemptionId } = await got();
    const id = RedemptionId.parse(redemptionId);
    await expiresIn(db, [id], -1);
    await expireOne(db, id, policy satisfies ExpiredCodes);
    expect(await taken()).toBe(0);
    const balance = policy === 'refund' ? 100 : 70;
    expect(await db('wallets').where({ id: walletId }).first('balance')).toEqual({ balance });
  });
});

describe('GET /consumer/wallets/:walletId/rewards', () => {
  it('lists what is offered by price, with why it cannot be had', async () => {
    const dear = await aReward(db, tenantId, { pricePoints: 101 });
    const cheap = await aReward(db, tenantId, { pricePoints: 10, kind: 'amount' });
    const gone = await aReward(db, tenantId, { stock: 1 });
    await db('rewards').where({ id: gone }).update({ taken: 1 });
    const ended = await aReward(db, tenantId);
    await db('rewards').where({ id: ended }).update({ endedAt: new Date() });
    await got();
    expect(await list()).toEqual([
      expect.objectContaining({ id: cheap, redeemable: true, refusal: null, left: null }),
      expect.objectContaining({
        id: rewardId,
        redeemable: false,
        refusal: 'reward_limit',
        left: 1,
      }),
      expect.objectContaining({ id: gone, redeemable: false, refusal: 'sold_out', left: 0 }),
      expect.objectContaining({ id: dear, redeemable: false, refusal: 'insufficient_balance' }),
    ]);
    expect(JSON.stringify(await list())).not.toContain('taken');
    await db('rewards').where({ id: gone }).update({ taken: 0 });
  });
});
