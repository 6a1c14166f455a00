import { beforeEach, describe, expect, it } from 'vitest';
import { listConsumerChanges, listShopChanges, readWatermark } from '../../../db/changes/since.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import type { UserId, WalletId } from '../../../domain/ids.ts';
import {
  aCredit,
  aRule,
  aTenant,
  aUser,
  aWallet,
  postByHand,
  required,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';
import { aRedemption, expiresIn, testCodes } from '../../support/points/redemptions.ts';

const { db } = await useDatabase();

let userId: UserId;
let walletId: WalletId;
beforeEach(async () => {
  userId = await aUser(db);
  walletId = await aWallet(db, { userId, balance: 1_000 });
});

/** Makes what changed before as old as a stream that begins now needs it to be. */
async function asOfNow(): Promise<number> {
  await db('wallets').update({ updatedAt: new Date(Date.now() - 60_000) });
  await db.raw(`update redemptions set created_at = created_at - interval '1 minute'
    where status = 'issued'`);
  return (await readWatermark(db)).sinceMicros;
}

const changesOf = async (sinceMicros: number) => {
  const [changes = []] = await listConsumerChanges(db, [{ key: userId, sinceMicros }]);
  return changes.map(({ kind, id, version }) => ({ kind, id, version }));
};

describe('the watermark', () => {
  it('is before every transaction that is open, so that none is passed over', async () => {
    const tx = await db.transaction();
    await postByHand(tx, [aCredit(walletId, 1)]);
    await asOfOthers();
    const { sinceMicros } = await readWatermark(db);
    await tx.commit();
    expect(await changesOf(sinceMicros)).toMatchObject([{ kind: 'wallet', id: walletId }]);

    const later = await readWatermark(db);
    expect(later.sinceMicros).toBeGreaterThan(sinceMicros);
    expect(later.nowMs * 1_000 - later.sinceMicros).toBeLessThan(5_000_000);
  });

  it('does not wait for a transaction that has been open for hours', async () => {
    const { sinceMicros, nowMs } = await readWatermark(db);
    expect(nowMs - sinceMicros / 1_000).toBeLessThan(302_000);
  });

  async function asOfOthers(): Promise<void> {
    const other = await aWallet(db, { balance: 5 });
    expect(other).not.toBe(walletId);
  }
});

describe('listConsumerChanges', () => {
  it('nothing of what changed before', async () => {
    expect(await changesOf(await asOfNow())).toEqual([]);
  });

  it('a wallet whose balance or status has changed, each time with another version', async () => {
    const since = await asOfNow();
    await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 1)]));
    const [credited] = await changesOf(since);
    await db.transaction((tx) => wallets.setStatus(tx, walletId, 'frozen'));
    const [frozen] = await changesOf(since);
    expect([credited, frozen]).toMatchObject([
      { kind: 'wallet', id: walletId },
      { kind: 'wallet', id: walletId },
    ]);
    expect(credited?.version).not.toBe(frozen?.version);
  });

  it('a wallet that owes more, although nothing is left that could be taken', async () => {
    const tenantId = await aTenant(db);
    await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
    await aRule(db, tenantId);
    const sell = await aTill(db, tenantId);
    const sale = { id: 'PAY_1', amount: 100, email: `${userId}@people.example` };
    await db('users').where({ id: userId }).update({ email: sale.email });
    await sell(sale);
    const { id } = required(
      await db('wallets').where({ userId, tenantId }).first<{ id: WalletId }>('id'),
    );
    await aRedemption(db, { walletId: id, points: 100 });
    const since = await asOfNow();
    await sell({ ...sale, refunded: 40, updatedAt: new Date() });
    const [first] = await changesOf(since);
    await sell({ ...sale, refunded: 50, updatedAt: new Date() });
    const [second] = await changesOf(since);
    expect([first, second]).toMatchObject([{ id }, { id }]);
    expect(second?.version).not.toBe(first?.version);
  });

  it('a redemption that was issued, used, or has expired by the clock or by its row', async () => {
    const issued = await aRedemption(db, { walletId });
    const since = await asOfNow();
    expect(await changesOf(since)).toEqual([]);
    const { id } = await aRedemption(db, { walletId });
    const stateOf = async (wanted: string) =>
      (await changesOf(since)).find((change) => change.id === wanted)?.version;
    expect(await stateOf(id)).toBe('issued');

    const operatorId = await aUser(db, { role: 'pos_operator' });
    const hmacs = testCodes.hmacsOf(issued.code);
    await db.transaction((tx) =>
      redemptions.burn(tx, { tenantId: issued.tenantId, hmacs, operatorId }),
    );
    expect(await stateOf(issued.id)).toBe('used');

    await expiresIn(db, [id], -0.001);
    expect(await stateOf(id)).toBe('expired');
    await lifecycle.expireOne(db, id, 'refund');
    expect(await stateOf(id)).toBe('expired');
  });

  it('of each person what is theirs, in the order in which it was asked', async () => {
    const since = await asOfNow();
    const other = await aUser(db);
    const otherWallet = await aWallet(db, { userId: other, balance: 5 });
    const asks = [other, userId, other].map((key) => ({ key, sinceMicros: since }));
    const lists = await listConsumerChanges(db, asks);
    expect(lists.map((list) => list.map(({ id }) => id))).toEqual([
      [otherWallet],
      [],
      [otherWallet],
    ]);
  });
});

describe('listShopChanges', () => {
  it('what was used in the shop, and nothing of another one', async () => {
    const mine = await aRedemption(db);
    const others = await aRedemption(db);
    const operatorId = await aUser(db, { role: 'pos_operator' });
    const { sinceMicros } = await readWatermark(db);
    for (const { tenantId, code } of [mine, others]) {
      const hmacs = testCodes.hmacsOf(code);
      await db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
    }
    const lists = await listShopChanges(db, [
      { key: mine.tenantId, sinceMicros },
      { key: await aTenant(db), sinceMicros },
    ]);
    expect(lists.map((list) => list.map(({ id, version }) => [id, version]))).toEqual([
      [[mine.id, 'used']],
      [],
    ]);
  });
});
