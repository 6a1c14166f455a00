import { describe, expect, it } from 'vitest';
import * as wallets from '../../../db/ledger/wallets.ts';
import { sumPending } from '../../../db/payments/pending.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import type { TenantId, WalletId } from '../../../domain/ids.ts';
import { countStatements } from '../../support/database/count-statements.ts';
import { aProgramme, aRule, aTenant, aUser, aWallet, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';

const DAY_MS = 24 * 3_600_000;
const { db } = await useDatabase();
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

/** A wallet with a sale of so many points, stored so many days ago. */
async function walletWith(tenantId: TenantId, sales: [points: number, days: number][]) {
  const userId = await aUser(db);
  const walletId = await aWallet(db, { balance: 7, tenantId, userId });
  for (const [points, days] of sales) {
    const id = await aCreditedPayment(db, walletId, points);
    await db('payments')
      .where({ id })
      .update({ createdAt: daysAgo(days) });
  }
  return { walletId, userId };
}

describe('sumPending', () => {
  it('adds up the sales in their windows, by wallet, with the earliest release', async () => {
    const tenantId = await aTenant(db);
    await aProgramme(db, tenantId, { returnWindowDays: 30, publishedAt: daysAgo(60) });
    await aProgramme(db, tenantId, { returnWindowDays: 10, publishedAt: daysAgo(20) });
    const sales: [number, number][] = [
      [1, 61],
      [2, 31],
      [4, 29],
      [8, 11],
      [16, 9],
      [32, 0],
    ];
    const one = await walletWith(tenantId, sales);
    const two = await walletWith(tenantId, [[5, 1]]);
    const none = await walletWith(tenantId, [[5, 31]]);
    const pending = await sumPending(db, [one.walletId, two.walletId, none.walletId]);
    expect([...pending.keys()].toSorted()).toEqual([one.walletId, two.walletId].toSorted());
    expect(pending.get(one.walletId)?.pending).toBe(4 + 16 + 32);
    expect(pending.get(two.walletId)?.pending).toBe(5);
    const next = required(pending.get(one.walletId)?.nextRelease ?? undefined);
    expect(Math.abs(next.getTime() - daysAgo(-1).getTime())).toBeLessThan(60_000);
  });
});

describe('what a wallet costs to read', () => {
  const statements = async (tenantId: TenantId) => {
    await aRule(db, tenantId);
    const { walletId, userId } = await walletWith(tenantId, [[5, 1]]);
    const count = (
      read: (db: Parameters<typeof sumPending>[0], id: WalletId) => Promise<unknown>,
    ) => countStatements(db, (tx) => read(tx, walletId));
    return {
      wallet: await count((tx, id) => wallets.getOwned(tx, id, userId)),
      wallets: await count((tx) => wallets.listOfUser(tx, userId)),
      preview: await count((tx, id) => redemptions.getRedeemable(tx, id, userId)),
      confirm: await countStatements(db, (tx) => redemptions.lockRedeemable(tx, walletId, userId)),
    };
  };
  const one = { wallet: 1, wallets: 1, preview: 1, confirm: 1 };
  const two = { wallet: 2, wallets: 2, preview: 2, confirm: 2 };

  it('is a statement without a programme, and without a window for 90 days', async () => {
    expect(await statements(await aTenant(db))).toEqual(one);
    const former = await aTenant(db);
    await aProgramme(db, former, { returnWindowDays: 14, publishedAt: daysAgo(200) });
    await aProgramme(db, former, { publishedAt: daysAgo(91) });
    expect(await statements(former)).toEqual(one);
  });

  it('is one more while a window may be open', async () => {
    const active = await aTenant(db);
    await aProgramme(db, active, { returnWindowDays: 14 });
    expect(await statements(active)).toEqual(two);
    const former = await aTenant(db);
    await aProgramme(db, former, { returnWindowDays: 90, publishedAt: daysAgo(200) });
    await aProgramme(db, former, { publishedAt: daysAgo(89) });
    expect(await statements(former)).toEqual(two);
  });
});
