import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDueWorkActivities } from '../../../../activities/due-work/index.ts';
import * as wallets from '../../../../db/ledger/wallets.ts';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import { aRule, aTenant, aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { Answer, SignedIn } from '../../../support/http/app.ts';
import { aTill } from '../../../support/points/payments.ts';
import {
  aRedemption,
  balanceOf,
  expiresIn,
  type Issued,
  redemptionRow,
} from '../../../support/points/redemptions.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

const app = await useApp();
const { db } = app;
const admin = await app.signIn({ role: 'admin' });
const { doDueWork } = createDueWorkActivities(activityDeps(db));

let tenantId: TenantId;
let merchant: SignedIn;
let operator: SignedIn;
let ada: SignedIn;
let email: string;
let walletId: WalletId;
let issued: Issued;
beforeEach(async () => {
  tenantId = await aTenant(db, { name: 'Corner Café' });
  await aRule(db, tenantId);
  merchant = await app.signIn({ role: 'client', member: tenantId });
  operator = await app.signIn({ role: 'pos_operator', member: tenantId });
  email = `${randomUUID()}@example.com`;
  ada = await app.signIn({ role: 'consumer', email });
  walletId = await aWallet(db, { userId: ada.userId, tenantId, balance: 100 });
  issued = await aRedemption(db, { walletId, points: 30 });
});

const ask = (method: string, path: string, by: SignedIn, body?: unknown) =>
  app.call({
    method,
    path: `/api/v1${path}`,
    token: by.token,
    ...(body !== undefined && { body }),
  });
const post = (path: string, by: SignedIn, body: unknown = {}) => ask('POST', path, by, body);
const change = (action: 'suspend' | 'reinstate', body: object = {}) =>
  post(`/admin/tenants/${tenantId}/${action}`, admin, body);
const redeem = (step: 'preview' | 'confirm') =>
  post(`/consumer/wallets/${walletId}/redeem/${step}`, ada, { pointsToRedeem: 10 });
const complete = () => post('/pos/redemptions/complete', operator, { code: issued.code });
const isSuspended = (answer: Answer) =>
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN', issues: [{ path: '', code: 'tenant_suspended' }] },
  });
const sales = () => db('payments').where({ tenantId }).orderBy('id');

describe('POST /admin/tenants/:tenantId/suspend and /reinstate', () => {
  it('200, repeated as well, shown to whom it concerns, and audited once', async () => {
    for (const [action, status] of [
      ['suspend', 'suspended'],
      ['reinstate', 'active'],
    ] as const) {
      for (const reason of ['Taken over.', 'Again.']) {
        const answer = await change(action, { reason });
        expect([answer.status, answer.body]).toEqual([200, { tenantId, status }]);
      }
      const list = await ask('GET', '/admin/tenants?limit=1', admin);
      expect(list.body).toMatchObject([{ id: tenantId, status }]);
      for (const [path, by] of [
        [`/admin/tenants/${tenantId}`, admin],
        [`/client/tenants/${tenantId}`, merchant],
      ] as const) {
        expect((await ask('GET', path, by)).body).toMatchObject({ tenant: { status } });
      }
    }
    const target = { targetType: 'tenant', tenantId, actorUserId: admin.userId };
    const [active, suspended] = [{ status: 'active' }, { status: 'suspended' }];
    expect(await db('audit_log').where({ targetId: tenantId }).orderBy('seq')).toMatchObject([
      { ...target, action: 'tenant.suspend', reason: 'Taken over.', before: active },
      { ...target, action: 'tenant.reinstate', before: suspended, after: active },
    ]);
  });

  it('404 TENANT_NOT_FOUND for an unknown shop, 400 for a blank reason', async () => {
    for (const action of ['suspend', 'reinstate']) {
      const unknown = await post(`/admin/tenants/${randomUUID()}/${action}`, admin);
      expect(unknown).toMatchObject({ status: 404, body: { code: 'TENANT_NOT_FOUND' } });
      const blank = await post(`/admin/tenants/${tenantId}/${action}`, admin, { reason: ' ' });
      expect(blank.status).toBe(400);
    }
  });
});

