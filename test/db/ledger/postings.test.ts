import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as ledger from '../../../db/ledger/postings.ts';
import { EntryId, type WalletId } from '../../../domain/ids.ts';
import { aCredit, aDebit, aWallet, postByHand } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const post = (...entries: ledger.Entry[]) => db.transaction((tx) => postByHand(tx, entries));
const balanceOf = async (id: WalletId) => (await db('wallets').where({ id }).first()).balance;

describe('post', () => {
  it('moves the balance with the entry, numbers it and returns the new balance', async () => {
    const walletId = await aWallet(db, { balance: 100 });

    const [first, second] = await post(aDebit(walletId, 30), aCredit(walletId, 5));

    expect(first).toMatchObject({ seq: 2, balanceAfter: 70, entryType: 'debit', points: 30 });
    expect(second).toMatchObject({ seq: 3, balanceAfter: 75, entryType: 'credit', points: 5 });
    expect(await balanceOf(walletId)).toBe(75);
  });

  it('refuses a debit beyond the balance and writes nothing of the batch', async () => {
    const [poor, rich] = [await aWallet(db, { balance: 10 }), await aWallet(db, { balance: 10 })];

    await expect(post(aCredit(rich, 1), aDebit(poor, 11))).rejects.toMatchObject({
      constraint: expect.stringMatching(/_not_negative$/),
    });

    expect(await balanceOf(poor)).toBe(10);
    expect(await balanceOf(rich)).toBe(10);
  });

  it('refuses a debit that a later credit of the same batch would cover', async () => {
    const walletId = await aWallet(db, { balance: 10 });
    await expect(post(aDebit(walletId, 11), aCredit(walletId, 5))).rejects.toMatchObject({
      constraint: 'ledger_entries_balance_not_negative',
    });
  });

  it('refuses a source that was posted before', async () => {
    const walletId = await aWallet(db);
    const credit = aCredit(walletId, 5);
    await post(credit);
    await expect(post(credit)).rejects.toMatchObject({
      constraint: 'ledger_entries_once_per_source',
    });
    expect(await balanceOf(walletId)).toBe(5);
  });

  it('accepts one of two concurrent debits that together exceed the balance', async () => {
    for (let round = 0; round < 20; round++) {
      const walletId = await aWallet(db, { balance: 100 });
      const results = await Promise.allSettled([
        post(aDebit(walletId, 60)),
        post(aDebit(walletId, 60)),
      ]);
      expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await balanceOf(walletId)).toBe(40);
    }
  });

  it('keeps one chain per wallet when many batches write to the same wallets at once', async () => {
    const walletIds = await Promise.all(Array.from({ length: 10 }, () => aWallet(db)));
    const batch = (seed: number) =>
      walletIds.map((_, index) => {
        const walletId = walletIds[(index * 7 + seed) % walletIds.length];
        if (walletId === undefined) throw new Error('no wallet');
        return aCredit(walletId, 1 + ((index + seed) % 3));
      });

    await Promise.all(
      Array.from({ length: 40 }, (_, seed) => post(...batch(seed), ...batch(seed + 1))),
    );

    const entries = await db('ledger_entries').whereIn('walletId', walletIds);
    expect(entries).toHaveLength(800);
  });
});

describe('find', () => {
  it('returns an entry of the wallet only', async () => {
    const [walletId, other] = [await aWallet(db, { balance: 10 }), await aWallet(db)];
    const [second] = await post(aDebit(walletId, 3));
    const [foreign] = await post(aCredit(other, 1));
    if (second === undefined || foreign === undefined) throw new Error('Nothing was posted.');

    expect(await ledger.find(db, walletId, second.id)).toMatchObject({ id: second.id, seq: 2 });
    for (const id of [foreign.id, EntryId.parse(randomUUID())]) {
      expect(await ledger.find(db, walletId, id)).toBeUndefined();
    }
  });
});

describe('the table of entries', () => {
  it.each([
    ['update', 'update ledger_entries set points = 1'],
    ['update of no row', 'update ledger_entries set points = 1 where false'],
    ['delete', 'delete from ledger_entries'],
    ['truncate', 'truncate ledger_entries cascade'],
  ])('refuses every %s, also by its owner', async (_, statement) => {
    await aWallet(db, { balance: 1 });
    await expect(database.owner.raw(statement)).rejects.toThrow(/rows are never changed/);
  });
});
