import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aReward, aRule, aTenant, aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aTill } from '../../../support/points/payments.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

const app = await useApp();
const { db } = app;
const token = (await app.signIn({ role: 'admin', email: 'ada@staff.example' })).token;

const search = async (q: string) => {
  const path = `/api/v1/admin/search?q=${encodeURIComponent(q)}`;
  const { status, body } = await app.call({ path, token });
  expect(status).toBe(200);
  return body;
};

describe('GET /admin/search', () => {
  it('200 with the redemption of a code or of an id, and what became of it', async () => {
    const email = `${randomUUID()}@example.com`;
    const { id, code, walletId, tenantId } = await aRedemption(db, { email, currency: 'EUR' });
    const found = {
      kind: 'redemption',
      id,
      walletId,
      tenantId,
      email,
      status: 'issued',
      cancelled: false,
      discountValueMinorUnits: 30,
      currency: 'EUR',
      reward: null,
    };
    const spaced = code.toLowerCase().replace(/(.{4})(?=.)/g, '$1 ');
    for (const q of [code, spaced, id, ` ${id} `]) expect(await search(q)).toMatchObject([found]);
    await db('redemptions')
      .where({ id })
      .update({
        status: 'used',
        usedAt: db.raw('now()'),
        usedBy: await aUser(db),
        sealedCode: null,
      });
    expect(await search(code)).toMatchObject([{ ...found, status: 'used' }]);
    for (const q of [code.slice(0, 11), id.slice(0, 35)]) expect(await search(q)).toEqual([]);
  });

  it('200 with the reward that a code is for', async () => {
    const { id, tenantId } = await aRedemption(db, { currency: 'EUR' });
    const rewardId = await aReward(db, tenantId);
    await db('redemptions').where({ id }).update({ rewardId, discountValueMinorUnits: 0 });
    await db('rewards').where({ id: rewardId }).update({ taken: 1 });
    const reward = { id: rewardId, name: 'A coffee', kind: 'item' };
    expect(await search(id)).toMatchObject([{ discountValueMinorUnits: 0, reward }]);
  });

  it('200 with the transactions of an id, ours or that of the payment', async () => {
    const tenants = [await aTenant(db, { name: 'One' }), await aTenant(db, { name: 'Two' })];
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email });
    const paymentId = `PAY_${randomUUID()}`;
    const ids: string[] = [];
    for (const tenantId of tenants) {
      await aRule(db, tenantId);
      const pay = await aTill(db, tenantId);
      const isOne = tenantId === tenants[0];
      ids.push(await pay({ id: paymentId, amount: 700, ...(isOne && { email }) }));
    }
    const { id: walletId } = await db('wallets').where({ userId }).first('id');
    const found = [
      {
        kind: 'transaction',
        id: ids[0],
        tenantName: 'One',
        provider: 'alpha',
        providerPaymentId: paymentId,
        amountMinorUnits: 700,
        walletId,
        email,
      },
      { kind: 'transaction', id: ids[1], tenantName: 'Two', walletId: null, email: null },
    ];
    expect(await search(paymentId)).toMatchObject(found);
    expect(await search(ids[1] ?? '')).toMatchObject([found[1]]);
    expect(await search(paymentId.toLowerCase())).toEqual([]);
    expect(await search(paymentId.slice(0, -1))).toEqual([]);
  });

  it('200 with what a request did, by the id of its caller and by ours', async () => {
    const walletId = await aWallet(db);
    const requestId = `gift-${randomUUID()}`;
    await app.call({
      method: 'POST',
      path: `/api/v1/admin/wallets/${walletId}/adjust`,
      token,
      body: { points: 5, reason: 'A gift.' },
      headers: { 'x-correlation-id': requestId },
    });
    const { generatedRequestId } = await db('audit_log').where({ requestId }).first();
    const { tenantId } = await db('wallets').where({ id: walletId }).first('tenantId');
    const found = [
      {
        kind: 'request',
        requestId,
        action: 'wallet.adjust',
        tenantId,
        actorEmail: 'ada@staff.example',
      },
    ];
    expect(await search(requestId)).toMatchObject(found);
    expect(await search(String(generatedRequestId))).toMatchObject(found);
    const path = `/api/v1/admin/audit-logs?request=${requestId}`;
    expect((await app.call({ path, token })).body).toMatchObject([
      { requestId, targetId: walletId },
    ]);
    expect(await search(requestId.toUpperCase())).toEqual([]);
  });

  it('200 with nothing for what is no id, and for unknown ones', async () => {
    for (const q of ['ada@staff.example', 'bakery', randomUUID(), '0123456789AB']) {
      expect(await search(q)).toEqual([]);
    }
  });

  it.each(['', '?q=', '?q=%20', `?q=${'x'.repeat(201)}`])('400 for "%s"', async (query) => {
    const { status } = await app.call({ path: `/api/v1/admin/search${query}`, token });
    expect(status).toBe(400);
  });
});
