import { beforeEach, describe, expect, it } from 'vitest';
import { closeWallet } from '../../../../db/users/erasing.ts';
import type { TenantId, UserId, WalletId } from '../../../../domain/ids.ts';
import { aTenant, aUser, aWallet, required } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';

let tenantId: TenantId;
let userId: UserId;
let walletId: WalletId;
let id: string;
let merchant: { token: string; userId: UserId };
let admin: { token: string; userId: UserId };
const app = await useApp({ settings: { adjustLimitPerDay: 1_000 } });
const { db } = app;

async function ask(): Promise<string> {
  userId = await aUser(db, { email: 'ada@example.com' });
  walletId = await aWallet(db, { tenantId, userId, balance: 10 });
  const asked = await app.call({
    method: 'POST',
    path: `/api/v1/client/tenants/${tenantId}/consumers/${userId}/goodwill-requests`,
    token: merchant.token,
    body: { points: 200, reason: 'A cold coffee.' },
  });
  return asked.json<{ id: string }>().id;
}

beforeEach(async () => {
  await db('goodwill_requests').where({ status: 'open' }).update({
    status: 'withdrawn',
    closedAt: db.fn.now(),
  });
  tenantId = await aTenant(db, { name: 'Corner Café' });
  merchant = await app.signIn({ role: 'client', member: tenantId });
  admin = await app.signIn({ role: 'admin' });
  id = await ask();
});

const call = (verb: string, { body, by = admin }: { body?: object; by?: typeof admin } = {}) =>
  app.call({
    method: 'POST',
    path: `/api/v1/admin/goodwill-requests/${id}/${verb}`,
    token: by.token,
    ...(body && { body }),
  });
const grant = (by = admin) => call('grant', { by });
const decline = () => call('decline', { body: { reason: 'It was refunded.' } });
const row = () => db('goodwill_requests').where({ id }).first();
const balance = async () => (await db('wallets').where({ id: walletId }).first('balance')).balance;
const refused = (code: string, status = 422) => ({ status, body: { issues: [{ code }] } });

const isTold = async (): Promise<boolean> => {
  const due = db('due_work').where({ kind: 'tell_of_change' }).select('subjectId');
  const [entry] = await db('audit_log').where({ tenantId }).whereIn('id', due);
  return entry !== undefined;
};

describe('GET /admin/goodwill-requests', () => {
  it('200 with what waits in all shops, the longest first', async () => {
    const first = id;
    const second = await ask();
    const path = '/api/v1/admin/goodwill-requests?limit=1';
    const one = await app.call({ path, token: admin.token });
    expect(one.body).toMatchObject([
      {
        id: first,
        points: 200,
        reason: 'A cold coffee.',
        tenantName: 'Corner Café',
        tenantStatus: 'active',
        email: 'ada@example.com',
        balance: 10,
        requestedBy: { userId: merchant.userId },
      },
    ]);
    await decline();
    const next = await app.call({ path: required(nextPath(one)), token: admin.token });
    expect(next.body).toMatchObject([{ id: second }]);
    expect(nextPath(next)).toBeUndefined();
  });
});

describe('POST /admin/goodwill-requests/:goodwillId/grant', () => {
  it('200: an adjustment that names the request, counted to the limit, and once', async () => {
    expect(await grant()).toMatchObject({ status: 200, body: { walletId, balance: 210 } });
    expect(await row()).toMatchObject({ status: 'granted', answer: null });
    const entries = await db('audit_log')
      .where({ tenantId, action: 'wallet.adjust' })
      .orderBy('seq');
    expect(entries.at(-1)).toMatchObject({
      actorUserId: admin.userId,
      targetId: walletId,
      after: { balance: 210, points: 200, goodwillId: id },
    });
    expect(await isTold()).toBe(true);
    expect(await grant()).toMatchObject(refused('goodwill_state'));
    expect(await balance()).toBe(210);
    id = await ask();
    await db('goodwill_requests').where({ id }).update({ points: 801 });
    expect(await grant()).toMatchObject(refused('limit_per_day', 403));
    expect(await row()).toMatchObject({ status: 'open' });
  });

  it('credits once when two administrators grant at the same moment', async () => {
    const other = await app.signIn({ role: 'admin' });
    const answers = await Promise.all([grant(), grant(other)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect(await balance()).toBe(210);
  });

  it('403 for whoever asked, for one’s own wallet, and for an erased person', async () => {
    await db('goodwill_requests').where({ id }).update({ requestedBy: admin.userId });
    expect(await grant()).toMatchObject(refused('own_wallet', 403));
    await db('goodwill_requests').where({ id }).update({ requestedBy: merchant.userId });
    await db('wallets').where({ id: walletId }).update({ userId: admin.userId });
    expect(await grant()).toMatchObject(refused('own_wallet', 403));
    await db('wallets').where({ id: walletId }).update({ userId });
    expect(await row()).toMatchObject({ status: 'open' });
  });

  it('422 once the customer was erased, when the texts are gone', async () => {
    await decline();
    const declined = id;
    const asked = await app.call({
      method: 'POST',
      path: `/api/v1/client/tenants/${tenantId}/consumers/${userId}/goodwill-requests`,
      token: merchant.token,
      body: { points: 200, reason: 'Ada asked again.' },
    });
    id = asked.json<{ id: string }>().id;
    await db.transaction((tx) => closeWallet(tx, walletId));
    expect(await grant()).toMatchObject(refused('goodwill_state'));
    expect(await row()).toMatchObject({ status: 'withdrawn', reason: null, answer: null });
    id = declined;
    expect(await row()).toMatchObject({ status: 'declined', reason: null, answer: null });
  });

  it('200 at a suspended shop and for a frozen wallet, as any adjustment', async () => {
    await db('tenants').where({ id: tenantId }).update({ suspendedAt: db.fn.now() });
    await db('wallets').where({ id: walletId }).update({ status: 'frozen' });
    expect(await grant()).toMatchObject({ status: 200 });
  });
});

describe('POST /admin/goodwill-requests/:goodwillId/decline', () => {
  it('200 with an answer that the merchant reads, and once', async () => {
    expect(await decline()).toMatchObject({ status: 200, body: { ok: true } });
    const path = `/api/v1/client/tenants/${tenantId}/goodwill-requests`;
    expect((await app.call({ path, token: merchant.token })).body).toMatchObject([
      { id, status: 'declined', answer: 'It was refunded.' },
    ]);
    expect(await db('audit_log').where({ tenantId, action: 'goodwill.decline' })).toMatchObject([
      { actorUserId: admin.userId, targetId: walletId, after: { goodwillId: id, points: 200 } },
    ]);
    expect(await isTold()).toBe(true);
    expect(await decline()).toMatchObject(refused('goodwill_state'));
    expect(await grant()).toMatchObject(refused('goodwill_state'));
    expect(await balance()).toBe(10);
  });

  it('403 for a merchant, and 404 for a request that does not exist', async () => {
    expect(await grant(merchant)).toMatchObject({ body: { code: 'INSUFFICIENT_ROLE' } });
    id = walletId;
    expect(await grant()).toMatchObject({ status: 404 });
  });
});
