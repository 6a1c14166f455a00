import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as wallets from '../../../db/ledger/wallets.ts';
import { WalletId } from '../../../domain/ids.ts';
import { countStatements } from '../../support/database/count-statements.ts';
import { aRule, aTenant, aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const ensure = (...owners: wallets.WalletOwner[]) =>
  db.transaction((tx) => wallets.ensure(tx, owners));

describe('ensure', () => {
  it('creates an empty, active wallet', async () => {
    const [userId, tenantId] = [await aUser(db), await aTenant(db)];
    await ensure({ userId, tenantId });
    expect(await db('wallets').where({ userId })).toMatchObject([
      { tenantId, balance: 0, seq: 0, status: 'active', head: Buffer.alloc(32) },
    ]);
  });

  it('leaves an existing wallet as it is, and takes an owner named twice as one', async () => {
    const [userId, tenantId] = [await aUser(db), await aTenant(db)];
    const walletId = await aWallet(db, { userId, tenantId, balance: 7 });
    await ensure({ userId, tenantId }, { userId, tenantId });
    expect(await db('wallets').where({ userId })).toMatchObject([{ id: walletId, balance: 7 }]);
  });

  it('does nothing without owners', async () => {
    await ensure();
  });

  it('creates one wallet per owner when twenty calls run at once, in any order', async () => {
    const tenantId = await aTenant(db);
    const userIds = await Promise.all(Array.from({ length: 10 }, () => aUser(db)));
    const owners = userIds.map((userId) => ({ userId, tenantId }));
    await Promise.all(
      Array.from({ length: 20 }, (_, round) =>
        ensure(...owners.slice(round % 7), ...(round % 2 ? owners : owners.toReversed())),
      ),
    );
    expect(await db('wallets').where({ tenantId })).toHaveLength(10);
  });
});

describe('listOfUser', () => {
  it('lists only the person’s wallets, across tenants, oldest first', async () => {
    const userId = await aUser(db);
    const [bar, shop] = [await aTenant(db, { name: 'Bar' }), await aTenant(db, { name: 'Shop' })];
    await db('tenants').where({ id: shop }).update({ logoPath: 'logos/1' });
    const first = await aWallet(db, { userId, tenantId: shop, balance: 5 });
    const second = await aWallet(db, { userId, tenantId: bar });
    await aWallet(db, { tenantId: shop });
    await db('tenants').where({ id: shop }).update({ currency: 'EUR' });
    const terms = { conversionRate: 0.1, minSpendMinorUnits: 500, minBalanceToRedeem: 7 };
    await aRule(db, shop, { ...terms, maxRedemptionPercentage: 12.5 });
    const effectiveFrom = new Date(Date.now() + 3_600_000).toISOString();
    await aRule(db, shop, { conversionRate: 9, effectiveFrom });
    await aRule(db, bar, { effectiveFrom });

    expect(await wallets.listOfUser(db, userId)).toEqual([
      {
        id: first,
        userId,
        tenantId: shop,
        balance: 5,
        owed: 0,
        recent: 0,
        pending: 0,
        nextRelease: null,
        status: 'active',
        tenantName: 'Shop',
        tenantLogoPath: 'logos/1',
        tenantColor: null,
        tenantStatus: 'active',
        currency: 'EUR',
        rule: {
          conversionRate: '0.100000',
          minSpendMinorUnits: 500,
          minBalanceToRedeem: 7,
          maxRedemptionPercentage: '12.500000',
        },
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      },
      expect.objectContaining({ id: second, tenantName: 'Bar', currency: null, rule: null }),
    ]);
    expect(await wallets.listOfUser(db, await aUser(db))).toEqual([]);
  });
});

describe('listOwned', () => {
  it('returns those of the wallets that are the person’s own', async () => {
    const userId = await aUser(db);
    const own = [await aWallet(db, { userId }), await aWallet(db, { userId, balance: 3 })];
    const found = await wallets.listOwned(db, [userId], [...own, await aWallet(db)]);
    expect(found.map(({ id }) => id).toSorted()).toEqual(own.toSorted());
    expect(await wallets.listOwned(db, [userId], [])).toEqual([]);
  });
});

describe('getOwned', () => {
  it('returns the person’s own wallet', async () => {
    const userId = await aUser(db);
    const id = await aWallet(db, { userId, balance: 5 });
    expect(await wallets.getOwned(db, id, userId)).toMatchObject({ id, balance: 5 });
  });

  it('NOT_FOUND for another’s wallet and for an unknown one, in the same words', async () => {
    const userId = await aUser(db);
    for (const walletId of [await aWallet(db), WalletId.parse(randomUUID())]) {
      await expect(wallets.getOwned(db, walletId, userId)).rejects.toMatchObject({
        name: 'Refusal',
        code: 'NOT_FOUND',
        message: 'There is no such wallet.',
      });
    }
  });
});

describe('get and findOfOwner', () => {
  it('return a wallet as its owner sees it, by its id and by its owner', async () => {
    const [userId, tenantId] = [await aUser(db), await aTenant(db)];
    const walletId = await aWallet(db, { userId, tenantId, balance: 7 });
    const seen = await wallets.getOwned(db, walletId, userId);
    expect(seen).toMatchObject({ id: walletId, userId, tenantId, balance: 7 });
    const other = await aWallet(db);
    expect(await wallets.get(db, walletId)).toEqual(seen);
    expect(await wallets.get(db, other)).toMatchObject({ id: other });
    expect(await wallets.findOfOwner(db, { userId, tenantId })).toEqual(seen);
  });

  it('find nothing at another tenant, or for another person', async () => {
    const [userId, tenantId] = [await aUser(db), await aTenant(db)];
    await aWallet(db, { userId, tenantId });
    const others = [
      { userId, tenantId: await aTenant(db) },
      { userId: await aUser(db), tenantId },
    ];
    for (const owner of others) expect(await wallets.findOfOwner(db, owner)).toBeUndefined();
    await expect(wallets.get(db, WalletId.parse(randomUUID()))).rejects.toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });
});

describe('lock and setStatus', () => {
  it('return a wallet as it is, and change its status once', async () => {
    const walletId = await aWallet(db, { balance: 7 });
    const other = await aWallet(db);
    const stateOf = (id: WalletId) => db.transaction((tx) => wallets.lock(tx, id));
    const set = (status: wallets.WalletStatus) =>
      db.transaction((tx) => wallets.setStatus(tx, walletId, status));
    const changedAt = async () => (await wallets.get(db, walletId)).updatedAt;
    const [before, { tenantId, userId }] = [await changedAt(), await wallets.get(db, walletId)];
    const state = { id: walletId, tenantId, userId, balance: 7, owed: 0, closedAt: null };
    expect(await stateOf(walletId)).toEqual({ ...state, status: 'active' });

    await set('active');
    expect(await changedAt()).toEqual(before);
    await set('frozen');
    expect(await stateOf(walletId)).toEqual({ ...state, status: 'frozen' });
    expect(await changedAt()).not.toEqual(before);
    expect(await stateOf(other)).toMatchObject({ status: 'active' });
    await expect(stateOf(WalletId.parse(randomUUID()))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('lockAll', () => {
  it('locks wallets by their ids and by their owners, each once', async () => {
    const [userId, tenantId] = [await aUser(db), await aTenant(db)];
    const owned = await aWallet(db, { userId, tenantId, balance: 3 });
    const other = await aWallet(db);
    const lock = (...asked: [WalletId[], wallets.WalletOwner[]]) =>
      db.transaction(async (tx) =>
        (await wallets.lockAll(tx, ...asked)).map(({ id, balance }) => `${id} ${balance}`),
      );
    const owner = { userId, tenantId };
    expect(await lock([owned, other], [owner])).toEqual([`${owned} 3`, `${other} 0`].toSorted());
    expect(await lock([other], [{ userId, tenantId: await aTenant(db) }])).toEqual([`${other} 0`]);
    expect(await lock([other], [owner])).toHaveLength(2);
    expect(await countStatements(db, (tx) => wallets.lockAll(tx, [], []))).toBe(0);
  });
});
