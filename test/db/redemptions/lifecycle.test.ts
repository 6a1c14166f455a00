import { beforeEach, describe, expect, it } from 'vitest';
import * as auditLog from '../../../db/audit-log.ts';
import { freeze, unfreeze } from '../../../db/redemptions/freezing.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import * as tenantStatus from '../../../db/tenants/status.ts';
import * as operations from '../../../db/users/operations.ts';
import type { RedemptionId, WalletId } from '../../../domain/ids.ts';
import { aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import {
  aRedemption,
  balanceOf,
  expiresIn,
  redemptionRow,
  testCodes,
} from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;
beforeEach(async () => {
  // Closes what earlier tests left open.
  await db.raw(`update redemptions set followed_at = now(), expiry_told_at = now()`);
  await lifecycle.expireOverdue(db, 'refund', 1000);
});

const backEntries = (id: RedemptionId) =>
  db('ledger_entries').where({ sourceId: id, reason: 'redemption_expired' });

const idsOf = (codes: readonly { id: string }[]) => codes.map(({ id }) => id);

describe('expireOne', () => {
  it('returns the points of an overdue redemption once', async () => {
    const { id, walletId } = await aRedemption(db);
    await expiresIn(db, [id], -1);
    const runs = [];
    for (let run = 0; run < 3; run++) runs.push(await lifecycle.expireOne(db, id, 'refund'));
    expect(runs).toMatchObject([[{ id, isReturned: true }], [], []]);
    expect(await balanceOf(db, walletId)).toBe(100);
    expect(await backEntries(id)).toMatchObject([{ entryType: 'credit', points: 30 }]);
    expect(await redemptionRow(db, id)).toMatchObject({
      status: 'expired',
      pointsReturned: true,
      sealedCode: null,
    });
  });

  it('keeps the points when the policy is to forfeit them', async () => {
    const { id, walletId } = await aRedemption(db);
    await expiresIn(db, [id], -1);
    await lifecycle.expireOne(db, id, 'forfeit');
    await lifecycle.expireOne(db, id, 'refund');
    expect(await balanceOf(db, walletId)).toBe(70);
    expect(await backEntries(id)).toEqual([]);
    expect(await redemptionRow(db, id)).toMatchObject({ status: 'expired', pointsReturned: false });
  });

  it('leaves a redemption that is not overdue', async () => {
    const { id } = await aRedemption(db);
    await lifecycle.expireOne(db, id, 'refund');
    expect(await redemptionRow(db, id)).toMatchObject({ status: 'issued' });
  });

  it('leaves a code used, or expired with its points, never both, when the two race', async () => {
    const walletId = await aWallet(db, { balance: 900 });
    const issued = await Promise.all(
      Array.from({ length: 30 }, () => aRedemption(db, { walletId })),
    );
    // Some expire during the race.
    const ids = issued.map(({ id }) => id);
    await expiresIn(db, ids.slice(0, 10), -1);
    await expiresIn(db, ids.slice(10, 20), 0.03);
    const operatorId = await aUser(db);
    const race = issued.flatMap((one) => [
      () =>
        db.transaction((tx) =>
          redemptions.burn(tx, {
            tenantId: one.tenantId,
            hmacs: testCodes.hmacsOf(one.code),
            operatorId,
          }),
        ),
      () => lifecycle.expireOne(db, one.id, 'refund'),
      () => lifecycle.expireOverdue(db, 'refund', 5),
      () => lifecycle.expireOne(db, one.id, 'refund'),
    ]);
    await Promise.all(race.map((attempt) => attempt()));
    await expect.poll(async () => lifecycle.expireOverdue(db, 'refund', 100)).toEqual([]);

    const rows = await db('redemptions').where({ walletId });
    const used = rows.filter(({ status }) => status === 'used').length;
    const expired = rows.filter(({ status }) => status === 'expired').length;
    expect(used + expired).toBe(30);
    expect(used).toBeGreaterThanOrEqual(10);
    expect(expired).toBeGreaterThanOrEqual(10);
    expect(await balanceOf(db, walletId)).toBe(30 * expired);
    for (const { id, status } of rows) {
      expect(await backEntries(id)).toHaveLength(status === 'expired' ? 1 : 0);
    }
  });
});

describe('expireOverdue', () => {
  it('expires redemptions of several wallets in one statement, up to the limit', async () => {
    const wallets = await Promise.all([1, 2, 3].map(() => aWallet(db, { balance: 100 })));
    const issued = await Promise.all(
      wallets.flatMap((walletId) => [1, 2].map(() => aRedemption(db, { walletId, points: 10 }))),
    );
    const young = await aRedemption(db);
    await expiresIn(
      db,
      issued.map(({ id }) => id),
      -1,
    );
    const first = await lifecycle.expireOverdue(db, 'refund', 4);
    const second = await lifecycle.expireOverdue(db, 'refund', 4);
    expect(idsOf([...first, ...second]).sort()).toEqual(issued.map(({ id }) => id).sort());
    expect(first).toHaveLength(4);
    for (const walletId of wallets) expect(await balanceOf(db, walletId)).toBe(100);
    expect(await redemptionRow(db, young.id)).toMatchObject({ status: 'issued' });
  });

  it('keeps the points when the policy is to forfeit them', async () => {
    const { id, walletId } = await aRedemption(db);
    await expiresIn(db, [id], -1);
    expect(await lifecycle.expireOverdue(db, 'forfeit', 10)).toMatchObject([
      { id, isReturned: false },
    ]);
    expect(await balanceOf(db, walletId)).toBe(70);
  });

  it('neither loses nor doubles a point when four sweeps and a debit run at once', async () => {
    const walletId = await aWallet(db, { balance: 1000 });
    const issued = await Promise.all(
      Array.from({ length: 20 }, () => aRedemption(db, { walletId, points: 10 })),
    );
    await expiresIn(
      db,
      issued.map(({ id }) => id),
      -1,
    );
    const swept = await Promise.all([
      lifecycle.expireOverdue(db, 'refund', 20),
      lifecycle.expireOverdue(db, 'refund', 20),
      aRedemption(db, { walletId, points: 10 }).then(() => []),
      lifecycle.expireOverdue(db, 'refund', 20),
      lifecycle.expireOverdue(db, 'refund', 20),
    ]);
    expect(idsOf(swept.flat()).sort()).toEqual(issued.map(({ id }) => id).sort());
    expect(await balanceOf(db, walletId)).toBe(990);
  });

  it('lists overdue redemptions, earliest expiry first', async () => {
    const [late, later] = [await aRedemption(db), await aRedemption(db)];
    await expiresIn(db, [late.id], -5);
    await expiresIn(db, [later.id], -9);
    expect(await lifecycle.listOverdue(db, 10)).toEqual([later.id, late.id]);
  });
});

describe('expireGiven', () => {
  it.each([
    { policy: 'refund', left: 100 },
    { policy: 'forfeit', left: 70 },
  ] as const)('expires those that are overdue, and leaves $left: $policy', async (each) => {
    const [late, open, other] = [
      await aRedemption(db),
      await aRedemption(db),
      await aRedemption(db),
    ];
    await expiresIn(db, [late.id, other.id], -1);
    const expire = () => lifecycle.expireGiven(db, each.policy, [late.id, open.id]);
    expect(idsOf(await expire())).toEqual([late.id]);
    expect(await expire()).toEqual([]);
    expect(await balanceOf(db, late.walletId)).toBe(each.left);
    expect(await redemptionRow(db, open.id)).toMatchObject({ status: 'issued' });
    expect(await redemptionRow(db, other.id)).toMatchObject({ status: 'issued' });
  });
});

describe('recordFailedExpiry', () => {
  it('leaves a code out of sweeps, for longer each time, up to six hours', async () => {
    const { id } = await aRedemption(db);
    await expiresIn(db, [id], -1);
    const waits = [];
    for (let failure = 0; failure < 12; failure++) {
      await lifecycle.recordFailedExpiry(db, id);
      const row = await db('redemptions')
        .where({ id })
        .first<{ seconds: number }>(
          db.raw('extract(epoch from next_expiry_at - now())::float8 as seconds'),
        );
      waits.push(Math.round((row?.seconds ?? 0) / 10) * 10);
    }
    expect(waits.slice(0, 3)).toEqual([30, 60, 120]);
    expect(waits.slice(-2)).toEqual([21_600, 21_600]);
    expect(await lifecycle.expireOverdue(db, 'refund', 10)).toEqual([]);
    expect(idsOf(await lifecycle.expireOne(db, id, 'refund'))).toEqual([id]);
  });
});

describe('a code that ran out while nobody could use it', () => {
  const act = { acting: auditLog.byOps(), reason: null };
  /** A code that runs out now, and the balance of its wallet if it is swept only then. */
  const overdue = async (walletId?: WalletId) => {
    const issued = await aRedemption(db, walletId && { walletId });
    await expiresIn(db, [issued.id], -1);
    const swept = async () => {
      await lifecycle.expireOne(db, issued.id, 'forfeit');
      return balanceOf(db, issued.walletId);
    };
    return { ...issued, swept };
  };

  it('returns its points although it is swept after the shop was reinstated', async () => {
    const { tenantId, id, swept } = await overdue();
    await tenantStatus.suspend(db, tenantId, act);
    await db('tenants').where({ id: tenantId }).update({ tellsEvents: true });
    await tenantStatus.reinstate(db, tenantId, act);
    expect(await swept()).toBe(100);
    expect(await backEntries(id)).toHaveLength(1);
    expect(await db('tenant_events').where({ tenantId, type: 'redemption.expired' })).toHaveLength(
      1,
    );
  });

  it('forfeits them if an active shop is reinstated', async () => {
    const { tenantId, swept } = await overdue();
    await tenantStatus.reinstate(db, tenantId, act);
    expect(await swept()).toBe(70);
  });

  it('returns its points although it is swept after the wallet was unfrozen', async () => {
    const walletId = await aWallet(db, { balance: 100 });
    await db.transaction((tx) => freeze(tx, walletId));
    const { swept } = await overdue(walletId);
    await db.transaction((tx) => unfreeze(tx, walletId));
    expect(await swept()).toBe(100);
  });

  it('forfeits them if a wallet is unfrozen that is not frozen', async () => {
    const { walletId, swept } = await overdue();
    await db.transaction((tx) => unfreeze(tx, walletId));
    expect(await swept()).toBe(70);
  });

  it('returns its points although it is swept after its owner was reinstated', async () => {
    const userId = await aUser(db);
    const walletId = await aWallet(db, { userId, balance: 100 });
    await operations.suspend(
      db,
      { id: userId },
      { ...act, adminEmailDomain: () => 'staff.example' },
    );
    const { swept } = await overdue(walletId);
    expect(await operations.reinstate(db, { id: userId }, act)).toMatchObject([
      { cancelledCodes: 0 },
    ]);
    expect(await swept()).toBe(100);
  });
});
