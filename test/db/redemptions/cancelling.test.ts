import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as debts from '../../../db/payments/debts.ts';
import * as following from '../../../db/redemptions/following.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';
import {
  aRedemption,
  balanceOf,
  expiresIn,
  type Issued,
  redemptionRow,
  testCodes,
} from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;

const cancel = (issued: Pick<Issued, 'id' | 'userId'>) =>
  db.transaction((tx) => lifecycle.cancel(tx, issued));
const entriesOf = async ({ walletId }: Issued) =>
  (await db('ledger_entries').where({ walletId }).orderBy('seq')).map(
    ({ reason, entryType, points }) => `${reason} ${entryType} ${points}`,
  );

describe('cancel', () => {
  it('returns the points once, and closes the code without anybody to inform', async () => {
    const issued = await aRedemption(db);
    expect(await cancel(issued)).toBe(true);
    expect(await cancel(issued)).toBe(false);
    expect(await balanceOf(db, issued.walletId)).toBe(100);
    expect((await entriesOf(issued)).slice(1)).toEqual([
      'redemption debit 30',
      'redemption_expired credit 30',
    ]);
    const row = await redemptionRow(db, issued.id);
    expect(row).toMatchObject({ status: 'expired', pointsReturned: true, sealedCode: null });
    expect(row.cancelledAt).toEqual(row.expiredAt);
    expect(row.expiryToldAt).toEqual(row.expiredAt);
  });

  it('leaves an overdue code to its expiry, and a code of somebody else', async () => {
    const issued = await aRedemption(db);
    expect(await cancel({ ...issued, userId: await aUser(db) })).toBe(false);
    await expiresIn(db, [issued.id], 0);
    expect(await cancel(issued)).toBe(false);
    expect(await redemptionRow(db, issued.id)).toMatchObject({ status: 'issued' });
    await lifecycle.expireOne(db, issued.id, 'forfeit');
    expect(await balanceOf(db, issued.walletId)).toBe(70);
  });

  it('pays what a refund is owed with the points that return', async () => {
    const walletId = await aWallet(db);
    const paymentId = await aCreditedPayment(db, walletId, 50);
    await db('payments').where({ id: paymentId }).update({ refundedMinorUnits: 50 });
    const issued = await aRedemption(db, { walletId, points: 50 });
    const owing = {
      outcome: 'refund_reversed',
      cause: 'refund',
      writtenOff: 0,
      points: 0,
    } as const;
    const reversal = { ...owing, refundedMinorUnits: 50, target: 50, owed: 50 };
    await db.transaction((tx) => debts.record(tx, [{ paymentId, reversals: [reversal] }]));
    expect(await cancel(issued)).toBe(true);
    expect((await entriesOf(issued)).slice(-2)).toEqual([
      'redemption_expired credit 50',
      'payment_refunded debit 50',
    ]);
    expect(await db('payments').where({ id: paymentId }).first()).toMatchObject({
      pointsReversed: 50,
      pointsOwed: 0,
      pointsWrittenOff: 0,
    });
  });

  it('leaves nothing to do for the run that follows, or would follow', async () => {
    const [followed, unfollowed] = [await aRedemption(db), await aRedemption(db)];
    const batch = { runId: randomUUID(), ids: [followed.id] };
    await following.follow(db, batch);
    await cancel(followed);
    await cancel(unfollowed);
    const progress = { open: 0, used: 0, expired: 1, uninformed: 0 };
    expect(await following.findBatchProgress(db, batch)).toMatchObject(progress);
    const late = { runId: randomUUID(), ids: [unfollowed.id] };
    expect(await following.follow(db, late)).toMatchObject(progress);
  });

  it('lets one of burn, cancel and expiry win a race, and points return once', async () => {
    const walletId = await aWallet(db, { balance: 1_200 });
    const issued: Issued[] = [];
    for (let nth = 0; nth < 40; nth++) issued.push(await aRedemption(db, { walletId }));
    const ids = issued.map(({ id }) => id);
    await expiresIn(db, ids.slice(0, 20), 0.04);
    const operatorId = await aUser(db);
    const race = issued.flatMap((one, nth) => {
      const hmacs = testCodes.hmacsOf(one.code);
      const { tenantId } = one;
      const burn = () =>
        db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
      const enders = [burn, () => cancel(one), () => cancel(one)];
      const first = enders.splice(nth % 2, 1);
      return [...first, () => lifecycle.expireOne(db, one.id, 'refund'), ...enders];
    });
    await Promise.all(race.map((attempt) => attempt()));
    await expect.poll(async () => lifecycle.expireOverdue(db, 'refund', 100)).toEqual([]);

    const rows = await db('redemptions').whereIn('id', ids);
    const used = rows.filter(({ status }) => status === 'used').length;
    const cancelled = rows.filter(({ cancelledAt }) => cancelledAt !== null).length;
    expect(rows.filter(({ status }) => status === 'issued')).toEqual([]);
    expect([used > 0, cancelled > 0]).toEqual([true, true]);
    expect(await balanceOf(db, walletId)).toBe(1_200 - 30 * used);
    const returns = await db('ledger_entries')
      .where({ walletId, reason: 'redemption_expired' })
      .select('sourceId');
    const returned = rows.filter(({ status }) => status === 'expired').map(({ id }) => id);
    expect(returns.map(({ sourceId }) => sourceId).toSorted()).toEqual(returned.toSorted());
  });
});

describe('the table of redemptions', () => {
  it.each([
    ['before its time only when cancelled', { expiredAt: 'now' }],
    ['cancelled only with its points', { expiredAt: 'now', cancelledAt: 'now' }],
    ['cancelled when it is expired', { cancelledAt: 'now', pointsReturned: true }],
  ])('lets a code end %s', async (_, change) => {
    const { id } = await aRedemption(db);
    const closing = { status: 'expired', sealedCode: null, ...change };
    await expect(db('redemptions').where({ id }).update(closing)).rejects.toThrow(
      /redemptions_expired_|redemptions_cancelled_/,
    );
  });
});
