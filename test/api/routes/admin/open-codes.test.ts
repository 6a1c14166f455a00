import { beforeEach, describe, expect, it } from 'vitest';
import * as wallets from '../../../../db/ledger/wallets.ts';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import { aRule, aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import {
  aRedemption,
  balanceOf,
  expiresIn,
  type Issued,
  redemptionRow,
} from '../../../support/points/redemptions.ts';

const app = await useApp();
const { db } = app;
const admin = await app.signIn({ role: 'admin' });

let bob: SignedIn;
let tenantId: TenantId;
let walletId: WalletId;
let operator: SignedIn;
beforeEach(async () => {
  bob = await app.signIn({ role: 'consumer' });
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
  walletId = await aWallet(db, { userId: bob.userId, tenantId, balance: 400 });
  operator = await app.signIn({ role: 'pos_operator', member: tenantId });
});

const post = (path: string, { token }: SignedIn, body: unknown = {}) =>
  app.call({ method: 'POST', path: `/api/v1${path}`, token, body });
const till = (step: 'lookup' | 'complete', { code }: Issued) =>
  post(`/pos/redemptions/${step}`, operator, { code });
const issue = () => aRedemption(db, { walletId, points: 30 });
const cancelled = { status: 'expired', cancelled: true };
const refused = (code: string) => ({ status: 422, body: { issues: [{ path: '', code }] } });
/** What the tests themselves posted by hand is left out. */
const auditOf = (targetId: string) =>
  db('audit_log').where({ targetId }).whereNot('requestId', 'test').orderBy('seq');

/** Two ways to stop a person, and their opposites. */
const WAYS = [
  {
    stop: 'freeze',
    resume: 'unfreeze',
    of: () => `/admin/wallets/${walletId}`,
    id: () => walletId,
  },
  {
    stop: 'suspend',
    resume: 'reinstate',
    of: () => `/admin/users/${bob.userId}`,
    id: () => bob.userId,
  },
];
/** What happens while a code is being issued: it is not found. */
const stopUnseen = (stop: string) =>
  stop === 'freeze'
    ? db.transaction((tx) => wallets.setStatus(tx, walletId, 'frozen'))
    : db('users').where('id', bob.userId).update({ status: 'suspended' });

describe.each(WAYS)('$stop', ({ stop, resume, of, id }) => {
  it('cancels the open codes: the points are back, and $resume brings none back', async () => {
    const [used, first, second] = [await issue(), await issue(), await issue()];
    expect((await till('complete', used)).status).toBe(200);
    expect((await post(`${of()}/${stop}`, admin)).status).toBe(200);
    expect(await balanceOf(db, walletId)).toBe(370);
    for (const step of [stop, resume]) {
      if (step === resume) await post(`${of()}/${resume}`, admin);
      expect(await till('complete', first)).toMatchObject(refused('code_cancelled'));
      expect((await till('lookup', second)).body).toMatchObject(cancelled);
    }
    const row = await redemptionRow(db, first.id);
    // Nobody has told the owner yet, who is mailed as about a code that expired.
    expect(row).toMatchObject({ status: 'expired', pointsReturned: true, expiryToldAt: null });
    expect(row.cancelledAt).not.toBeNull();
    const [stopped, resumed] = await auditOf(id());
    expect(stopped).toMatchObject({ after: { cancelledCodes: 2 } });
    expect(resumed).toMatchObject({ after: { cancelledCodes: 0 } });
  });

  it('treats a code that was being issued as cancelled, and $resume closes it', async () => {
    const issued = await issue();
    await stopUnseen(stop);
    expect(await till('complete', issued)).toMatchObject(refused('code_cancelled'));
    expect((await till('lookup', issued)).body).toMatchObject(cancelled);
    const path = `/api/v1/consumer/redemptions/${issued.id}`;
    const own = await app.call({ path, token: bob.token });
    if (stop === 'freeze') {
      expect(own.body).toMatchObject({ ...cancelled, code: null });
      const all = '/api/v1/consumer/redemptions?status=issued';
      const list = await app.call({ path: all, token: bob.token });
      expect(list.body).toEqual([]);
      const cancelling = await post(`/consumer/redemptions/${issued.id}/cancel`, bob);
      expect(cancelling).toMatchObject(refused('code_cancelled'));
    } else {
      expect(own.status).toBe(401);
    }
    expect(await redemptionRow(db, issued.id)).toMatchObject({ status: 'issued' });

    expect((await post(`${of()}/${resume}`, admin)).status).toBe(200);
    expect(await balanceOf(db, walletId)).toBe(400);
    expect(await till('complete', issued)).toMatchObject(refused('code_cancelled'));
    expect((await auditOf(id())).at(-1)).toMatchObject({ after: { cancelledCodes: 1 } });
  });

  it('returns the points of such a code when its time is over, whatever the policy', async () => {
    const issued = await issue();
    await stopUnseen(stop);
    await expiresIn(db, [issued.id], -1);
    await lifecycle.expireOne(db, issued.id, 'forfeit');
    expect(await balanceOf(db, walletId)).toBe(400);
    await post(`${of()}/${resume}`, admin);
    expect(await till('complete', issued)).toMatchObject(refused('code_expired'));
  });

  it('lets a till win that was first, and points move once when all come at once', async () => {
    for (let round = 0; round < 5; round++) {
      const issued = await issue();
      const before = await balanceOf(db, walletId);
      const [answer] = await Promise.all([
        till('complete', issued),
        post(`${of()}/${stop}`, admin),
        post(`${of()}/${stop}`, admin),
      ]);
      const isUsed = answer.status === 200;
      expect(await balanceOf(db, walletId)).toBe(isUsed ? before : before + 30);
      await post(`${of()}/${resume}`, admin);
      expect((await redemptionRow(db, issued.id)).status).toBe(isUsed ? 'used' : 'expired');
    }
  });
});

it('a suspended person who becomes a client gets no code back that was being issued', async () => {
  const issued = await issue();
  await stopUnseen('suspend');
  const path = `/api/v1/admin/users/${bob.userId}/role`;
  const body = { role: 'client' };
  const role = await app.call({ method: 'PATCH', path, token: admin.token, body });
  expect(role).toMatchObject({ status: 200, body: { status: 'pending_approval' } });
  expect(await auditOf(bob.userId)).toMatchObject([
    { action: 'user.role', after: { ...body, status: 'pending_approval', cancelledCodes: 1 } },
  ]);
  expect(await till('complete', issued)).toMatchObject(refused('code_cancelled'));
  expect(await balanceOf(db, walletId)).toBe(400);
});

it('freezes a wallet with every code that was issued before, also at the same moment', async () => {
  for (let round = 0; round < 10; round++) {
    const confirm = () =>
      post(`/consumer/wallets/${walletId}/redeem/confirm`, bob, { pointsToRedeem: 10 });
    await Promise.all([
      confirm(),
      confirm(),
      confirm().then(() => confirm()),
      post(`/admin/wallets/${walletId}/freeze`, admin),
    ]);
    expect(await db('redemptions').where({ walletId, status: 'issued' })).toEqual([]);
    expect(await balanceOf(db, walletId)).toBe(400);
    await post(`/admin/wallets/${walletId}/unfreeze`, admin);
  }
});

it('leaves the codes of a wallet that is not frozen when it is unfrozen', async () => {
  const issued = await issue();
  expect((await post(`/admin/wallets/${walletId}/unfreeze`, admin)).status).toBe(200);
  expect((await till('complete', issued)).status).toBe(200);
});

it('tells the shop’s systems of each code that was cancelled', async () => {
  await db('tenants').where('id', tenantId).update({ tellsEvents: true });
  const issued = await issue();
  await post(`/admin/users/${bob.userId}/suspend`, admin);
  const events = await db('tenant_events').where({ tenantId, type: 'redemption.expired' });
  expect(events).toMatchObject([{ data: { redemptionId: issued.id, cancelled: true } }]);
});
