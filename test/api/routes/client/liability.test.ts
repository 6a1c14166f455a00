import { beforeEach, describe, expect, it } from 'vitest';
import { takeMonth } from '../../../../activities/expiry/take-month.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { monthOf, monthText, startOfMonth } from '../../../../domain/intervals.ts';
import {
  aProgramme,
  aReward,
  aRule,
  aTenant,
  aWallet,
  required,
} from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

const app = await useApp();
const { db } = app;
const now = monthOf(new Date(), 'UTC');
const last = now - 1;

let tenantId: TenantId;
let token: string;
let path: string;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
  await aRule(db, tenantId);
  ({ token } = await app.signIn({ role: 'client', member: tenantId }));
  path = `/api/v1/client/tenants/${tenantId}/liability`;
});

const show = (query = '') => app.call({ path: `${path}${query}`, token });
const take = async (month: number) =>
  required(await takeMonth({ db, log: { error: () => undefined } }, { tenantId, month }));

describe('GET /client/tenants/:tenantId/liability', () => {
  it('200: the newest month, or that one, with the worth of points in rewards', async () => {
    const publishedAt = startOfMonth(now - 3, 'UTC');
    await aProgramme(db, tenantId, { validityMonths: 1, publishedAt });
    const rewardId = await aReward(db, tenantId, { pricePoints: 30, valueMinorUnits: 35 });
    const walletId = await aWallet(db, { tenantId, balance: 100 });
    const used = await aRedemption(db, { walletId, points: 30 });
    await db('redemptions').where({ id: used.id }).update({
      status: 'used',
      sealedCode: null,
      usedAt: new Date(),
      usedBy: used.userId,
      rewardId,
    });
    await db('rewards').where({ id: rewardId }).update({ taken: 1 });
    await aRedemption(db, { walletId, points: 20 });
    await take(last);
    const { status, body } = await show();
    expect(status).toBe(200);
    expect(body).toEqual({
      month: monthText(last),
      asOf: expect.stringMatching(/Z$/),
      currency: 'EUR',
      pointsOutstanding: 70,
      minorUnits: 70,
      openCodes: 20,
      rewardFactor: 1.1667,
      months: [{ month: monthText(now), earned: 100, reversed: 0, used: 50, expired: 0, left: 50 }],
    });
    await take(now);
    expect((await show()).json<{ month: string }>().month).toBe(monthText(now));
    // It stays as it was.
    expect((await show(`?month=${monthText(last)}`)).body).toEqual(body);
  });

  it('404 before a month was counted, for another one, and for one without expiry', async () => {
    expect((await show()).status).toBe(404);
    await aProgramme(db, tenantId, { publishedAt: startOfMonth(now - 3, 'UTC') });
    await aWallet(db, { tenantId, balance: 100 });
    await take(last);
    expect(await show()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await show(`?month=${monthText(last)}`)).status).toBe(404);
  });

  it.each(['2026-13', '2026-3', '2026-03-01', 'last', ''])(
    '400 for the month %s',
    async (month) => {
      expect((await show(`?month=${month}`)).status).toBe(400);
    },
  );
});
