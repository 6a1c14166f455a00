import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { erasePerson } from '../../../../activities/erasures.ts';
import * as erasures from '../../../../db/users/erasures.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant, aWallet, required, testPolicy, testSealer } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

const app = await useApp({ settings: { adjustLimitPerDay: 500 } });
const { db } = app;

let admin: SignedIn;
let ada: SignedIn;
let tenantId: TenantId;
beforeEach(async () => {
  admin = await app.signIn({ role: 'admin' });
  ada = await app.signIn({ role: 'consumer', email: `${randomUUID()}@example.com` });
  tenantId = await aTenant(db);
});

const of = (userId: string) => `/api/v1/admin/users/${userId}`;
const call = (method: string, path: string, body?: unknown, token = admin.token) =>
  app.call({ method, path, token, ...(body !== undefined && { body }) });
const erase = (userId: string = ada.userId, token?: string) =>
  call('POST', `${of(userId)}/erase`, { reason: 'A letter.' }, token);
const withdraw = (userId: string = ada.userId) => call('DELETE', `${of(userId)}/erase`);
const issue = (status: number, code: string) => ({ status, body: { issues: [{ code }] } });
async function eraseNow() {
  await db('erasures').where({ userId: ada.userId }).update({ beginsAt: db.fn.now() });
  const erasure = required(await erasures.find(db, ada.userId));
  return erasePerson(
    { db, contactProofs: testSealer.fingerprints, ingestPolicy: testPolicy },
    erasure,
  );
}

describe('an administrator', () => {
  it('has somebody erased, which both can withdraw', async () => {
    const asked = await erase();
    expect(asked).toMatchObject({ status: 202, body: { status: 'scheduled' } });
    expect(await erase()).toMatchObject({ status: 200, body: asked.body });
    expect(await call('GET', of(ada.userId))).toMatchObject({ body: { erasure: asked.body } });
    const own = '/api/v1/consumer/erasure';
    expect(await call('DELETE', own, undefined, ada.token)).toMatchObject({ status: 200 });
    expect(await withdraw()).toMatchObject({ status: 404 });

    await app.call({ method: 'POST', path: own, token: ada.token, body: { confirm: 'ERASE' } });
    expect(await withdraw()).toMatchObject({ status: 200, body: { status: 'withdrawn' } });
    const entries = await db('audit_log').where({ targetId: ada.userId }).orderBy('seq');
    expect(entries).toMatchObject([
      { actorUserId: admin.userId, reason: 'A letter.', after: { status: 'scheduled' } },
      { actorUserId: ada.userId, after: { status: 'withdrawn' } },
      { actorUserId: ada.userId, after: { status: 'scheduled' } },
      { actorUserId: admin.userId, after: { status: 'withdrawn' } },
    ]);
  });

  it('erases neither themselves nor who runs a shop, but staff', async () => {
    expect(await erase(admin.userId)).toMatchObject(issue(403, 'own_account'));
    const other = await app.signIn({ role: 'admin' });
    const owner = await app.signIn({ role: 'client', member: tenantId });
    const staff = await app.signIn({ role: 'pos_operator', member: tenantId });
    expect(await erase(other.userId)).toMatchObject(issue(422, 'not_erasable'));
    expect(await erase(owner.userId)).toMatchObject(issue(422, 'not_erasable'));
    expect(await erase(staff.userId)).toMatchObject({ status: 202 });
    expect(await erase(randomUUID())).toMatchObject({ status: 404 });
    expect(await call('POST', `${of(ada.userId)}/erase`, {})).toMatchObject({ status: 400 });
  });

  it('spends the limit on debits by what the person holds, until it is withdrawn', async () => {
    const walletId = await aWallet(db, { tenantId, userId: ada.userId, balance: 500 });
    await aRedemption(db, { walletId, points: 100 });
    expect(await erase()).toMatchObject({ status: 202 });
    const bob = await app.signIn({ role: 'consumer' });
    await aWallet(db, { tenantId, userId: bob.userId, balance: 1 });
    expect(await erase(bob.userId)).toMatchObject(issue(403, 'limit_per_day'));
    await withdraw();
    expect(await erase(bob.userId)).toMatchObject({ status: 202 });
  });
});

describe('who was erased', () => {
  it('stays so, with all that is left of them', async () => {
    const walletId = await aWallet(db, { tenantId, userId: ada.userId, balance: 40 });
    await erase();
    expect(await eraseNow()).toBe(true);
    const wallet = `/api/v1/admin/wallets/${walletId}`;
    const erased = issue(403, 'erased');
    expect(await call('POST', `${of(ada.userId)}/reinstate`, {})).toMatchObject(erased);
    expect(await call('PATCH', `${of(ada.userId)}/role`, { role: 'client' })).toMatchObject(erased);
    expect(await call('POST', `${wallet}/unfreeze`, {})).toMatchObject(erased);
    const adjustment = { points: 5, reason: 'A mistake.' };
    expect(await call('POST', `${wallet}/adjust`, adjustment)).toMatchObject(erased);
    expect(await call('POST', `${of(ada.userId)}/suspend`, {})).toMatchObject({ status: 200 });
    expect(await erase()).toMatchObject({ status: 200, body: { status: 'done' } });
    expect(await withdraw()).toMatchObject({ status: 404 });
    expect(await call('GET', of(ada.userId))).toMatchObject({
      body: { email: null, name: null, status: 'suspended', erasure: { status: 'done' } },
    });
  });
});
