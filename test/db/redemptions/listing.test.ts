import { describe, expect, it } from 'vitest';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { aTenant, aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import {
  aRedemption,
  expiresIn,
  type Issued,
  testCodes,
} from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;

const burn = async ({ tenantId, code }: Issued, operatorId?: Issued['userId']) => {
  const by = operatorId ?? (await aUser(db, { role: 'pos_operator' }));
  const hmacs = testCodes.hmacsOf(code);
  return db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId: by }));
};
const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);

/** A wallet with a code of each kind, the newest last. */
async function aWalletOfAll() {
  const tenantId = await aTenant(db, { name: 'Corner Café' });
  const userId = await aUser(db, { email: `${crypto.randomUUID()}@example.com` });
  const walletId = await aWallet(db, { balance: 100, userId, tenantId });
  const issue = () => aRedemption(db, { walletId, points: 10 });
  const expired = await issue();
  await expiresIn(db, [expired.id], -60);
  await lifecycle.expireOne(db, expired.id, 'refund');
  const overdue = await issue();
  await expiresIn(db, [overdue.id], -60);
  const used = await issue();
  const cancelled = await issue();
  const issued = await issue();
  await burn(used);
  await db.transaction((tx) => lifecycle.cancel(tx, cancelled));
  return { tenantId, userId, walletId, expired, overdue, used, cancelled, issued };
}

describe('listOfUser', () => {
  it('lists redemptions of all wallets, newest first, with their status by the clock', async () => {
    const all = await aWalletOfAll();
    const elsewhere = await aRedemption(db, {
      walletId: await aWallet(db, { balance: 30, userId: all.userId }),
    });
    await aRedemption(db);
    const found = await listing.listOfUser(db, all.userId, { limit: 10 });
    expect(found.map(({ id, status, cancelled }) => [id, status, cancelled])).toEqual([
      [elsewhere.id, 'issued', false],
      [all.issued.id, 'issued', false],
      [all.cancelled.id, 'expired', true],
      [all.used.id, 'used', false],
      [all.overdue.id, 'expired', false],
      [all.expired.id, 'expired', false],
    ]);
    expect(found[1]).toEqual({
      id: all.issued.id,
      walletId: all.walletId,
      tenantId: all.tenantId,
      tenantName: 'Corner Café',
      currency: null,
      status: 'issued',
      cancelled: false,
      points: 10,
      discountValueMinorUnits: 10,
      issuedAt: expect.any(Date),
      expiresAt: all.issued.expiresAt,
      usedAt: null,
      reward: null,
      sealedCode: expect.any(String),
    });
  });

  it('narrows it down to a wallet and to a status by the clock', async () => {
    const all = await aWalletOfAll();
    const { userId, walletId } = all;
    await aRedemption(db, { walletId: await aWallet(db, { balance: 30, userId }) });
    const list = async (page: object) =>
      idsOf(await listing.listOfUser(db, userId, { limit: 10, walletId, ...page }));
    expect(await list({})).toHaveLength(5);
    expect(await list({ status: 'issued' })).toEqual([all.issued.id]);
    expect(await list({ status: 'used' })).toEqual([all.used.id]);
    expect(await list({ status: 'expired' })).toEqual(
      idsOf([all.cancelled, all.overdue, all.expired]),
    );
    expect(await list({ walletId: (await aRedemption(db)).walletId })).toEqual([]);
  });

  it('continues after any of them, also among those of one moment', async () => {
    const { userId, walletId } = await aWalletOfAll();
    await db('redemptions').where({ walletId }).update({ createdAt: '2026-01-15T10:00:00Z' });
    const whole = idsOf(await listing.listOfUser(db, userId, { limit: 10 }));
    expect(whole).toEqual(whole.toSorted().toReversed());
    const paged: string[] = [];
    for (let after: Issued['id'] | undefined; ; ) {
      const [next] = await listing.listOfUser(db, userId, { limit: 1, after });
      if (next === undefined) break;
      paged.push(next.id);
      after = next.id;
    }
    expect(paged).toEqual(whole);
  });

  it('continues nowhere after a redemption of somebody else', async () => {
    const { userId } = await aWalletOfAll();
    const after = (await aRedemption(db)).id;
    expect(await listing.listOfUser(db, userId, { limit: 10, after })).toEqual([]);
  });
});

