import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as debts from '../../../db/payments/debts.ts';
import type { PaymentId, WalletId } from '../../../domain/ids.ts';
import type { Reversal } from '../../../domain/refund.ts';
import { countStatements } from '../../support/database/count-statements.ts';
import { aDebit, aWallet, postByHand } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';
import { aRedemption } from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;

const change = (points: number, owed: number, writtenOff: number): Reversal => ({
  outcome: 'refund_reversed',
  cause: 'refund',
  refundedMinorUnits: 50,
  target: 50,
  points,
  owed,
  writtenOff,
});
const record = (paymentId: PaymentId, ...reversals: Reversal[]) =>
  db.transaction((tx) => debts.record(tx, [{ paymentId, reversals }]));
const lock = (...walletIds: WalletId[]) => db.transaction((tx) => debts.lock(tx, walletIds));

/** A payment of 50 points, which are in a code, so that a refund of it is owed. */
async function aDebt(points = 50): Promise<{ walletId: WalletId; paymentId: PaymentId }> {
  const walletId = await aWallet(db);
  const paymentId = await aCreditedPayment(db, walletId, 50);
  await db('payments').where({ id: paymentId }).update({ refundedMinorUnits: 50 });
  await aRedemption(db, { walletId, points: 50 });
  await record(paymentId, change(0, points, 50 - points));
  return { walletId, paymentId };
}

describe('record', () => {
  it('adds changes to the sums and to the decision record', async () => {
    const { paymentId } = await aDebt(30);
    await record(paymentId, change(0, -10, 10), change(0, -20, 20));
    const row = await db('payments').where({ id: paymentId }).first();
    expect(row).toMatchObject({ pointsReversed: 0, pointsOwed: 0, pointsWrittenOff: 50 });
    expect(row.owedSince).toBeNull();
    expect(row.decision.reversals).toHaveLength(3);
  });

  it('refuses to owe more than was earned', async () => {
    const { paymentId } = await aDebt();
    await expect(record(paymentId, change(0, 1, 0))).rejects.toMatchObject({
      constraint: 'payments_owed_at_most_awarded',
    });
  });
});

describe('lock', () => {
  it('returns what each wallet owes, the oldest debt first', async () => {
    const [{ walletId, paymentId }, other] = [await aDebt(20), await aDebt()];
    const younger = await aCreditedPayment(db, walletId, 50);
    await db('payments').where({ id: younger }).update({ refundedMinorUnits: 50 });
    await record(younger, change(0, 10, 0));
    await db('payments')
      .where({ id: paymentId })
      .update({ owedSince: db.raw(`now() - interval '1 hour'`) });
    const found = await lock(walletId, other.walletId, await aWallet(db));
    expect([...found.keys()].sort()).toEqual([walletId, other.walletId].sort());
    expect(found.get(walletId)).toMatchObject([
      { paymentId, earned: 50, paid: 50, refunded: 50, reversed: 0, owed: 20, writtenOff: 30 },
      { paymentId: younger, owed: 10 },
    ]);
    await record(younger, change(0, -10, 10));
  });

  it('makes others wait until the transaction ends, also while nothing is owed', async () => {
    const walletId = await aWallet(db);
    const order: string[] = [];
    await Promise.all([
      db.transaction(async (tx) => {
        await debts.lock(tx, [walletId]);
        await sleep(100);
        order.push('first');
      }),
      sleep(30).then(() => lock(walletId).then(() => order.push('second'))),
    ]);
    expect(order).toEqual(['first', 'second']);
  });
});

describe('hold', () => {
  it('takes no statement without wallets', async () => {
    expect(await countStatements(db, (tx) => debts.hold(tx, []))).toBe(0);
  });
});

describe('parkedPoints and openPoints', () => {
  it('return the points in open codes, of which some are owed', async () => {
    const { walletId } = await aDebt(20);
    const empty = await aWallet(db);
    await db.transaction(async (tx) => {
      const parked = await debts.parkedPoints(tx, [walletId, empty]);
      expect(parked).toEqual(
        new Map([
          [walletId, 30],
          [empty, 0],
        ]),
      );
      const open = await debts.openPoints(tx, [walletId, empty]);
      expect([...open]).toEqual([[walletId, 50]]);
    });
  });

  it('do not depend on the balance', async () => {
    const { walletId } = await aDebt();
    await aCreditedPayment(db, walletId, 7);
    await db.transaction((tx) => postByHand(tx, [aDebit(walletId, 7)]));
    const parked = await db.transaction((tx) => debts.parkedPoints(tx, [walletId]));
    expect(parked.get(walletId)).toBe(0);
  });
});
