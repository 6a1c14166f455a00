import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import { createRedemptionCodes } from '../../../../gateways/crypto/redemption-codes.ts';
import { aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath, type SignedIn } from '../../../support/http/app.ts';
import {
  aRedemption,
  balanceOf,
  expiresIn,
  type Issued,
  redemptionRow,
} from '../../../support/points/redemptions.ts';

const app = await useApp();
const { db } = app;

let tenantId: TenantId;
let walletId: WalletId;
let consumer: SignedIn;
let issued: Issued;
beforeEach(async () => {
  tenantId = await aTenant(db, { name: 'Corner Café' });
  await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
  consumer = await app.signIn({ role: 'consumer' });
  walletId = await aWallet(db, { balance: 100, userId: consumer.userId, tenantId });
  issued = await aRedemption(db, { walletId });
});

const get = (path: string, { token } = consumer) =>
  app.call({ path: path.startsWith('/api') ? path : `/api/v1/consumer/redemptions${path}`, token });
const cancel = (id: string = issued.id, options: object = {}) =>
  app.call({
    method: 'POST',
    path: `/api/v1/consumer/redemptions/${id}/cancel`,
    token: consumer.token,
    ...options,
  });
const complete = async () => {
  const { token } = await app.signIn({ role: 'pos_operator', member: tenantId });
  const body = { code: issued.code };
  return app.call({ method: 'POST', path: '/api/v1/pos/redemptions/complete', token, body });
};
const idsOf = ({ json }: Awaited<ReturnType<typeof get>>) =>
  json<{ id: string }[]>().map(({ id }) => id);

const shown = async () => {
  const row = await redemptionRow(db, issued.id);
  return {
    id: issued.id,
    walletId,
    tenant: { id: tenantId, name: 'Corner Café' },
    status: 'issued',
    cancelled: false,
    points: 30,
    discountValueMinorUnits: 30,
    currency: 'EUR',
    reward: null,
    issuedAt: row.createdAt.toISOString(),
    expiresAt: issued.expiresAt.toISOString(),
    usedAt: row.usedAt?.toISOString() ?? null,
    code: issued.code,
  };
};

