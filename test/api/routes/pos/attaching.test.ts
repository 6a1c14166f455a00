import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import { numberOf } from '../../../../db/users/members.ts';
import type { TenantId, UserId } from '../../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import { aProgramme, aRule, aTenant, aUser, testPolicy } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aSale } from '../../../support/points/a-sale.ts';

const app = await useApp();
const { db } = app;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The middle of a minute some time ago, so that the minute does not end while a test runs. */
const AT = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 30 * MINUTE_MS + 30_000;

let tenantId: TenantId;
let till: { token: string; userId: UserId };
let owner: { token: string; userId: UserId };
let memberId: UserId;
let member: string;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await db('tenants').where({ id: tenantId }).update({ currency: 'USD' });
  await aRule(db, tenantId);
  await aProgramme(db, tenantId, { tillAttach: true });
  till = await app.signIn({ role: 'pos_operator', member: tenantId });
  owner = await app.signIn({ role: 'client', name: 'Mary Somerville', member: tenantId });
  memberId = await aUser(db, { email: `${randomUUID()}@example.com` });
  member = await numberOf(db, memberId);
});

/** Makes a sale of $100 that names nobody, and returns its id. */
async function sale(some: Partial<NormalizedPayment> = {}): Promise<string> {
  const at = new Date(AT);
  const payment = aSale({ amountMinorUnits: 10_000, occurredAt: at, changedAt: at, ...some });
  await ingestListedPayments(db, [{ tenantId, payment }], testPolicy);
  const { providerPaymentId } = payment;
  return (await db('payments').where({ tenantId, providerPaymentId }).first('id')).id;
}

const attach = (id: string, { by = till, to = member } = {}) =>
  app.call({
    method: 'POST',
    path: `/api/v1/pos/anonymous-sales/${id}/attach`,
    token: by.token,
    body: { member: to },
  });
const attachments = `/api/v1/client/tenants/`;
const attachAsOwner = (transactionId: string, to = member) =>
  app.call({
    method: 'POST',
    path: `${attachments}${tenantId}/attachments`,
    token: owner.token,
    body: { transactionId, member: to },
  });
const listed = async (query = '') =>
  (
    await app.call({
      path: `${attachments}${tenantId}/attachments${query}`,
      token: owner.token,
    })
  ).json<{ transactionId: string; byOperatorForMember30Days: number }[]>();
const search = (amountMinorUnits: number, at: string) => {
  const query = new URLSearchParams({ amountMinorUnits: String(amountMinorUnits), at });
  return app.call({ path: `/api/v1/pos/anonymous-sales?${query}`, token: till.token });
};
const found = async (at = new Date(AT).toISOString()) =>
  (await search(10_000, at)).json<{ transactionId: string }[]>().map((one) => one.transactionId);
const refused = (code: string, status = 422) => ({ status, body: { issues: [{ code }] } });
const balance = async (userId = memberId) =>
  (await db('wallets').where({ userId, tenantId }).first('balance'))?.balance;

describe('GET /pos/anonymous-sales', () => {
  it('200: what the receipt says, from two minutes before its minute to two after it', async () => {
    const providerPaymentId = `PAY_${randomUUID()}`;
    const id = await sale({ providerPaymentId, locationId: 'L1', refundedMinorUnits: 2_500 });
    const answer = await search(10_000, new Date(AT).toISOString());
    expect(answer).toMatchObject({
      status: 200,
      body: [
        {
          transactionId: id,
          amountMinorUnits: 10_000,
          refundedMinorUnits: 2_500,
          currency: 'USD',
          occurredAt: new Date(AT).toISOString(),
          locationId: 'L1',
          receipt: providerPaymentId.slice(-4),
        },
      ],
    });
    const at = (minutes: number, seconds: number) =>
      found(new Date(AT + minutes * MINUTE_MS + seconds * 1_000).toISOString());
    expect(await at(2, 29)).toEqual([id]);
    expect(await at(3, -30)).toEqual([]);
    expect(await at(-2, -30)).toEqual([id]);
    expect(await at(-3, 29)).toEqual([]);
  });

  it('200: nothing that named somebody, in other money, refunded, other or old', async () => {
    const old = new Date(Date.now() - 25 * HOUR_MS);
    await sale({ email: `${randomUUID()}@example.com` });
    await sale({ providerCustomerId: 'CUSTOMER' });
    await sale({ currency: 'EUR' });
    await sale({ refundedMinorUnits: 10_000 });
    await sale({ amountMinorUnits: 9_999 });
    await sale({ occurredAt: old, changedAt: old });
    expect(await found()).toEqual([]);
    expect(await found(old.toISOString())).toEqual([]);
    const sales: string[] = [];
    for (const seconds of [0, 40, 20, 60]) {
      const at = new Date(AT + seconds * 1_000);
      sales.push(await sale({ occurredAt: at, changedAt: at }));
    }
    const [, second, third, first] = sales;
    expect(await found()).toEqual([first, second, third]);
  });

  it('429: an operator who searches for amounts', async () => {
    const at = new Date(AT).toISOString();
    // Seconds are ignored, so that these are one search.
    const second = (nth: number) => new Date(AT - (AT % MINUTE_MS) + nth * 1_000).toISOString();
    for (let nth = 0; nth < 40; nth++) await search(1, second(nth));
    for (let nth = 1; nth <= 30; nth++) {
      expect((await search(nth, at)).status).toBe(200);
    }
    expect(await search(31, at)).toMatchObject({ status: 429 });
    expect(await attach(await sale())).toMatchObject({ status: 429 });
  });
});

