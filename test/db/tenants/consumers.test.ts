import { describe, expect, it } from 'vitest';
import * as consumers from '../../../db/tenants/consumers.ts';
import type { WalletId } from '../../../domain/ids.ts';
import { aCredit, aTenant, aUser, aWallet, postByHand } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

describe('listOfTenant', () => {
  it('returns what each consumer holds, and when points last moved', async () => {
    const tenantId = await aTenant(db);
    const userId = await aUser(db, { email: 'ann@example.com', phone: '+12125552368' });
    const walletId = await aWallet(db, { tenantId, userId, balance: 5 });
    const [last] = await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 6)]));
    await db('wallets')
      .where({ id: walletId })
      .update({ status: 'frozen', updatedAt: db.fn.now() });

    expect(await consumers.listOfTenant(db, tenantId, { limit: 10 })).toEqual([
      {
        userId,
        walletId,
        email: 'ann@example.com',
        emailVerified: true,
        phone: '+12125552368',
        phoneVerified: true,
        balance: 11,
        status: 'frozen',
        lastActivityAt: last?.createdAt,
      },
    ]);
  });

  it('returns null when points never moved', async () => {
    const tenantId = await aTenant(db);
    await aWallet(db, { tenantId });
    const [only] = await consumers.listOfTenant(db, tenantId, { limit: 10 });
    expect(only?.lastActivityAt).toBeNull();
  });

  it('lists each wallet of the tenant once, page by page, while balances move', async () => {
    const tenantId = await aTenant(db);
    const made: WalletId[] = [];
    for (let nth = 0; nth < 5; nth++) made.push(await aWallet(db, { tenantId }));
    await db('wallets').whereIn('id', made).update({ createdAt: '2030-01-01T00:00:00.000001Z' });
    const elsewhere = await aWallet(db);

    const seen: WalletId[] = [];
    for (let after: WalletId | undefined; ; ) {
      const page = await consumers.listOfTenant(db, tenantId, { limit: 2, after });
      if (page.length === 0) break;
      seen.push(...page.map(({ walletId }) => walletId));
      after = seen.at(-1);
      await db.transaction((tx) =>
        postByHand(
          tx,
          made.map((walletId) => aCredit(walletId, 1)),
        ),
      );
    }
    expect([...seen].sort()).toEqual([...made].sort());
    const after = elsewhere;
    expect(await consumers.listOfTenant(db, tenantId, { limit: 2, after })).toEqual([]);
  });
});

describe('sumOfTenant', () => {
  it('counts the consumers and their points, to the limit', async () => {
    const tenantId = await aTenant(db);
    await aWallet(db, { tenantId, balance: 5 });
    const owing = await aWallet(db, { tenantId, balance: 7 });
    await db('wallets').where({ id: owing }).update({ owed: 1 });
    await aWallet(db, { balance: 9 });
    const sum = (page: object) => consumers.sumOfTenant(db, tenantId, { limit: 10, ...page });
    expect(await sum({})).toEqual({ count: 2, points: 12 });
    expect(await sum({ owes: true })).toEqual({ count: 1, points: 7 });
    expect(await sum({ unusual: true })).toEqual({ count: 0, points: 0 });
    expect(await sum({ limit: 1 })).toMatchObject({ count: 1 });
    // No payment says what is owed, which the ledger would be found broken for.
    await db('wallets').where({ id: owing }).update({ owed: 0 });
  });
});

describe('find', () => {
  it('returns what the list says of a consumer, and nobody without a wallet there', async () => {
    const tenantId = await aTenant(db);
    const userId = await aUser(db, { email: 'ann@example.com' });
    await aWallet(db, { tenantId, userId, balance: 5 });
    const [listed] = await consumers.listOfTenant(db, tenantId, { limit: 10 });
    expect(await consumers.find(db, tenantId, userId)).toEqual(listed);
    expect(await consumers.find(db, await aTenant(db), userId)).toBeUndefined();
    expect(await consumers.find(db, tenantId, await aUser(db))).toBeUndefined();
  });
});
