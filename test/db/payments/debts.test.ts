import { describe, expect, it } from 'vitest';
import * as debts from '../../../db/payments/debts.ts';
import type { PaymentId, WalletId } from '../../../domain/ids.ts';
import type { Reversal } from '../../../domain/refund.ts';
import { countStatements } from '../../support/database/count-statements.ts';
import { aCredit, aDebit, aWallet, postByHand } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';

const { db } = await useDatabase();

const change = (points: number, owed: number): Reversal => ({
  outcome: 'refund_reversed',
  cause: 'refund',
  refundedMinorUnits: 50,
  target: 50,
  points,
  owed,
  writtenOff: 0,
});
const record = (paymentId: PaymentId, ...reversals: Reversal[]) =>
  db.transaction((tx) => debts.record(tx, [{ paymentId, reversals }]));
const walletOf = (id: WalletId) => db('wallets').where({ id }).first('balance', 'owed');
const owedBy = async (...ids: PaymentId[]) => {
  const rows = await db('payments').whereIn('id', ids).orderBy('id');
  return rows.map(({ pointsReversed, pointsOwed }) => [pointsReversed, pointsOwed]);
};

/** A payment of 50 points, which were spent before it was refunded. */
async function aDebt(given?: WalletId): Promise<{ walletId: WalletId; paymentId: PaymentId }> {
  const walletId = given ?? (await aWallet(db));
  const paymentId = await aCreditedPayment(db, walletId, 50);
  await db('payments').where({ id: paymentId }).update({ refundedMinorUnits: 50 });
  await db.transaction((tx) => postByHand(tx, [aDebit(walletId, 50)]));
  return { walletId, paymentId };
}

describe('record', () => {
  it('adds changes to the sums, to the decision record and to what the wallet owes', async () => {
    const { walletId, paymentId } = await aDebt();
    await record(paymentId, change(0, 50), change(0, -20));
    const row = await db('payments').where({ id: paymentId }).first();
    expect(row).toMatchObject({ pointsReversed: 0, pointsOwed: 30, pointsWrittenOff: 0 });
    expect(row.decision.reversals).toHaveLength(2);
    expect(await walletOf(walletId)).toEqual({ balance: 0, owed: 30 });
    const since = row.owedSince;
    await record(paymentId, change(0, 5));
    expect((await db('payments').where({ id: paymentId }).first()).owedSince).toEqual(since);
    await record(paymentId, change(0, -35));
    expect((await db('payments').where({ id: paymentId }).first()).owedSince).toBeNull();
    expect(await walletOf(walletId)).toEqual({ balance: 0, owed: 0 });
  });

  it('refuses to owe more than was earned', async () => {
    const { paymentId } = await aDebt();
    await expect(record(paymentId, change(0, 51))).rejects.toMatchObject({
      constraint: 'payments_owed_at_most_awarded',
    });
  });
});

describe('pay', () => {
  it('takes what is owed from what the wallet holds, the oldest refund first', async () => {
    const { walletId, paymentId: older } = await aDebt();
    const { paymentId: younger } = await aDebt(walletId);
    const elsewhere = await aDebt();
    await record(elsewhere.paymentId, change(0, 50));
    await db.transaction((tx) =>
      debts.record(tx, [
        { paymentId: younger, reversals: [change(0, 50)] },
        { paymentId: older, reversals: [change(0, 50)] },
      ]),
    );
    await db('payments')
      .where({ id: older })
      .update({ owedSince: db.raw(`owed_since - interval '1 hour'`) });
    await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 70)]));
    expect(await owedBy(older, younger)).toEqual([
      [50, 0],
      [20, 30],
    ]);
    expect(await walletOf(walletId)).toEqual({ balance: 0, owed: 30 });
    await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 70)]));
    expect(await walletOf(walletId)).toEqual({ balance: 40, owed: 0 });
    expect(await walletOf(elsewhere.walletId)).toEqual({ balance: 0, owed: 50 });
    const entries = await db('ledger_entries').where({ walletId }).orderBy('seq', 'desc').limit(4);
    expect(entries.map(({ reason, points, sourceId }) => [reason, points, sourceId])).toEqual([
      ['payment_refunded', 30, younger],
      ['admin_adjustment', 70, expect.anything()],
      ['payment_refunded', 20, younger],
      ['payment_refunded', 50, older],
    ]);
  });

  it('takes no statement without wallets', async () => {
    expect(await countStatements(db, (tx) => debts.pay(tx, []))).toBe(0);
  });
});
