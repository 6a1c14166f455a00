import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import { numberOf } from '../../../../db/users/members.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import {
  aProgramme,
  aReward,
  aRule,
  aTenant,
  aUser,
  aWallet,
  testPolicy,
} from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { aSale } from '../../../support/points/a-sale.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

// A day at the tills, as the staff and the merchant read it.

const app = await useApp();
const { db } = app;
const HOUR_MS = 3_600_000;

let tenantId: TenantId;
let grace: SignedIn;
let george: SignedIn;
let merchant: SignedIn;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
  await aRule(db, tenantId);
  await aProgramme(db, tenantId, { tillAttach: true });
  const staff = (email: string, name: string) =>
    app.signIn({ role: 'pos_operator', member: tenantId, name, email });
  grace = await staff(`grace-${randomUUID()}@example.com`, 'Grace Hopper');
  george = await staff(`boole-${randomUUID()}@example.com`, 'George Boole');
  merchant = await app.signIn({ role: 'client', member: tenantId });
});

const around = (from = Date.now() - 12 * HOUR_MS, to = from + 24 * HOUR_MS) =>
  `?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
const day = (query = around(), by = grace) =>
  app.call({ path: `/api/v1/pos/day${query}`, token: by.token });
const post = (path: string, by: SignedIn, body?: object) =>
  app.call({ method: 'POST', path: `/api/v1${path}`, token: by.token, ...(body && { body }) });
const complete = (by: SignedIn, code: string) => post('/pos/redemptions/complete', by, { code });

async function burn(by: SignedIn, points: number): Promise<void> {
  const walletId = await aWallet(db, { balance: 100, tenantId });
  await complete(by, (await aRedemption(db, { walletId, points })).code);
}

async function handOut(by: SignedIn): Promise<void> {
  const ada = await app.signIn({ role: 'consumer' });
  const walletId = await aWallet(db, { balance: 100, tenantId, userId: ada.userId });
  const path = `/consumer/wallets/${walletId}/rewards/${await aReward(db, tenantId)}/redeem`;
  const { redemptionCode } = (await post(path, ada)).json<{ redemptionCode: string }>();
  await complete(by, redemptionCode);
}

async function attach(by: SignedIn): Promise<void> {
  const payment = aSale({ occurredAt: new Date(Date.now() - HOUR_MS), currency: 'EUR' });
  await ingestListedPayments(db, [{ tenantId, payment }], testPolicy);
  const { providerPaymentId } = payment;
  const { id } = await db('payments').where({ tenantId, providerPaymentId }).first('id');
  const member = await numberOf(db, await aUser(db));
  expect(await post(`/pos/anonymous-sales/${id}/attach`, by, { member })).toMatchObject({
    status: 200,
  });
}

const one = { name: 'Grace Hopper', email: 'g***@example.com' };
const other = { name: 'George Boole', email: 'b***@example.com' };

describe('GET /pos/day', () => {
  it('200 with what each did, and totals that are those of the list', async () => {
    await burn(grace, 30);
    await burn(grace, 20);
    await burn(george, 10);
    await handOut(george);
    await attach(george);
    // A code that nobody took, and one of another shop.
    await aRedemption(db, { walletId: await aWallet(db, { balance: 100, tenantId }) });
    const answer = await day();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      lines: [
        { by: one, codes: 2, items: 0, discountMinorUnits: 50, attachedSales: 0 },
        { by: other, codes: 2, items: 1, discountMinorUnits: 10, attachedSales: 1 },
      ],
      totals: [{ currency: 'EUR', codes: 4, items: 1, discountMinorUnits: 60, attachedSales: 1 }],
    });
    type Used = { discountValueMinorUnits: number };
    const path = '/api/v1/pos/redemptions';
    const list = (await app.call({ path, token: grace.token })).json<Used[]>();
    expect(list).toHaveLength(4);
    expect(list.reduce((sum, used) => sum + used.discountValueMinorUnits, 0)).toBe(60);
    const sheet = { path: `/api/v1/client/tenants/${tenantId}/day${around()}` };
    const ofMerchant = await app.call({ ...sheet, token: merchant.token });
    const { from, to, ...same } = answer.json<Record<string, unknown>>();
    expect(ofMerchant).toMatchObject({ status: 200, body: same });
    expect([typeof from, typeof to]).toEqual(['string', 'string']);
    expect(await app.call({ ...sheet, token: grace.token })).toMatchObject({ status: 403 });
  });

  it('200 with a line for each currency, and none of another day', async () => {
    await burn(grace, 10);
    await db('tenants').where({ id: tenantId }).update({ currency: 'USD' });
    await burn(grace, 20);
    expect((await day()).body).toMatchObject({
      lines: [
        { by: one, currency: 'USD', discountMinorUnits: 20 },
        { by: one, currency: 'EUR', discountMinorUnits: 10 },
      ],
      totals: [{ currency: 'USD' }, { currency: 'EUR' }],
    });
    const yesterday = around(Date.now() - 25 * HOUR_MS, Date.now() - HOUR_MS);
    expect((await day(yesterday)).body).toMatchObject({ lines: [], totals: [] });
  });

  it.each([
    ['no time', 0],
    ['time that goes back', -HOUR_MS],
    ['more than two days', 49 * HOUR_MS],
  ])('400 for %s', async (_, time) => {
    const from = Date.now();
    expect(await day(around(from, from + time))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: 'to', code: 'invalid' }] },
    });
  });

  it('403 for a merchant, and for staff of another shop', async () => {
    expect(await day(around(), merchant)).toMatchObject({ status: 403 });
    const path = `/api/v1/pos/day${around()}`;
    const headers = { 'x-tenant-id': await aTenant(db) };
    expect(await app.call({ path, token: grace.token, headers })).toMatchObject({ status: 403 });
  });
});
