import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PaymentId, TenantId, WalletId } from '../../../../domain/ids.ts';
import {
  type AlphaPaymentOptions,
  aProgramme,
  aRule,
  aTenant,
  aUser,
  aWallet,
  required,
} from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aTill } from '../../../support/points/payments.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

let tenantId: TenantId;
let token: string;
let pay: (payment: AlphaPaymentOptions) => Promise<PaymentId>;
const app = await useApp();
const { db } = app;
beforeEach(async () => {
  tenantId = await aTenant(db);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
  pay = await aTill(db, tenantId);
});

const get = (query = '', by = token) =>
  app.call({ path: `/api/v1/client/tenants/${tenantId}/statistics${query}`, token: by });

const getCsv = () =>
  app.call({
    path: `/api/v1/client/tenants/${tenantId}/transactions`,
    token,
    headers: { accept: 'text/csv' },
  });

/** How many statements wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await app.owner.raw<{ rows: { number: number }[] }>(
    `select count(*) as number from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where not l.granted and a.datname = current_database()`,
  );
  return required(rows[0]).number;
}

type Shown = {
  from: string;
  to: string;
  timeZone: string;
  intervals: { from: string; to: string; sales: { count: number }; pointsRedeemed: number }[];
};

describe('GET …/statistics', () => {
  it('200 with the sums of each interval and the outstanding points', async () => {
    await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
    await aRule(db, tenantId);
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email });
    await pay({ amount: 1000, refunded: 250, email });
    await pay({ amount: 70 });
    const { id: walletId } = required(
      await db('wallets').where({ tenantId }).first<{ id: WalletId }>('id'),
    );
    await aRedemption(db, { walletId, points: 50 });

    const { status, body } = await get('?from=2026-01-15T00:00:00Z&to=2026-01-16T12:00:00Z');
    const nothing = { count: 0, amountMinorUnits: 0 };
    const noCodes = { pointsRedeemed: 0, pointsUsed: 0, pointsReturned: 0, pointsExpired: 0 };
    const noPoints = { pointsEarned: 0, pointsReversed: 0, ...noCodes };
    expect(status).toBe(200);
    expect(body).toEqual({
      from: '2026-01-15T00:00:00.000Z',
      to: '2026-01-16T12:00:00.000Z',
      interval: 'day',
      timeZone: 'UTC',
      currency: 'EUR',
      intervals: [
        {
          from: '2026-01-15T00:00:00.000Z',
          to: '2026-01-16T00:00:00.000Z',
          sales: { count: 2, amountMinorUnits: 1070 },
          matched: { count: 1, amountMinorUnits: 1000 },
          ...noPoints,
          pointsEarned: 1000,
          pointsReversed: 250,
        },
        {
          from: '2026-01-16T00:00:00.000Z',
          to: '2026-01-16T12:00:00.000Z',
          sales: nothing,
          matched: nothing,
          ...noPoints,
        },
      ],
      before: {
        from: '2026-01-13T00:00:00.000Z',
        to: '2026-01-14T12:00:00.000Z',
        sales: nothing,
        matched: nothing,
        ...noPoints,
      },
      buyers: { count: 1, returning: 0 },
      buyersBefore: { count: 0, returning: 0 },
      topConsumers: [
        {
          userId,
          email: `${email[0]}***@example.com`,
          phone: null,
          sales: { count: 1, amountMinorUnits: 1000 },
          lastSaleAt: expect.stringMatching(/^2026-01-15T10:00:00/),
        },
      ],
      today: { sales: nothing, usualCount: null },
      pointsOutstanding: 750,
      liabilityMinorUnits: 750,
      pointsOwed: 0,
      rewardFactor: null,
    });
  });

  it('200 with what refunds took as reversed, and what they did not find as owed', async () => {
    const email = `${randomUUID()}@example.com`;
    await aUser(db, { email });
    await aRule(db, tenantId);
    const sale = { id: `PAY_${randomUUID()}`, amount: 100, email };
    await pay(sale);
    const wallet = await db('wallets').where({ tenantId }).first<{ id: WalletId }>('id');
    await aRedemption(db, { walletId: required(wallet).id, points: 60 });
    await pay({ ...sale, refunded: 100, updatedAt: new Date('2026-01-15T12:00:00Z') });
    const { body } = await get('?from=2026-01-15T00:00:00Z&to=2026-01-16T00:00:00Z');
    expect(body).toMatchObject({
      intervals: [{ pointsEarned: 100, pointsReversed: 40 }],
      pointsOwed: 60,
    });
  });

  it('200 with the days before, and how many sales are usual today by this time', async () => {
    const email = `${randomUUID()}@example.com`;
    await aUser(db, { email });
    await aRule(db, tenantId);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 1_000);
    for (const days of [0, 7, 7, 14, 14, 14, 21, 28]) {
      const id = await pay({ amount: 100, email });
      await db('payments')
        .where({ id })
        .update({ occurredAt: daysAgo(days) });
    }
    const from = new Date(Date.now() - 10 * 86_400_000).toISOString();
    expect((await get(`?from=${from}`)).body).toMatchObject({
      before: { sales: { count: 3, amountMinorUnits: 300 }, matched: { count: 3 } },
      buyers: { count: 1, returning: 1 },
      buyersBefore: { count: 1, returning: 1 },
      today: { sales: { count: 1, amountMinorUnits: 100 }, usualCount: 1 },
    });
  });

  it('200 with the last 30 days by default, today with what was redeemed just now', async () => {
    const walletId = await aWallet(db, { tenantId, balance: 100 });
    await aRedemption(db, { walletId, points: 5 });
    const { intervals, from, to } = (await get()).json<Shown>();
    expect(intervals).toHaveLength(30);
    expect(from).toMatch(/T00:00:00.000Z$/);
    expect(Date.parse(to)).toBeGreaterThan(Date.now() - 60_000);
    const redeemed = intervals.map(({ pointsRedeemed }) => pointsRedeemed);
    expect(redeemed).toEqual([...Array(29).fill(0), 5]);
  });

  it.each([
    ['week', ['2026-01-01', '2026-01-05', '2026-01-12']],
    ['month', ['2026-01-01']],
  ])('200 by %s', async (interval, starts) => {
    const query = `?from=2026-01-01T00:00:00Z&to=2026-01-16T00:00:00Z&interval=${interval}`;
    await pay({});
    const { intervals } = (await get(query)).json<Shown>();
    expect(intervals.map(({ from }) => from.slice(0, 10))).toEqual(starts);
    expect(intervals.map(({ sales }) => sales.count)).toEqual(
      starts.map((_, nth) => (nth === starts.length - 1 ? 1 : 0)),
    );
  });

  it('200 by the days of the time zone that is asked for', async () => {
    await pay({}); // At ten in the morning of the fifteenth, in UTC.
    const zone = 'timeZone=Pacific/Kiritimati';
    const query = `?from=2026-01-14T10:00:00Z&to=2026-01-16T10:00:00Z&${zone}`;
    const { timeZone, intervals } = (await get(query)).json<Shown>();
    expect(timeZone).toBe('Pacific/Kiritimati');
    expect(intervals).toMatchObject([
      { from: '2026-01-14T10:00:00.000Z', sales: { count: 0 } },
      { from: '2026-01-15T10:00:00.000Z', sales: { count: 1 } },
    ]);
  });

  it("200 with the last 30 days of the shop's time zone, by default its country's", async () => {
    const clocks = (values: object) => db('tenants').where({ id: tenantId }).update(values);
    const zones: string[] = [];
    for (const values of [{ country: 'NP' }, { country: 'US' }, { timeZone: 'Asia/Tokyo' }]) {
      await clocks(values);
      const { from, timeZone, intervals } = (await get()).json<Shown>();
      expect(intervals).toHaveLength(30);
      zones.push(`${timeZone} ${from.slice(11, 16)}`);
    }
    expect(zones).toEqual(['Asia/Kathmandu 18:15', 'UTC 00:00', 'Asia/Tokyo 15:00']);
  });

  it.each([
    ['?timeZone=%2B02:00', 'invalid', 'timeZone'],
    ['?timeZone=EST', 'invalid', 'timeZone'],
    ['?timeZone=europe/berlin', 'invalid', 'timeZone'],
    ['?interval=hour', 'invalid_value', 'interval'],
    ['?from=yesterday', 'invalid_format', 'from'],
    ['?from=2026-01-01', 'invalid_format', 'from'],
    ['?to=9999-12-31T23:00:00-02:00', 'invalid', 'to'],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 'invalid', 'from'],
    ['?from=2026-01-03T00:00:00Z&to=2026-01-02T00:00:00Z', 'invalid', 'from'],
  ])('400 VALIDATION_ERROR for %s', async (query, code, path) => {
    const { status, body } = await get(query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ code, path }] });
  });

  it('400 for years of which the database may not know the one before', async () => {
    await aProgramme(db, tenantId);
    const years = '?from=0002-01-01T00:00:00Z&to=0005-01-01T00:00:00Z&interval=month';
    expect(await get(years)).toMatchObject({
      status: 400,
      body: { issues: [{ code: 'invalid', path: 'from' }, { path: 'to' }] },
    });
  });

  it('400 too_many_intervals for more than 400 of them, not for 400', async () => {
    const asked = (days: number) => {
      const to = new Date(Date.UTC(2026, 0, 1 + days)).toISOString();
      return get(`?from=2026-01-01T00:00:00Z&to=${to}`);
    };
    expect((await asked(400)).json<Shown>().intervals).toHaveLength(400);
    expect(await asked(401)).toMatchObject({
      status: 400,
      body: { issues: [{ path: '', code: 'too_many_intervals', params: { max: 400 } }] },
    });
    expect((await get('?from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z')).status).toBe(400);
  });

  it('429 too_many_reports while one of the merchant is being made, of either kind', async () => {
    const lock = await app.owner.transaction();
    const running: Promise<{ status: number }>[] = [];
    try {
      await lock.raw('lock table payments in access exclusive mode');
      running.push(get());
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
      for (const again of [await get(), await getCsv()]) {
        expect(again).toMatchObject({
          status: 429,
          body: { code: 'RATE_LIMITED', issues: [{ path: '', code: 'too_many_reports' }] },
        });
        expect(again.headers.get('retry-after')).toBe('5');
      }
    } finally {
      await lock.rollback();
    }
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200]);
    expect((await getCsv()).status).toBe(200);
    expect((await get()).status).toBe(200);
  });

  it('403 for an operator of the tenant, and for a merchant of another tenant', async () => {
    const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
    const other = await app.signIn({ role: 'client', member: await aTenant(db) });
    expect((await get('', operator.token)).body).toMatchObject({ code: 'INSUFFICIENT_ROLE' });
    expect((await get('', other.token)).body).toMatchObject({ code: 'TENANT_FORBIDDEN' });
  });
});
