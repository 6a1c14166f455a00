import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/connection.ts';
import {
  type RunPosition,
  type RunSlice,
  verifyNext,
  verifyPhases,
} from '../../../../db/ledger/verification/run.ts';
import { LAST_ID, NO_ID, WALKS } from '../../../../db/ledger/verification/whole.ts';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import {
  createUnverifiedDatabase,
  type TestDatabase,
} from '../../../support/database/test-database.ts';
import { aCredit, aTenant, aWallet, postByHand } from '../../../support/factories.ts';
import { aCreditedPayment } from '../../../support/points/payments.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

let database: TestDatabase;
let db: Db;
let tenantId: TenantId;
beforeEach(async () => {
  database = await createUnverifiedDatabase();
  db = database.db;
  tenantId = await aTenant(db);
});
afterEach(() => database.close());

const credit = (walletId: WalletId, points = 1) =>
  db.transaction((tx) => postByHand(tx, [aCredit(walletId, points)]));
const partsOf = (walk: string) =>
  db('ledger_parts')
    .where({ walk })
    .orderBy('fromId')
    .select<{ fromId: string; untilId: string; rowCount: number }[]>();
const checkpointOf = (walletId: WalletId) => db('ledger_checkpoints').where({ walletId }).first();

/** Takes part in the parts of two wallets each. */
const nextPart = () => verifyPhases(db, { phases: ['part'], minPartRows: 2 });
const moved = () => verifyPhases(db, { phases: ['moved'] });

describe('a run', () => {
  it('verifies a small ledger as a whole, each row once', async () => {
    await aWallet(db, { tenantId, balance: 7 });
    await aRedemption(db);
    const counts = { wallets: 2, entries: 3, payments: 0, redemptions: 1, violations: [] };
    expect(await verifyPhases(db)).toEqual(counts);
    expect(await verifyPhases(db)).toEqual(counts);
    for (const walk of [...WALKS.filter((each) => each !== 'counts'), 'moved']) {
      expect(await partsOf(walk)).toMatchObject([{ fromId: NO_ID }]);
    }
  });

  it('records the same when each of its steps is taken twice', async () => {
    for (let nth = 0; nth < 5; nth++) await aWallet(db, { tenantId, balance: 1 });
    let place: RunPosition | null = null;
    do {
      const slice: RunSlice = await verifyNext(db, place);
      if (place !== null) expect(await verifyNext(db, place)).toEqual(slice);
      place = slice.next;
    } while (place !== null);
    expect(await partsOf('wallets')).toMatchObject([
      { fromId: NO_ID, untilId: LAST_ID, rowCount: 5 },
    ]);
  });
});

describe('the parts', () => {
  it('are walked one after the other, then again from the first, whatever was added', async () => {
    const before = [];
    for (let nth = 0; nth < 5; nth++) before.push(await aWallet(db, { tenantId, balance: 1 }));
    before.sort();
    expect(await nextPart()).toMatchObject({ wallets: 2, entries: 2 });
    expect(await partsOf('wallets')).toMatchObject([{ fromId: NO_ID, untilId: before[1] }]);
    expect(await nextPart()).toMatchObject({ wallets: 2 });
    expect(await nextPart()).toMatchObject({ wallets: 1 });
    expect(await partsOf('wallets')).toMatchObject([
      { fromId: NO_ID, rowCount: 2 },
      { fromId: before[1], rowCount: 2 },
      { fromId: before[3], untilId: LAST_ID, rowCount: 1 },
    ]);
    expect(await nextPart()).toMatchObject({ wallets: 2 });
    const parts = await partsOf('wallets');
    expect(parts.map(({ fromId }) => fromId)).toEqual([NO_ID, before[1], before[3]]);
  });

  it('go on where a run that was lost has come to', async () => {
    for (let nth = 0; nth < 3; nth++) await aWallet(db, { tenantId, balance: 1 });
    const first = await nextPart();
    expect(first.wallets).toBe(2);
    expect(await nextPart()).toMatchObject({ wallets: 1 });
  });

  it('keep checkpoints of the wallets that are whole', async () => {
    const [whole, broken] = [await aWallet(db, { balance: 3 }), await aWallet(db, { balance: 4 })];
    await database.owner('wallets').where({ id: broken }).update({ balance: 5 });
    await verifyPhases(db);
    expect(await checkpointOf(whole)).toMatchObject({ seq: 1, balance: 3 });
    expect(await checkpointOf(broken)).toBeUndefined();
  });

  it('find a checkpoint that is not in the chain', async () => {
    const walletId = await aWallet(db, { balance: 3 });
    await credit(walletId);
    await verifyPhases(db);
    await db('ledger_checkpoints').where({ walletId }).update({ seq: 1 });
    expect((await verifyPhases(db)).violations).toMatchObject([
      { walletId, seq: 1, problem: 'the checkpoint is not in the chain of the wallet' },
    ]);
    await db('ledger_checkpoints').where({ walletId }).delete();
    expect((await verifyPhases(db)).violations).toEqual([]);
  });
});