describe('while a shop is suspended', () => {
  it('nobody redeems there, also with a frozen wallet, and nothing is redeemable', async () => {
    await change('suspend');
    for (const status of ['active', 'frozen'] as const) {
      await db.transaction((tx) => wallets.setStatus(tx, walletId, status));
      isSuspended(await redeem('preview'));
      isSuspended(await redeem('confirm'));
      isSuspended(await complete());
    }
    const wallet = await ask('GET', `/consumer/wallets/${walletId}`, ada);
    expect(wallet.body).toMatchObject({ balance: 70, redeemable: { min: 0, max: 0 } });
    await db.transaction((tx) => wallets.setStatus(tx, walletId, 'active'));
    await change('reinstate');
    expect((await redeem('preview')).status).toBe(200);
    expect((await complete()).status).toBe(200);
    isSuspended(await change('suspend').then(complete));
  });

  it('its code is shown, can be cancelled, or runs out and returns its points', async () => {
    const other = await aRedemption(db, { walletId, points: 20 });
    await change('suspend');
    const shown = await post('/pos/redemptions/lookup', operator, { code: issued.code });
    expect(shown.body).toMatchObject({ status: 'issued', cancelled: false });
    expect((await post(`/consumer/redemptions/${issued.id}/cancel`, ada)).status).toBe(200);
    await expiresIn(db, [other.id], -1);
    await lifecycle.expireGiven(db, 'forfeit', [other.id]);
    expect(await balanceOf(db, walletId)).toBe(100);
    expect(await redemptionRow(db, other.id)).toMatchObject({ pointsReturned: true });
  });

  it('nobody is invited to its till, or accepts; one may decline, and leave', async () => {
    const invites = `/client/tenants/${tenantId}/store-operator-invites`;
    const invite = async (to: string) =>
      (await post(invites, merchant, { email: to })).json<{ inviteId: string }>().inviteId;
    const late = `${randomUUID()}@example.com`;
    const [inviteId] = [await invite(email), await invite(late)];
    await change('suspend');
    isSuspended(await post(invites, merchant, { email: `${randomUUID()}@example.com` }));
    isSuspended(await post(`/auth/invites/${inviteId}/accept`, ada));
    const token = await app.newcomer(late);
    const first = await app.call({ path: '/api/v1/auth/me', token });
    expect(first.body).toMatchObject({ role: 'consumer', pendingInvites: [{ tenantId }] });
    expect((await post(`/auth/invites/${inviteId}/decline`, ada)).status).toBe(200);
    expect((await ask('DELETE', `/pos/membership/${tenantId}`, operator)).status).toBe(200);
    await change('reinstate');
    const [{ id }] = await db('invites').where({ tenantId, email: late });
    const accepted = await app.call({
      method: 'POST',
      path: `/api/v1/auth/invites/${id}/accept`,
      token,
    });
    expect(accepted.body).toMatchObject({ role: 'pos_operator' });
  });

  it('its tills see what was used, and open no new stream; rules can be published', async () => {
    await change('suspend');
    isSuspended(await ask('GET', '/pos/events', operator));
    const [from, to] = [-1, 1].map((hour) => new Date(Date.now() + hour * 3_600_000).toISOString());
    const day = `/pos/day?from=${from}&to=${to}`;
    for (const path of ['/pos/context', '/pos/redemptions', day]) {
      expect((await ask('GET', path, operator)).status).toBe(200);
    }
    const rule = await post(`/client/tenants/${tenantId}/reward-rules`, merchant, {
      conversionRate: 2,
    });
    expect(rule.status).toBe(201);
    const adjust = { points: 5, reason: 'Goodwill.' };
    expect((await post(`/admin/wallets/${walletId}/adjust`, admin, adjust)).status).toBe(200);
  });
});

