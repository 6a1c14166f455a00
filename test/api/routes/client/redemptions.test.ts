import { beforeEach, describe, expect, it } from 'vitest';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../../db/redemptions/redemptions.ts';
import type { TenantId, UserId, WalletId } from '../../../../domain/ids.ts';
import { aTenant, aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath, type SignedIn } from '../../../support/http/app.ts';
import { aRedemption, redemptionRow, testCodes } from '../../../support/points/redemptions.ts';

const app = await useApp();
const { db } = app;

let tenantId: TenantId;
let userId: UserId;
let walletId: WalletId;
let merchant: SignedIn;
beforeEach(async () => {
  tenantId = await aTenant(db, { name: 'Corner Café' });
  userId = await aUser(db, { email: `ann-${crypto.randomUUID()}@example.com`, phone: aPhone() });
  walletId = await aWallet(db, { balance: 100, userId, tenantId });
  merchant = await app.signIn({ role: 'client', member: tenantId });
});

let phones = 0;
function aPhone() {
  phones += 1;
  return `+49151${String(phones).padStart(5, '0')}678`;
}
const list = (query = '') =>
  app.call({
    path: query.startsWith('/') ? query : `/api/v1/client/tenants/${tenantId}/redemptions${query}`,
    token: merchant.token,
  });
const issue = () => aRedemption(db, { walletId, points: 10 });
const idsOf = ({ json }: Awaited<ReturnType<typeof list>>) =>
  json<{ id: string }[]>().map(({ id }) => id);

describe('GET …/redemptions', () => {
  it('200 with every field but the code, newest first, people masked', async () => {
    const [used, cancelled, open] = [await issue(), await issue(), await issue()];
    const operatorId = await aUser(db, { email: `grace-${crypto.randomUUID()}@example.com` });
    await db('users').where({ id: operatorId }).update({ name: 'Grace Hopper' });
    const hmacs = testCodes.hmacsOf(used.code);
    await db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
    await db.transaction((tx) => lifecycle.cancel(tx, cancelled));
    await aRedemption(db);
    const row = await redemptionRow(db, used.id);
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      expect.objectContaining({ id: open.id, status: 'issued', cancelled: false, usedBy: null }),
      expect.objectContaining({ id: cancelled.id, status: 'expired', cancelled: true }),
      {
        id: used.id,
        walletId,
        tenant: { id: tenantId, name: 'Corner Café' },
        status: 'used',
        cancelled: false,
        points: 10,
        discountValueMinorUnits: 10,
        currency: null,
        reward: null,
        issuedAt: row.createdAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
        usedAt: row.usedAt?.toISOString(),
        consumer: { userId, email: 'a***@example.com', phone: '***678' },
        usedBy: { userId: operatorId, email: 'g***@example.com', name: 'Grace Hopper' },
      },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain(open.code);
  });

  it('200 narrowed down by status, consumer and time of issue', async () => {
    const [first, second] = [await issue(), await issue()];
    const other = await aWallet(db, { balance: 10, tenantId });
    const third = await aRedemption(db, { walletId: other, points: 10 });
    await db.transaction((tx) => lifecycle.cancel(tx, second));
    expect(idsOf(await list('?status=expired'))).toEqual([second.id]);
    expect(idsOf(await list(`?userId=${userId}`))).toEqual([second.id, first.id]);
    expect(idsOf(await list(`?userId=${userId}&status=issued`))).toEqual([first.id]);
    expect(idsOf(await list(`?userId=${await aUser(db)}`))).toEqual([]);
    const from = '2026-02-01T00:00:00.000Z';
    await db('redemptions').where({ id: first.id }).update({ createdAt: from });
    expect(idsOf(await list(`?from=${from}&to=2026-02-01T00:00:00.001Z`))).toEqual([first.id]);
    expect(idsOf(await list(`?to=${from}`))).toEqual([]);
    expect(idsOf(await list(`?from=2026-02-01T00:00:00.001Z`))).toEqual([third.id, second.id]);
  });

  it('200 page by page', async () => {
    const ids = [(await issue()).id, (await issue()).id, (await issue()).id];
    const first = await list('?limit=2&status=issued');
    const second = await list(nextPath(first) ?? '');
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.toReversed());
    expect(nextPath(second)).toBeUndefined();
  });

  it.each(['status=lost', 'from=monday', 'to=', 'userId=ann', 'cursor=none'])(
    '400 VALIDATION_ERROR for %s',
    async (query) => {
      const answer = await list(`?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    },
  );

  it('403 TENANT_FORBIDDEN for another merchant', async () => {
    merchant = await app.signIn({ role: 'client', member: await aTenant(db) });
    expect(await list()).toMatchObject({ status: 403, body: { code: 'TENANT_FORBIDDEN' } });
  });
});

describe('GET …/redemptions/:redemptionId', () => {
  it('200 with what the list says of it, 404 for one of another shop', async () => {
    const { id } = await issue();
    const [listed] = (await list()).json<object[]>();
    const path = `/api/v1/client/tenants/${tenantId}/redemptions`;
    expect(await list(`${path}/${id}`)).toMatchObject({ status: 200, body: listed });
    const foreign = await aRedemption(db);
    expect(await list(`${path}/${foreign.id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });
});
