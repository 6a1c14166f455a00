import { describe, expect, it } from 'vitest';
import { takeMonth } from '../../../../activities/expiry/take-month.ts';
import { storeBatch } from '../../../../db/payments/batch-write.ts';
import { monthOf, monthText, startOfMonth } from '../../../../domain/intervals.ts';
import { aProgramme, aRule, aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aNewPayment } from '../../../support/points/payments.ts';

const app = await useApp();

describe('GET /consumer/wallets/:walletId/programme', () => {
  it('200 with what governs the wallet: the active version, or nothing', async () => {
    const { userId, token } = await app.signIn({ role: 'consumer' });
    const tenantId = await aTenant(app.db);
    const walletId = await aWallet(app.db, { userId, tenantId });
    const show = () => app.call({ path: `/api/v1/consumer/wallets/${walletId}/programme`, token });
    const noTier = { tiers: [], tier: null, qualifyingMinorUnits: 0 };
    const none = { validityMonths: null, returnWindowDays: 0, ...noTier };
    expect(await show()).toMatchObject({ status: 200, body: none });

    await aProgramme(app.db, tenantId, { validityMonths: 12 });
    await aProgramme(app.db, tenantId, { validityMonths: 24, returnWindowDays: 14 });
    const terms = { validityMonths: 24, returnWindowDays: 14 };
    expect((await show()).body).toEqual({ ...terms, ...noTier, campaigns: [] });

    const stranger = await app.signIn({ role: 'consumer' });
    const path = `/api/v1/consumer/wallets/${walletId}/programme`;
    expect((await app.call({ path, token: stranger.token })).status).toBe(404);
  });
});

describe('the tier in it', () => {
  it('is by the active version, with what counts today', async () => {
    const { userId, token } = await app.signIn({ role: 'consumer' });
    const tenantId = await aTenant(app.db);
    const walletId = await aWallet(app.db, { userId, tenantId });
    const [since, keptUntil] = ['2026-01-02', '2027-01-02'];
    await app.db('wallet_standings').insert({
      walletId,
      tenantId,
      tierKey: 'gold',
      since,
      keptUntil,
      decidedOn: since,
    });
    const show = () => app.call({ path: `/api/v1/consumer/wallets/${walletId}/programme`, token });
    const gold = { key: 'gold', name: 'Gold', thresholdMinorUnits: 100_000, multiplier: 1.5 };
    await aProgramme(app.db, tenantId, { tiers: [gold] });
    const month = new Date(Date.now() - 30 * 24 * 3_600_000);
    const sale = { tenantId, userId, walletId, occurredAt: month, amountMinorUnits: 1_250 };
    const today = { ...sale, occurredAt: new Date() };
    await app.db.transaction((tx) =>
      storeBatch(tx, [aNewPayment({ ...sale, refundedMinorUnits: 250 }), aNewPayment(today)], []),
    );
    const { key, name, multiplier } = gold;
    expect((await show()).body).toMatchObject({
      tiers: [gold],
      tier: { key, name, multiplier, since, keptUntil },
      qualifyingMinorUnits: 1_000,
    });
    // A version that has it no more gives nothing for it.
    await aProgramme(app.db, tenantId, {});
    expect((await show()).body).toMatchObject({ tiers: [], tier: null });
  });
});

describe('GET /consumer/wallets/:walletId/validity', () => {
  it('200 with what expires when, which adds up to the balance', async () => {
    const { userId, token } = await app.signIn({ role: 'consumer' });
    const tenantId = await aTenant(app.db);
    const walletId = await aWallet(app.db, { userId, tenantId, balance: 120 });
    const path = `/api/v1/consumer/wallets/${walletId}/validity`;
    const show = async () => (await app.call({ path, token })).body;
    const forEver = [{ month: null, expiresAt: null, points: 120 }];
    expect(await show()).toEqual({ validityMonths: null, timeZone: null, points: forEver });

    const now = monthOf(new Date(), 'UTC');
    const publishedAt = startOfMonth(now - 1, 'UTC');
    await aProgramme(app.db, tenantId, { validityMonths: 12, publishedAt });
    const expiresAt = startOfMonth(now + 13, 'UTC').toISOString();
    expect(await show()).toEqual({
      validityMonths: 12,
      timeZone: 'UTC',
      points: [{ month: monthText(now + 12), expiresAt, points: 120 }],
    });

    const stranger = await app.signIn({ role: 'consumer' });
    expect((await app.call({ path, token: stranger.token })).status).toBe(404);
  });
});

describe('an entry of points that have expired', () => {
  it('says of when they were, and what can be used longer', async () => {
    const { userId, token } = await app.signIn({ role: 'consumer' });
    const tenantId = await aTenant(app.db);
    await aRule(app.db, tenantId);
    const now = monthOf(new Date(), 'UTC');
    const publishedAt = startOfMonth(now - 1, 'UTC');
    await aProgramme(app.db, tenantId, { validityMonths: 1, publishedAt });
    const walletId = await aWallet(app.db, { userId, tenantId, balance: 40 });
    const month = now + 1;
    await takeMonth({ db: app.db, log: { error: () => undefined } }, { tenantId, month });
    const { body } = await app.call({
      path: `/api/v1/consumer/wallets/${walletId}/history?sourceType=expiry`,
      token,
    });
    const [entry] = body as { id: string }[];
    const path = `/api/v1/consumer/wallets/${walletId}/history/${entry?.id}/explain`;
    const named = (nth: number) =>
      new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        startOfMonth(nth, 'UTC'),
      );
    expect((await app.call({ path, token })).body).toMatchObject({
      reason: 'points_expired',
      summary: '40 points expired.',
      steps: [
        `They were earned by ${named(now)} and could be used until the end of ${named(month)}.`,
      ],
    });
    const merchant = await app.signIn({ role: 'client', member: tenantId });
    const to = startOfMonth(month + 1, 'UTC').toISOString();
    const query = `?interval=month&timeZone=UTC&to=${to}&from=${publishedAt.toISOString()}`;
    const shown = await app.call({
      path: `/api/v1/client/tenants/${tenantId}/statistics${query}`,
      token: merchant.token,
    });
    const { intervals } = shown.body as { intervals: { pointsExpired: number }[] };
    expect(intervals.map(({ pointsExpired }) => pointsExpired)).toEqual([0, 0, 40]);
  });
});
