import { describe, expect, it } from 'vitest';
import { takeMonth } from '../../../activities/expiry/take-month.ts';
import * as debts from '../../../db/payments/debts.ts';
import { type ClosedCode, settle } from '../../../db/redemptions/closing.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import type { PaymentId, WalletId } from '../../../domain/ids.ts';
import { monthOf, startOfMonth } from '../../../domain/intervals.ts';
import { countStatements } from '../../support/database/count-statements.ts';
import { asEarnedAt } from '../../support/database/rewritten-ledger.ts';
import { aProgramme, aRule, aTenant, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';
import { aRedemption, balanceOf, expiresIn } from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db, owner } = database;

/** A wallet whose payment of `points` is refunded while they are in codes of these sizes. */
async function anOwingWallet(...codes: number[]) {
  const walletId = await aWallet(db);
  const points = codes.reduce((sum, each) => sum + each, 0);
  const paymentId = await aCreditedPayment(db, walletId, points);
  await db('payments').where({ id: paymentId }).update({ refundedMinorUnits: points });
  const ids = [];
  for (const size of codes) ids.push((await aRedemption(db, { walletId, points: size })).id);
  const owing = { outcome: 'refund_reversed', cause: 'refund', writtenOff: 0, points: 0 } as const;
  const reversal = { ...owing, refundedMinorUnits: points, target: points, owed: points };
  await db.transaction((tx) => debts.record(tx, [{ paymentId, reversals: [reversal] }]));
  await expiresIn(db, ids, -1);
  return { walletId, paymentId, ids };
}

const debtOf = async (paymentId: PaymentId) => {
  const { pointsReversed, pointsOwed, pointsWrittenOff } = await db('payments')
    .where({ id: paymentId })
    .first();
  return [pointsReversed, pointsOwed, pointsWrittenOff];
};
const entriesOf = async (walletId: WalletId) =>
  (await db('ledger_entries').where({ walletId }).orderBy('seq')).map(
    ({ reason, entryType, points }) => `${reason} ${entryType} ${points}`,
  );

describe('settle', () => {
  it('credits what returns, and pays debts with it, together for several codes', async () => {
    const one = await anOwingWallet(10, 20);
    const two = await anOwingWallet(5);
    const free = await aRedemption(db, { points: 30 });
    await expiresIn(db, [free.id], -1);
    expect(await lifecycle.expireOverdue(db, 'refund', 10)).toHaveLength(4);
    expect(await debtOf(one.paymentId)).toEqual([30, 0, 0]);
    expect(await debtOf(two.paymentId)).toEqual([5, 0, 0]);
    expect(await balanceOf(db, one.walletId)).toBe(0);
    expect(await balanceOf(db, free.walletId)).toBe(100);
    const entries = await entriesOf(one.walletId);
    expect(entries.slice(0, 3)).toEqual([
      'purchase credit 30',
      'redemption debit 10',
      'redemption debit 20',
    ]);
    // Codes that expire together have no order.
    expect(entries.slice(3, 5).toSorted()).toEqual([
      'redemption_expired credit 10',
      'redemption_expired credit 20',
    ]);
    expect(entries.slice(5)).toEqual(['payment_refunded debit 30']);
  });

  it('pays a debt with what returns to its own wallet only', async () => {
    const { walletId, paymentId, ids } = await anOwingWallet(10, 20);
    await expiresIn(db, ids.slice(1), 900);
    const free = await aRedemption(db, { points: 30 });
    await expiresIn(db, [free.id], -1);
    expect(await lifecycle.expireOverdue(db, 'refund', 10)).toHaveLength(2);
    expect(await debtOf(paymentId)).toEqual([10, 20, 0]);
    expect(await balanceOf(db, walletId)).toBe(0);
    expect(await balanceOf(db, free.walletId)).toBe(100);
    await expiresIn(db, ids, -1);
    await lifecycle.expireOverdue(db, 'refund', 10);
  });

  it('takes no statement when nothing returns, and one where nothing is owed', async () => {
    const { id, walletId } = await aRedemption(db);
    const statementsOf = (codes: readonly ClosedCode[]) =>
      countStatements(db, (tx) => settle(tx, codes));
    expect(await statementsOf([])).toBe(0);
    expect(
      await statementsOf([
        { id, walletId, points: 30, isReturned: false, hasProgramme: false, rewardId: null },
      ]),
    ).toBe(0);
    await expiresIn(db, [id], -1);
    expect(
      await statementsOf([
        { id, walletId, points: 30, isReturned: true, hasProgramme: false, rewardId: null },
      ]),
    ).toBe(1);
    await db('redemptions').where({ id }).update({
      status: 'expired',
      expiredAt: db.fn.now(),
      sealedCode: null,
      pointsReturned: true,
    });
  });

  it('takes what is past its month by the time that it returns', async () => {
    const now = monthOf(new Date(), 'UTC');
    const tenantId = await aTenant(db);
    await aRule(db, tenantId);
    const publishedAt = startOfMonth(now - 4, 'UTC');
    await aProgramme(db, tenantId, { validityMonths: 1, publishedAt });
    const walletId = await aWallet(db, { tenantId, balance: 50 });
    await asEarnedAt(owner, { walletId, seq: 1 }, startOfMonth(now - 2, 'UTC'));
    const { id } = await aRedemption(db, { walletId, points: 30 });
    const log = { error: () => undefined };
    await takeMonth({ db, log }, { tenantId, month: now - 1 });
    expect(await balanceOf(db, walletId)).toBe(0);
    await expiresIn(db, [id], -1);
    await lifecycle.expireOverdue(db, 'refund', 10);
    expect((await entriesOf(walletId)).slice(-3)).toEqual([
      'points_expired debit 20',
      'redemption_expired credit 30',
      'points_expired debit 30',
    ]);
  });

  it('leaves what is owed as it is when a code is forfeited', async () => {
    const { walletId, paymentId, ids } = await anOwingWallet(10, 20);
    const [first] = ids;
    if (first === undefined) throw new Error('No code was issued.');
    await lifecycle.expireOne(db, first, 'forfeit');
    expect(await debtOf(paymentId)).toEqual([0, 30, 0]);
    await lifecycle.expireOverdue(db, 'refund', 10);
    expect(await debtOf(paymentId)).toEqual([20, 10, 0]);
    expect(await balanceOf(db, walletId)).toBe(0);
  });

  it('credits nothing back when the transaction fails, and leaves the code open', async () => {
    const { paymentId, ids, walletId } = await anOwingWallet(10);
    const failing = db.transaction(async (tx) => {
      const closed = await tx('redemptions')
        .where({ walletId })
        .update({
          status: 'expired',
          expiredAt: tx.fn.now(),
          sealedCode: null,
          pointsReturned: true,
        })
        .returning<Omit<ClosedCode, 'isReturned' | 'hasProgramme'>[]>(['id', 'walletId', 'points']);
      await settle(
        tx,
        closed.map((code) => ({ ...code, isReturned: true, hasProgramme: false, rewardId: null })),
      );
      throw new Error('killed');
    });
    await expect(failing).rejects.toThrow('killed');
    expect(await debtOf(paymentId)).toEqual([0, 10, 0]);
    expect(await lifecycle.listOverdue(db, 10)).toEqual(ids);
    await lifecycle.expireOverdue(db, 'refund', 10);
    expect(await debtOf(paymentId)).toEqual([10, 0, 0]);
  });
});
