import { beforeEach, describe, expect, it } from 'vitest';
import { verifyWallets } from '../../../../db/ledger/verification/wallets.ts';
import { LAST_ID, NO_ID } from '../../../../db/ledger/verification/whole.ts';
import type { WalletId } from '../../../../domain/ids.ts';
import { aCredit, aWallet, postByHand } from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';
import { aCreditedPayment } from '../../../support/points/payments.ts';

const database = await useUnverifiedDatabase();
const { db } = database;

let walletId: WalletId;
beforeEach(async () => {
  walletId = await aWallet(db);
  await credit(7);
});

async function credit(times: number): Promise<void> {
  for (let nth = 0; nth < times; nth++) {
    await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 10)]));
  }
}

/** Does what the owner of the table could do with the trigger switched off. */
async function forge(statement: string): Promise<void> {
  await database.owner.transaction(async (tx) => {
    await tx.raw('alter table ledger_entries disable trigger ledger_entries_append_only');
    await tx.raw(statement, { walletId });
    await tx.raw('alter table ledger_entries enable trigger ledger_entries_append_only');
  });
}

const pieces = (piece: number, sinceCheckpoint = false) =>
  verifyWallets(db, { ids: [walletId] }, { piece, sinceCheckpoint, keepCheckpoints: true });
const checkpoint = () => db('ledger_checkpoints').where({ walletId }).first('seq', 'balance');

describe('a wallet with many entries', () => {
  it.each([1, 2, 3, 6, 7])('adds up in pieces of %i entries', async (piece) => {
    const verified = await pieces(piece);
    expect(verified).toEqual({ wallets: 1, entries: 7, violations: [], rowIds: [] });
    expect(await checkpoint()).toEqual({ seq: 7, balance: 70 });
  });

  it('is verified beside the other wallets of a range', async () => {
    const other = await aWallet(db, { balance: 5 });
    const range = { after: NO_ID, until: LAST_ID };
    const whole = await verifyWallets(db, range);
    expect(await verifyWallets(db, range, { piece: 2 })).toEqual(whole);
    const both = { ids: [walletId, other] };
    expect(await verifyWallets(db, both, { piece: 2 })).toMatchObject({ wallets: 2, entries: 8 });
  });

  it.each([
    ['changed points', 'update ledger_entries set points = 11 where wallet_id = :walletId', 4],
    ['a missing entry', 'delete from ledger_entries where wallet_id = :walletId', 5],
    [
      'a changed hash',
      `update ledger_entries set hash = sha256('') where wallet_id = :walletId`,
      4,
    ],
  ])('is found wrong by %s, and verified up to there', async (_, statement, found) => {
    await forge(`${statement} and seq = 4`);
    const { violations, rowIds } = await pieces(2);
    expect(rowIds).toEqual([walletId]);
    expect(violations).toContainEqual(expect.objectContaining({ walletId, seq: found }));
    expect(await checkpoint()).toEqual({ seq: 2, balance: 20 });
    const later = await pieces(2, true);
    expect(later.violations).toContainEqual(expect.objectContaining({ walletId, seq: found }));
  });

  it('is found wrong by its own balance or by its last entry', async () => {
    await database.owner('wallets').where({ id: walletId }).update({ balance: 71 });
    const problem = 'the balance is not the sum of the entries';
    expect((await pieces(2)).violations).toMatchObject([{ walletId, problem }]);
    expect(await checkpoint()).toEqual({ seq: 6, balance: 60 });
  });

  it('goes on from its checkpoint', async () => {
    await pieces(2);
    await credit(5);
    expect(await pieces(2, true)).toMatchObject({ entries: 5, violations: [] });
    expect(await checkpoint()).toEqual({ seq: 12, balance: 120 });
    expect(await pieces(2, true)).toMatchObject({ entries: 0, violations: [] });
  });

  it('is found wrong by a checkpoint that is not in its chain', async () => {
    await pieces(2);
    await db('ledger_checkpoints').where({ walletId }).update({ seq: 3 });
    const problem = 'the checkpoint is not in the chain of the wallet';
    expect((await pieces(2)).violations).toMatchObject([{ walletId, seq: 3, problem }]);
    expect((await pieces(2, true)).rowIds).toEqual([walletId]);
  });

  it('has the refund of a sale in a later piece than the sale', async () => {
    const paymentId = await aCreditedPayment(db, walletId, 50);
    await credit(3);
    const source = { sourceType: 'payment', sourceId: paymentId } as const;
    const refund = { entryType: 'debit', reason: 'payment_refunded' } as const;
    await db.transaction(async (tx) => {
      await tx('payments')
        .where({ id: paymentId })
        .update({ pointsReversed: 20, refundedMinorUnits: db.ref('amount_minor_units') });
      await postByHand(tx, [{ ...aCredit(walletId, 20), ...source, ...refund }]);
    });
    expect(await pieces(2)).toMatchObject({ violations: [], rowIds: [] });
    await database.owner('payments').where({ id: paymentId }).update({ pointsReversed: 21 });
    const problem = `payment ${paymentId} has 21 points reversed and 20 debited`;
    expect((await pieces(2)).violations).toMatchObject([{ walletId, problem }]);
  });

  it('may move while it is verified', async () => {
    const moving = credit(20);
    for (let nth = 0; nth < 5; nth++) {
      expect(await pieces(1)).toMatchObject({ violations: [] });
    }
    await moving;
    expect(await pieces(3, true)).toMatchObject({ violations: [] });
    expect(await checkpoint()).toEqual({ seq: 27, balance: 270 });
  });
});
