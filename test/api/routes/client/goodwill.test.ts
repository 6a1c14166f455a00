import { beforeEach, describe, expect, it } from 'vitest';
import { MOST_OPEN } from '../../../../domain/goodwill.ts';
import type { TenantId, UserId } from '../../../../domain/ids.ts';
import { aTenant, aUser, aWallet, required } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';

let tenantId: TenantId;
let merchant: { token: string; userId: UserId };
let userId: UserId;
const app = await useApp();
const { db } = app;
beforeEach(async () => {
  tenantId = await aTenant(db);
  merchant = await app.signIn({ role: 'client', member: tenantId });
  userId = await aUser(db, { email: 'ada@example.com' });
  await aWallet(db, { tenantId, userId, balance: 10 });
});

const shop = () => `/api/v1/client/tenants/${tenantId}`;
const ask = (of: string = userId, body: object = { points: 200, reason: 'A cold coffee.' }) =>
  app.call({
    method: 'POST',
    path: `${shop()}/consumers/${of}/goodwill-requests`,
    token: merchant.token,
    body,
  });
const asked = async (of?: string) => (await ask(of)).json<{ id: string }>().id;
const list = async (query = '') =>
  app.call({ path: `${shop()}/goodwill-requests${query}`, token: merchant.token });
const withdraw = (id: string) =>
  app.call({
    method: 'POST',
    path: `${shop()}/goodwill-requests/${id}/withdraw`,
    token: merchant.token,
  });
const refused = (code: string, status = 422) => ({ status, body: { issues: [{ code }] } });

describe('POST …/consumers/:userId/goodwill-requests', () => {
  it('201, and moves no point; the customer’s page shows it', async () => {
    const answer = await ask();
    expect(answer).toMatchObject({
      status: 201,
      body: {
        status: 'open',
        points: 200,
        reason: 'A cold coffee.',
        answer: null,
        consumer: { userId, email: 'a***@example.com' },
        closedAt: null,
      },
    });
    const page = await app.call({ path: `${shop()}/consumers/${userId}`, token: merchant.token });
    expect(page.body).toMatchObject({ wallet: { balance: 10 }, goodwill: answer.body });
    const entries = await db('audit_log').where({ tenantId, action: 'goodwill.ask' });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      actorUserId: merchant.userId,
      reason: null,
      after: { goodwillId: answer.json<{ id: string }>().id, points: 200 },
    });
  });

  it('422 for a customer for whom is asked already, until that is withdrawn', async () => {
    const id = await asked();
    expect(await ask()).toMatchObject(refused('goodwill_open'));
    await withdraw(id);
    expect((await ask()).status).toBe(201);
  });

  it('422 beyond twenty that wait, also when many ask at once', async () => {
    const people: UserId[] = [];
    for (let nth = 0; nth < MOST_OPEN + 2; nth++) {
      const each = await aUser(db);
      await aWallet(db, { tenantId, userId: each });
      people.push(each);
    }
    const answers = await Promise.all(people.map((each) => ask(each)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MOST_OPEN);
    const other = required(answers.find(({ status }) => status !== 201));
    expect(other).toMatchObject(refused('too_many_goodwill'));
  });

  it('404 for whoever has no wallet here, 403 for one’s own and for erased people', async () => {
    const elsewhere = await aUser(db);
    await aWallet(db, { userId: elsewhere });
    expect(await ask(elsewhere)).toMatchObject({ status: 404 });
    await aWallet(db, { tenantId, userId: merchant.userId });
    expect(await ask(merchant.userId)).toMatchObject(refused('own_wallet', 403));
    await db('users').where({ id: userId }).update({ erasedAt: db.fn.now() });
    expect(await ask()).toMatchObject(refused('erased', 403));
  });

  it.each([
    { points: 0, reason: 'x' },
    { points: -5, reason: 'x' },
    { points: 5, reason: ' ' },
    { points: 5 },
  ])('400 VALIDATION_ERROR for %j', async (body) => {
    expect(await ask(userId, body)).toMatchObject({ status: 400 });
  });
});

describe('GET …/goodwill-requests', () => {
  it('200, newest first, page by page, and none of another shop', async () => {
    const first = await asked();
    await withdraw(first);
    const second = await asked();
    const [one, other] = [await list('?limit=1'), await list('?limit=5')];
    expect(one.body).toMatchObject([{ id: second, status: 'open' }]);
    const next = await app.call({ path: required(nextPath(one)), token: merchant.token });
    expect(next.body).toMatchObject([{ id: first, status: 'withdrawn' }]);
    expect(other.json<unknown[]>()).toHaveLength(2);
    tenantId = await aTenant(db);
    merchant = await app.signIn({ role: 'client', member: tenantId });
    expect((await list()).body).toEqual([]);
    expect(await withdraw(second)).toMatchObject({ status: 404 });
  });
});

describe('POST …/goodwill-requests/:goodwillId/withdraw', () => {
  it('200 once and again, and 422 once it is answered', async () => {
    const id = await asked();
    const withdrawn = { status: 200, body: { id, status: 'withdrawn' } };
    expect(await withdraw(id)).toMatchObject(withdrawn);
    expect(await withdraw(id)).toMatchObject(withdrawn);
    expect(await db('audit_log').where({ tenantId, action: 'goodwill.withdraw' })).toHaveLength(1);
    const closedAt = db.fn.now();
    await db('goodwill_requests').where({ id }).update({ status: 'declined', closedAt });
    expect(await withdraw(id)).toMatchObject(refused('goodwill_state'));
  });
});