describe('listOwned and getOwned', () => {
  it('return what is the person’s own, and NOT_FOUND for the rest', async () => {
    const { userId, issued, used } = await aWalletOfAll();
    const foreign = await aRedemption(db);
    const found = await listing.listOwned(db, [userId], [used.id, foreign.id, issued.id]);
    expect(idsOf(found).toSorted()).toEqual(idsOf([used, issued]).toSorted());
    expect(await listing.getOwned(db, userId, issued.id)).toMatchObject({ status: 'issued' });
    await expect(listing.getOwned(db, userId, foreign.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('listOfTenant', () => {
  it('lists a tenant’s redemptions with their people, newest first', async () => {
    const all = await aWalletOfAll();
    const { tenantId, userId } = all;
    const other = await aRedemption(db, {
      walletId: await aWallet(db, { balance: 30, tenantId }),
    });
    const row = await db('redemptions').where({ id: all.used.id }).first('usedBy');
    await db('users').where({ id: row.usedBy }).update({ name: 'Grace Hopper' });
    const found = await listing.listOfTenant(db, tenantId, { limit: 10 });
    expect(idsOf(found)).toEqual(
      idsOf([other, all.issued, all.cancelled, all.used, all.overdue, all.expired]),
    );
    const { email } = await db('users').where({ id: userId }).first('email');
    expect(found[3]).toMatchObject({
      consumer: { userId, email, phone: null },
      usedBy: { userId: row.usedBy, email: expect.stringContaining('@'), name: 'Grace Hopper' },
    });
    expect(found[1]).toMatchObject({ status: 'issued', usedBy: null });
    expect(found[0]).not.toHaveProperty('sealedCode');
  });

  it('narrows it down to status, consumer and time of issue, together', async () => {
    const all = await aWalletOfAll();
    const { tenantId, userId } = all;
    await aRedemption(db, { walletId: await aWallet(db, { balance: 30, tenantId }) });
    const list = async (page: object) =>
      idsOf(await listing.listOfTenant(db, tenantId, { limit: 10, ...page }));
    expect(await list({ userId })).toHaveLength(5);
    expect(await list({ userId, status: 'issued' })).toEqual([all.issued.id]);
    expect(await list({ status: 'expired' })).toEqual(
      idsOf([all.cancelled, all.overdue, all.expired]),
    );
    expect(await list({ userId: await aUser(db) })).toEqual([]);
    const from = new Date('2026-02-01T00:00:00Z');
    const to = new Date('2026-02-02T00:00:00Z');
    await db('redemptions').where({ id: all.used.id }).update({ createdAt: from });
    await db('redemptions').where({ id: all.cancelled.id }).update({ createdAt: to });
    expect(await list({ from, to })).toEqual([all.used.id]);
    expect(await list({ to })).toEqual([all.used.id]);
    const [first = ''] = await list({});
    expect(await list({ after: first })).toHaveLength(5);
  });
});

describe('sumOfTenant', () => {
  it('sums up what the list has with the same filter, and no more than the limit', async () => {
    const { tenantId, userId } = await aWalletOfAll();
    const sum = (page: object, tenant = tenantId) =>
      listing.sumOfTenant(db, tenant, { limit: 10, ...page });
    for (const page of [{}, { userId }, { status: 'expired' }] as const) {
      const list = await listing.listOfTenant(db, tenantId, { limit: 10, ...page });
      const points = list.reduce((total, each) => total + each.points, 0);
      const worth = list.reduce((total, each) => total + each.discountValueMinorUnits, 0);
      expect(await sum(page)).toEqual([
        {
          currency: list[0]?.currency ?? null,
          count: list.length,
          amountMinorUnits: worth,
          refundedMinorUnits: 0,
          points,
          pointsReversed: 0,
        },
      ]);
    }
    expect(await sum({ limit: 2 })).toMatchObject([{ count: 2 }]);
    expect(await sum({}, await aTenant(db))).toEqual([]);
  });
});

describe('findInShop', () => {
  it('finds a redemption of the shop, and none of another', async () => {
    const { tenantId, used } = await aWalletOfAll();
    const [listed] = await listing.listOfTenant(db, tenantId, { limit: 1, status: 'used' });
    expect(await listing.findInShop(db, tenantId, used.id)).toEqual(listed);
    expect(await listing.findInShop(db, await aTenant(db), used.id)).toBeUndefined();
  });
});

describe('findByCode', () => {
  it('finds the code of the shop, whatever became of it, and none of another', async () => {
    const all = await aWalletOfAll();
    const hmacs = testCodes.hmacsOf(all.used.code);
    const [found] = await listing.findByCode(db, all.tenantId, hmacs);
    expect(found).toMatchObject({
      id: all.used.id,
      status: 'used',
      consumer: { userId: all.userId },
    });
    expect(await listing.findByCode(db, await aTenant(db), hmacs)).toEqual([]);
  });
});