describe('what a suspended shop sells', () => {
  it('earns nothing until it goes on, and then by the rule of then, less refunds', async () => {
    const sell = await aTill(db, tenantId);
    await sell({ amount: 40, email, id: 'before' });
    await change('suspend');
    await sell({ amount: 100, email, id: 'one' });
    await sell({ amount: 200, email, id: 'two' });
    await sell({ amount: 50, id: 'anonymous' });
    await sell({ amount: 70, email: `${randomUUID()}@example.com`, id: 'nobody' });
    // Refunds of what was credited before go on, and those of the others are noted.
    await sell({ amount: 40, email, id: 'before', refunded: 40, updatedAt: new Date() });
    await sell({ amount: 200, email, id: 'two', refunded: 50, updatedAt: new Date() });
    expect(await balanceOf(db, walletId)).toBe(70);
    const suspended = {
      outcome: 'no_rule_no_credit',
      outcomeReason: 'tenant_suspended',
      userId: ada.userId,
      walletId: null,
    };
    const [, one, two, ...anonymous] = await sales();
    expect([one, two]).toMatchObject([suspended, { ...suspended, refundedMinorUnits: 50 }]);
    expect(anonymous.map(({ outcome }) => outcome)).toEqual(Array(2).fill('stored_anonymous'));
    const path = `/client/tenants/${tenantId}/transactions/${one.id}/explain`;
    const explained = await ask('GET', path, merchant);
    expect(explained.body).toMatchObject({
      summary: expect.stringContaining('the shop is suspended'),
    });
    await doDueWork();
    expect(await balanceOf(db, walletId)).toBe(70);

    await aRule(db, tenantId, { conversionRate: 2 });
    await change('reinstate');
    await Promise.all([doDueWork(), doDueWork()]);
    expect(await balanceOf(db, walletId)).toBe(70 + 200 + 400 - 100);
    expect((await sales()).slice(1, 3)).toMatchObject([
      { outcome: 'credited', outcomeReason: null, pointsAwarded: 200, ruleVersion: 2, walletId },
      { pointsAwarded: 400, pointsReversed: 100 },
    ]);
    const entries = await db('ledger_entries').where({ walletId }).orderBy('seq');
    expect(entries.slice(-3).map(({ reason, points }) => [reason, points])).toEqual([
      ['purchase', 200],
      ['purchase', 400],
      ['payment_refunded', 100],
    ]);
    expect(await db('due_work').where({ kind: 'decide_again' })).toEqual([]);
  });

  it('is decided once earlier decisions have ended, unless it is suspended again', async () => {
    const sell = await aTill(db, tenantId);
    await change('suspend');
    await sell({ amount: 100, email });
    await change('reinstate');
    await change('suspend');
    await doDueWork();
    expect(await balanceOf(db, walletId)).toBe(70);
    expect(await db('due_work').where({ kind: 'decide_again' })).toEqual([]);

    // It has read the shop as suspended, and has not decided yet.
    const reader = await db.transaction();
    await reader('tenants').where('id', tenantId).select('status');
    await change('reinstate');
    const deciding = doDueWork();
    await aUser(db);
    await reader.commit();
    await deciding;
    expect(await balanceOf(db, walletId)).toBe(170);
  });

  it('of somebody who signs up meanwhile counts as soon as the shop goes on', async () => {
    const sell = await aTill(db, tenantId);
    const late = `${randomUUID()}@example.com`;
    await sell({ amount: 60, email: late });
    await change('suspend');
    const userId = await aUser(db, { email: late });
    await doDueWork();
    expect(await sales()).toMatchObject([{ pointsAwarded: 0, walletId: null }]);
    await change('reinstate');
    await doDueWork();
    expect(await sales()).toMatchObject([{ outcome: 'credited', pointsAwarded: 60, userId }]);
  });
});