describe('POST /pos/anonymous-sales/:transactionId/attach', () => {
  it('200: credits it once, whoever sends it how often, and says so', async () => {
    const id = await sale({ refundedMinorUnits: 2_500 });
    const colleague = await app.signIn({ role: 'pos_operator', member: tenantId });
    const attached = { ok: true, transactionId: id, points: 10_000, reason: null };
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => attach(id, { to: `LP1: ${member}` })),
      ...Array.from({ length: 4 }, () => attach(id, { by: colleague })),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: attached });
    expect(await balance()).toBe(7_500);
    expect(await found()).toEqual([]);
    expect(await attachAsOwner(id)).toMatchObject({ status: 200, body: attached });

    const explained = await app.call({
      path: `${attachments}${tenantId}/transactions/${id}/explain`,
      token: owner.token,
    });
    expect(explained.json()).toMatchObject({
      outcome: 'credited',
      decision: { match: { by: 'member', late: true, conflict: false } },
      steps: expect.arrayContaining(['The consumer was found by member code, at the till.']),
    });
    const audited = await db('audit_log').where({ targetId: id });
    expect(audited).toMatchObject([
      {
        action: 'sale.attach',
        targetType: 'transaction',
        after: { userId: memberId, points: 10_000 },
      },
    ]);
  });

  it('422 sale_taken: one of two members, and what named or has a customer', async () => {
    const other = await numberOf(db, await aUser(db));
    const id = await sale();
    const answers = await Promise.all([attach(id), attachAsOwner(id, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const email = `${randomUUID()}@example.com`;
    const consumer = await aUser(db, { email });
    const taken = refused('sale_taken');
    expect(await attach(await sale({ email }))).toMatchObject(taken);
    expect(await balance(consumer)).toBe(10_000);
    expect(await attach(await sale({ email: `${randomUUID()}@x.test` }))).toMatchObject(taken);
    expect(await attach(await sale({ providerCustomerId: 'C' }))).toMatchObject(taken);
  });

  it('422 sale_taken: a sale whose customer was named later, which is found no more', async () => {
    const named = { providerPaymentId: `PAY_${randomUUID()}`, providerCustomerId: 'CUSTOMER' };
    const id = await sale({ ...named, providerCustomerId: null });
    expect(await found()).toEqual([id]);
    await sale({ ...named, changedAt: new Date(AT + 5_000) });
    expect(await found()).toEqual([]);
    expect(await attach(id)).toMatchObject(refused('sale_taken'));
    await sale({ ...named, providerCustomerId: 'ANOTHER', changedAt: new Date(AT + 6_000) });
    expect(await db('payments').where({ id }).first()).toMatchObject({
      providerCustomerId: 'CUSTOMER',
    });
  });

  it('refuses, in this order, and attaches nothing', async () => {
    const nobody = await sale();
    expect(await attach(randomUUID())).toMatchObject({ status: 404 });
    expect(await attach(nobody, { to: '079927398713' })).toMatchObject({ status: 404 });
    const elsewhere = await aTenant(db);
    await aRule(db, elsewhere);
    const stranger = await app.signIn({ role: 'pos_operator', member: elsewhere });
    await aProgramme(db, elsewhere, { tillAttach: true });
    expect(await attach(nobody, { by: stranger })).toMatchObject({ status: 404 });

    const own = await numberOf(db, till.userId);
    expect(await attach(nobody, { to: own })).toMatchObject(refused('own_member', 403));
    const old = new Date(Date.now() - 24 * HOUR_MS - MINUTE_MS);
    const yesterday = await sale({ occurredAt: old, changedAt: old });
    expect(await attach(yesterday)).toMatchObject(refused('sale_too_old'));
    expect(await attachAsOwner(yesterday)).toMatchObject({ status: 200 });
    const older = new Date(Date.now() - 30 * 24 * HOUR_MS - MINUTE_MS);
    const lastMonth = await sale({ occurredAt: older, changedAt: older });
    expect(await attachAsOwner(lastMonth)).toMatchObject(refused('sale_too_old'));

    await aProgramme(db, tenantId, { tillAttach: false });
    expect(await attach(nobody)).toMatchObject(refused('till_attach_off', 403));
    expect(await balance()).toBe(10_000);
    expect(await attachAsOwner(nobody)).toMatchObject({ status: 200 });
  });

  it('422 no_rule, 403 tenant_suspended: nothing is attached', async () => {
    tenantId = await aTenant(db);
    await aProgramme(db, tenantId, { tillAttach: true });
    till = await app.signIn({ role: 'pos_operator', member: tenantId });
    const id = await sale();
    expect(await attach(id)).toMatchObject(refused('no_rule'));
    await aRule(db, tenantId);
    await db('tenants').where({ id: tenantId }).update({ suspendedAt: new Date() });
    expect(await attach(id)).toMatchObject(refused('tenant_suspended', 403));
    await db('tenants').where({ id: tenantId }).update({ suspendedAt: null });
    expect(await balance()).toBeUndefined();
    expect(await attach(id)).toMatchObject({ status: 200 });
  });

  it('200: nothing for other money, later all of it', async () => {
    const id = await sale({ currency: 'EUR' });
    const nothing = { points: 0, reason: 'currency_mismatch' };
    expect(await attach(id)).toMatchObject({ status: 200, body: nothing });
    expect(await attach(id)).toMatchObject({ status: 200, body: nothing });
    expect(await balance()).toBe(0);
  });

  it('422 member_limit: a sixth of one member a day, also at once', async () => {
    const ids: string[] = [];
    for (let nth = 0; nth < 9; nth++) ids.push(await sale());
    const operators = await Promise.all(
      ids.map(() => app.signIn({ role: 'pos_operator', member: tenantId })),
    );
    const answers = await Promise.all(ids.map((id, nth) => attach(id, { by: operators[nth] })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await balance()).toBe(50_000);
    const left = (await found())[0] ?? '';
    expect(await attach(left)).toMatchObject(refused('member_limit'));
    expect(await attachAsOwner(left)).toMatchObject(refused('member_limit'));
    const [again] = answers.filter(({ status }) => status === 200);
    const { transactionId } = again?.json<{ transactionId: string }>() ?? {};
    expect(await attach(transactionId ?? '')).toMatchObject({ status: 200 });
    await db('sale_attachments')
      .where({ tenantId })
      .update({ createdAt: new Date(Date.now() - 25 * HOUR_MS) });
    expect(await attach(left)).toMatchObject({ status: 200 });
  });

  it('429 too_many_attachments: a 61st of one operator within an hour', async () => {
    const first = await sale();
    expect(await attach(first)).toMatchObject({ status: 200 });
    for (let nth = 0; nth < 59; nth++) {
      await db('sale_attachments').insert({
        paymentId: await sale(),
        tenantId,
        userId: owner.userId,
        operatorId: till.userId,
      });
    }
    const id = await sale();
    const limited = await attach(id);
    expect(limited).toMatchObject(refused('too_many_attachments', 429));
    expect(limited.headers.get('retry-after')).toBe('60');
    const colleague = await app.signIn({ role: 'pos_operator', member: tenantId });
    expect(await attach(id, { by: colleague })).toMatchObject({ status: 200 });
  });

  it('leaves what is attached to a refund that comes later, and to nobody else', async () => {
    const providerPaymentId = `PAY_${randomUUID()}`;
    const email = `${randomUUID()}@example.com`;
    const id = await sale({ providerPaymentId });
    expect(await attach(id)).toMatchObject({ status: 200 });
    const other = await aUser(db, { email });
    const changedAt = new Date(AT + MINUTE_MS);
    await sale({ providerPaymentId, email, refundedMinorUnits: 5_000, changedAt });
    expect(await balance()).toBe(5_000);
    expect(await balance(other)).toBeUndefined();
  });
});

describe('GET /client/tenants/:tenantId/attachments', () => {
  it('200: by whom, for whom and how often, page by page', async () => {
    const ids: string[] = [];
    for (let nth = 0; nth < 3; nth++) {
      const id = await sale();
      await attach(id);
      ids.unshift(id);
    }
    const byOwner = await sale();
    await attachAsOwner(byOwner);
    const all = await listed();
    expect(all.map((one) => one.transactionId)).toEqual([byOwner, ...ids]);
    expect(all[0]).toMatchObject({
      userId: memberId,
      points: 10_000,
      operator: { userId: owner.userId, name: 'Mary Somerville' },
      byOperatorForMember30Days: 1,
    });
    expect(all[1]).toMatchObject({ byOperatorForMember30Days: 3 });
    expect(await listed(`?operatorId=${till.userId}`)).toHaveLength(3);
    expect(await listed(`?userId=${randomUUID()}`)).toEqual([]);
    const page = await app.call({
      path: `${attachments}${tenantId}/attachments?limit=2&userId=${memberId}`,
      token: owner.token,
    });
    const next = page.headers.get('link')?.match(/cursor=([^>&]+)/)?.[1] ?? '';
    const rest = await listed(`?cursor=${next}`);
    expect(rest.map((one) => one.transactionId)).toEqual(ids.slice(1));
    const operators = await app.call({
      path: `${attachments}${tenantId}/store-operators`,
      token: owner.token,
    });
    expect(operators.json()).toMatchObject([{ userId: till.userId, attached30Days: 3 }]);
  });
});