describe('GET /consumer/redemptions', () => {
  it('200 with every field, newest first, and the code while it can be used', async () => {
    const second = await aRedemption(db, { walletId, points: 7 });
    await aRedemption(db);
    const { status, body } = await get('');
    expect(status).toBe(200);
    expect(body).toEqual([
      expect.objectContaining({ id: second.id, points: 7, code: second.code }),
      await shown(),
    ]);
  });

  it('200 without the code once it is used or overdue', async () => {
    await complete();
    const used = { ...(await shown()), status: 'used', code: null };
    expect((await get('')).body).toEqual([used]);
    expect(used.usedAt).not.toBeNull();
    issued = await aRedemption(db, { walletId });
    await expiresIn(db, [issued.id], -1);
    expect((await get('?status=expired')).body).toEqual([
      expect.objectContaining({ id: issued.id, status: 'expired', cancelled: false, code: null }),
    ]);
    expect(idsOf(await get('?status=issued'))).toEqual([]);
    expect((await get('?status=used')).body).toEqual([used]);
  });

  it('200 page by page, of one wallet or all, and nothing of another’s wallet', async () => {
    const elsewhere = await aWallet(db, { balance: 90, userId: consumer.userId });
    const ids = [issued.id, (await aRedemption(db, { walletId: elsewhere })).id];
    ids.push((await aRedemption(db, { walletId })).id);
    const first = await get('?limit=2');
    const second = await get(nextPath(first) ?? '');
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.toReversed());
    expect(nextPath(second)).toBeUndefined();
    expect(idsOf(await get(`?walletId=${walletId.toUpperCase()}`))).toEqual([ids[2], ids[0]]);
    const foreign = await aRedemption(db);
    expect(await get(`?walletId=${foreign.walletId}`)).toMatchObject({ status: 200, body: [] });
  });

  it('200 with the others when one code cannot be opened any more', async () => {
    const codes = createRedemptionCodes([{ id: 'gone', key: new Uint8Array(32) }]);
    const lost = await aRedemption(db, { walletId, codes });
    expect((await get('')).body).toMatchObject([
      { id: lost.id, status: 'issued', code: null },
      { id: issued.id, code: issued.code },
    ]);
    expect(app.log.join()).toContain('redemption_code_unreadable');
  });

  it.each(['status=lost', 'walletId=none', 'cursor=none', 'limit=0'])(
    '400 VALIDATION_ERROR for %s',
    async (query) => {
      const [path] = query.split('=');
      expect(await get(`?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', issues: [{ path }] },
      });
    },
  );
});

describe('GET /consumer/redemptions/:redemptionId', () => {
  it('200 with the redemption as in the list', async () => {
    expect(await get(`/${issued.id}`)).toMatchObject({ status: 200, body: await shown() });
  });

  it('404 for another’s, as for an unknown one', async () => {
    const foreign = await aRedemption(db);
    for (const id of [foreign.id, randomUUID(), 'none']) {
      expect(await get(`/${id}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });
});

describe('POST /consumer/redemptions/:redemptionId/cancel', () => {
  it.each([undefined, {}])('200 with the points back at once, for the body %j', async (body) => {
    const answer = await cancel(issued.id, { body });
    expect(answer).toMatchObject({ status: 200 });
    const gone = { status: 'expired', cancelled: true, code: null };
    expect(answer.body).toEqual({ ...(await shown()), ...gone });
    expect(await balanceOf(db, walletId)).toBe(100);
    expect((await get('?status=expired')).body).toEqual([answer.body]);
    expect(await complete()).toMatchObject({
      status: 422,
      body: { code: 'RULE_REJECTED', issues: [{ code: 'code_cancelled' }] },
    });
  });

  it('200 again under the same Idempotency-Key, and the points back once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await cancel(issued.id, { headers });
    const again = await cancel(issued.id, { headers });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await balanceOf(db, walletId)).toBe(100);
  });

  it('422 with what became of a code that is closed', async () => {
    const refused = async (code: string, params?: object) =>
      expect(await cancel()).toMatchObject({
        status: 422,
        body: { code: 'RULE_REJECTED', issues: [{ path: '', code, ...(params && { params }) }] },
      });
    const used = await complete();
    await refused('code_used', { usedAt: used.json<{ usedAt: string }>().usedAt });
    issued = await aRedemption(db, { walletId });
    await cancel();
    await refused('code_cancelled');
    issued = await aRedemption(db, { walletId });
    await expiresIn(db, [issued.id], -1);
    const { expiresAt } = await redemptionRow(db, issued.id);
    await refused('code_expired', { expiredAt: expiresAt.toISOString() });
    await lifecycle.expireOne(db, issued.id, 'forfeit');
    await refused('code_expired');
    expect(await balanceOf(db, walletId)).toBe(40);
  });

  it('one 200 for twenty at once, of which a till is one', async () => {
    const asked = Array.from({ length: 19 }, () => cancel());
    const answers = await Promise.all([...asked.slice(0, 9), complete(), ...asked.slice(9)]);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 422)]);
    const isUsed = answers[9]?.status === 200;
    expect(await balanceOf(db, walletId)).toBe(isUsed ? 70 : 100);
  });

  it('404 for another’s code, which stays as it is; 400 for a field it does not have', async () => {
    const foreign = await aRedemption(db);
    for (const id of [foreign.id, randomUUID(), 'none']) {
      expect(await cancel(id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(await redemptionRow(db, foreign.id)).toMatchObject({ status: 'issued' });
    expect(await cancel(issued.id, { body: { reason: 'late' } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: 'reason', code: 'unknown_field' }] },
    });
    expect(await redemptionRow(db, issued.id)).toMatchObject({ status: 'issued' });
  });
});
