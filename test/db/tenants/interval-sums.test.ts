import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import * as intervalSums from '../../../db/tenants/interval-sums.ts';
import type { PaymentId, RedemptionId, TenantId, WalletId } from '../../../domain/ids.ts';
import {
  type AlphaPaymentOptions,
  aRule,
  aTenant,
  aUser,
  aWallet,
  required,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';
import { aRedemption, expiresIn, testCodes } from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
let walletId: WalletId;
let email: string;
let pay: (payment: AlphaPaymentOptions) => Promise<PaymentId>;
beforeEach(async () => {
  tenantId = await aTenant(db);
  email = `${randomUUID()}@example.com`;
  walletId = await aWallet(db, { tenantId, userId: await aUser(db, { email }), balance: 500 });
  pay = await aTill(db, tenantId);
  await aRule(db, tenantId, { conversionRate: 0.1 });
});

const day = (nth: number) => new Date(Date.UTC(2026, 0, nth));
const spans = [1, 2, 3].map((nth) => ({ from: day(nth), to: day(nth + 1) }));
const sumsOf = (currency: string | null = 'EUR', id = tenantId) =>
  intervalSums.sumSpans(db, { id, currency }, spans);
const occurred = (id: PaymentId, occurredAt: Date) =>
  db('payments').where({ id }).update({ occurredAt });

const NOTHING = {
  sales: { count: 0, amountMinorUnits: 0 },
  matched: { count: 0, amountMinorUnits: 0 },
  pointsEarned: 0,
  pointsReversed: 0,
  pointsRedeemed: 0,
  pointsUsed: 0,
  pointsReturned: 0,
};
const inSpan = (nth: number, some = {}) => ({ ...spans[nth], ...NOTHING, ...some });

/** A code of these points, issued on a day, whose points came back a day later if it is said. */
async function aCode(points: number, issuedOn: number, isReturned = false): Promise<RedemptionId> {
  const { id } = await aRedemption(db, { walletId, points });
  if (isReturned) {
    await expiresIn(db, [id], -1);
    await lifecycle.expireOne(db, id, 'refund');
  }
  await db('redemptions')
    .where({ id })
    .update({ createdAt: day(issuedOn), expiresAt: day(issuedOn + 1) });
  return id;
}

describe('sumSpans', () => {
  it('sums sales by when they occurred, each in the span that it begins or lies in', async () => {
    await occurred(await pay({ amount: 1000, tip: 50, email }), day(1));
    await occurred(await pay({ amount: 200 }), new Date(day(2).getTime() - 1));
    await occurred(await pay({ amount: 30, email }), day(2));
    await occurred(await pay({ amount: 4 }), day(4));
    expect(await sumsOf()).toEqual([
      inSpan(0, {
        sales: { count: 2, amountMinorUnits: 1200 },
        matched: { count: 1, amountMinorUnits: 1000 },
        pointsEarned: 100,
      }),
      inSpan(1, {
        sales: { count: 1, amountMinorUnits: 30 },
        matched: { count: 1, amountMinorUnits: 30 },
        pointsEarned: 3,
      }),
      inSpan(2),
    ]);
  });

  it('counts what refunds took of the sales of the span, and a sale without a rule', async () => {
    await occurred(await pay({ amount: 1000, refunded: 400, email }), day(2));
    const without = await aTenant(db);
    await occurred(await (await aTill(db, without))({ amount: 10, email }), day(2));
    expect((await sumsOf())[1]).toMatchObject({ pointsEarned: 100, pointsReversed: 40 });
    expect((await sumsOf('EUR', without))[1]).toMatchObject({
      sales: { count: 1, amountMinorUnits: 10 },
      matched: { count: 1, amountMinorUnits: 10 },
      pointsEarned: 0,
    });
  });

  it('leaves amounts out that are in another currency than the tenant has', async () => {
    await occurred(await pay({ amount: 10 }), day(1));
    const foreign = await pay({ amount: 700 });
    await db('payments')
      .where({ id: foreign })
      .update({ currency: 'JPY', occurredAt: day(1) });
    const sales = async (currency: string | null) => (await sumsOf(currency))[0]?.sales;
    expect(await sales('EUR')).toEqual({ count: 2, amountMinorUnits: 10 });
    expect(await sales('JPY')).toEqual({ count: 2, amountMinorUnits: 700 });
    expect(await sales(null)).toEqual({ count: 2, amountMinorUnits: 710 });
  });

  it('counts codes by when they were issued, and points by when they came back', async () => {
    await aCode(30, 1);
    await aCode(5, 1, true);
    await aCode(7, 2, true);
    const returned = required(
      await db('redemptions')
        .where({ walletId, points: 7 })
        .first<{ expiredAt: Date }>('expiredAt'),
    );
    const sums = await sumsOf();
    expect(sums.map(({ pointsRedeemed }) => pointsRedeemed)).toEqual([35, 7, 0]);
    expect(sums.map(({ pointsReturned }) => pointsReturned)).toEqual([0, 0, 0]);
    const from = new Date(returned.expiredAt.getTime() - 60_000);
    const now = { from, to: new Date(from.getTime() + 120_000) };
    const [lately] = await intervalSums.sumSpans(db, { id: tenantId, currency: 'EUR' }, [now]);
    expect(lately).toMatchObject({ pointsRedeemed: 0, pointsReturned: 12 });
  });

  it('counts what was used by when it was used, whenever the code was issued', async () => {
    const operatorId = await aUser(db);
    const { code } = await aRedemption(db, { walletId, points: 30 });
    await aRedemption(db, { walletId, points: 5 });
    const hmacs = testCodes.hmacsOf(code);
    const burned = await db.transaction((tx) =>
      redemptions.burn(tx, { tenantId, hmacs, operatorId }),
    );
    const at = required(burned).usedAt.getTime();
    const spanAt = (ms: number) => ({ from: new Date(at + ms), to: new Date(at + ms + 1) });
    const tenant = { id: tenantId, currency: 'EUR' };
    const sums = await intervalSums.sumSpans(db, tenant, [spanAt(-1), spanAt(0), spanAt(1)]);
    expect(sums.map(({ pointsUsed }) => pointsUsed)).toEqual([0, 30, 0]);
  });

  it('sums nothing of another tenant', async () => {
    await occurred(await pay({ email }), day(1));
    await aCode(30, 1);
    expect(await sumsOf('EUR', await aTenant(db))).toEqual([inSpan(0), inSpan(1), inSpan(2)]);
  });

  it('is exact up to the largest number of JSON, and no larger', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const ids = [await pay({ amount: 1 }), await pay({ amount: 2 })];
    await db('payments')
      .whereIn('id', ids)
      .update({ amountMinorUnits: most - 1, occurredAt: day(3) });
    expect((await sumsOf())[2]?.sales).toEqual({ count: 2, amountMinorUnits: most });
  });
});
