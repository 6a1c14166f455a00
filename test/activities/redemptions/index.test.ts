import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedemptionActivities } from '../../../activities/redemptions/index.ts';
import { connect } from '../../../db/connection.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { createMetrics } from '../../../gateways/telemetry/metrics.ts';
import { aCredit, aDebit, aUser, postByHand, required } from '../../support/factories.ts';
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

const metrics = createMetrics('worker');
const activities = (expiredCodes: 'refund' | 'forfeit' = 'refund') =>
  createRedemptionActivities({ db, expiredCodes, metrics });

describe('followRedemptions', () => {
  it('stores which run follows them and returns how far they are, also if retried', async () => {
    const issued = [await aRedemption(db), await aRedemption(db)];
    const ids = issued.map(({ id }) => id);
    const batch = { runId: randomUUID(), ids };
    for (let run = 0; run < 2; run++) {
      expect(await activities().followRedemptions(batch)).toMatchObject({ open: 2, used: 0 });
    }
    const another = { runId: randomUUID(), ids };
    expect(await activities().followRedemptions(another)).toMatchObject({ open: 0 });
  });
});

describe('expireRedemptions', () => {
  const aBatch = async (seconds: readonly number[]) => {
    const issued = await Promise.all(seconds.map(() => aRedemption(db)));
    for (const [nth, one] of issued.entries()) await expiresIn(db, [one.id], seconds[nth] ?? 0);
    const batch = { runId: randomUUID(), ids: issued.map(({ id }) => id) };
    await activities().followRedemptions(batch);
    return { issued, batch };
  };

  it('expires those that are overdue together, once, and leaves used and open ones', async () => {
    const { issued, batch } = await aBatch([-1, 600, 600, -1]);
    const [overdue, used, open] = issued;
    const operatorId = await aUser(db);
    const hmacs = testCodes.hmacsOf(used?.code ?? '');
    const tenantId = required(used).tenantId;
    await db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
    const runs = Array.from({ length: 4 }, () => activities().expireRedemptions(batch));
    await Promise.all(runs);
    const progress = await activities().expireRedemptions(batch);
    expect(progress).toMatchObject({ open: 1, used: 1, expired: 2, uninformed: 2 });
    expect(progress.nextExpiryInMs).toBeGreaterThan(0);
    expect(await balanceOf(db, required(overdue).walletId)).toBe(100);
    expect(await balanceOf(db, required(used).walletId)).toBe(70);
    expect(await balanceOf(db, required(open).walletId)).toBe(70);
  });

  it('returns no points when codes are forfeited', async () => {
    const { issued, batch } = await aBatch([-1]);
    expect(await activities('forfeit').expireRedemptions(batch)).toMatchObject({ expired: 1 });
    expect(await balanceOf(db, required(issued[0]).walletId)).toBe(70);
  });

  it('leaves one that cannot be expired to reconcile, and expires the others', async () => {
    const { issued, batch } = await aBatch([-1, -1, -1]);
    const stuck = required(issued[1]);
    const fill = Number.MAX_SAFE_INTEGER - (await balanceOf(db, stuck.walletId));
    await db.transaction((tx) => postByHand(tx, [aCredit(stuck.walletId, fill)]));
    const progress = await activities().expireRedemptions(batch);
    expect(progress).toMatchObject({ open: 0, expired: 2 });
    expect(await redemptionRow(db, stuck.id)).toMatchObject({ status: 'issued' });
    await db.transaction((tx) => postByHand(tx, [aDebit(stuck.walletId, 30)]));
    await db('redemptions').where({ id: stuck.id }).update({ nextExpiryAt: db.fn.now() });
    expect(await activities().expireRedemptions(batch)).toMatchObject({ expired: 3 });
  });

  it('throws while Postgres is away, and records nothing as failed', async () => {
    const { batch } = await aBatch([-1]);
    const nowhere = connect('postgres://127.0.0.1:9/none', 1, 'loyalty-test-nowhere');
    const away = createRedemptionActivities({ db: nowhere, expiredCodes: 'refund', metrics });
    await expect(away.expireRedemptions(batch)).rejects.toThrow();
    await nowhere.destroy();
    expect(await activities().expireRedemptions(batch)).toMatchObject({ expired: 1 });
  });
});