describe('what moved', () => {
  it('is verified from the checkpoint on, and nothing else', async () => {
    const [walletId, still] = [
      await aWallet(db, { balance: 3 }),
      await aWallet(db, { balance: 4 }),
    ];
    expect(await moved()).toMatchObject({ wallets: 2, entries: 2 });
    expect(await moved()).toMatchObject({ wallets: 0, entries: 0 });
    await credit(walletId, 5);
    expect(await moved()).toMatchObject({ wallets: 1, entries: 1, violations: [] });
    expect(await checkpointOf(walletId)).toMatchObject({ seq: 2, balance: 8 });
    expect(await checkpointOf(still)).toMatchObject({ seq: 1, balance: 4 });
  });

  it('is compared with the balance, the chain and the source', async () => {
    const walletId = await aWallet(db, { balance: 3 });
    await moved();
    await credit(walletId, 5);
    await database.owner('wallets').where({ id: walletId }).update({ balance: 9 });
    expect((await moved()).violations).toMatchObject([
      {
        walletId,
        tenantId: expect.any(String),
        problem: 'the balance is not the sum of the entries',
      },
    ]);
    expect(await checkpointOf(walletId)).toMatchObject({ seq: 1, balance: 3 });
  });

  it('compares a refund with the payment, and all of its entries, of an earlier day', async () => {
    const walletId = await aWallet(db);
    const paymentId = await aCreditedPayment(db, walletId, 50);
    const refund = (points: number) =>
      ({
        ...aCredit(walletId, points),
        entryType: 'debit',
        sourceType: 'payment',
        sourceId: paymentId,
        reason: 'payment_refunded',
      }) as const;
    const refunded = (pointsReversed: number) =>
      db('payments').where({ id: paymentId }).update({ pointsReversed, refundedMinorUnits: 50 });
    await db.transaction((tx) => postByHand(tx, [refund(10)]));
    await refunded(10);
    await moved();
    await db.transaction((tx) => postByHand(tx, [refund(5)]));
    await refunded(15);
    expect(await moved()).toMatchObject({ entries: 1, violations: [] });
    await db.transaction((tx) => postByHand(tx, [refund(5)]));
    expect((await moved()).violations).toMatchObject([
      { walletId, problem: `payment ${paymentId} has 15 points reversed and 20 debited` },
    ]);
  });

  it('includes what was committed late by a transaction that was open before', async () => {
    const walletId = await aWallet(db, { balance: 3 });
    const late = await db.transaction();
    await postByHand(late, [aCredit(walletId, 5)]);
    await aWallet(db, { balance: 1 });
    expect(await moved()).toMatchObject({ wallets: 2 });
    await late.commit();
    expect(await moved()).toMatchObject({ wallets: 1, entries: 1, violations: [] });
  });

  it('does not pass over a transaction that has been open for long', async () => {
    const open = await db.transaction();
    const { rows } = await open.raw<{ rows: { at: Date }[] }>('select now() as at');
    await db.raw('select pg_sleep(0.1)');
    await moved();
    await open.rollback();
    const [range] = await db('ledger_parts').where({ walk: 'moved' });
    expect(range.verifiedAt).toEqual(rows[0]?.at);
  });

  it('finds new sources without an entry', async () => {
    await moved();
    const { id, walletId } = await aRedemption(db);
    await database.owner.transaction(async (tx) => {
      await tx.raw('alter table ledger_entries disable trigger ledger_entries_append_only');
      await tx('ledger_entries').where({ sourceId: id }).delete();
      await tx.raw('alter table ledger_entries enable trigger ledger_entries_append_only');
    });
    const { violations } = await moved();
    expect(violations.map(({ walletId: of, problem }) => [of, problem])).toContainEqual([
      walletId,
      `redemption ${id} has no entry`,
    ]);
  });
});

describe('a problem', () => {
  it('is found in each run until it is put right', async () => {
    const walletId = await aWallet(db, { balance: 3 });
    await aWallet(db, { balance: 1 });
    await database.owner('wallets').where({ id: walletId }).update({ balance: 4 });
    expect((await moved()).violations).toHaveLength(1);
    const again = () => verifyPhases(db, { phases: ['problems'] });
    expect((await again()).violations).toMatchObject([{ walletId }]);
    expect((await again()).violations).toMatchObject([{ walletId }]);
    expect((await verifyPhases(db)).violations).toHaveLength(1);
    await database.owner('wallets').where({ id: walletId }).update({ balance: 3 });
    expect((await again()).violations).toEqual([]);
    expect(await db('ledger_problems').select()).toEqual([]);
  });
});
