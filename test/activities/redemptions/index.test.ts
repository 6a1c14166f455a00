import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedemptionActivities } from '../../../activities/redemptions/index.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { RedemptionId } from '../../../domain/ids.ts';
import { createMetrics } from '../../../gateways/telemetry/metrics.ts';
import { aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import {
  aRedemption,
  balanceOf,
  expiresIn,
  redemptionRow,
  testCodes,
} from '../../support/redemptions.ts';

const database = await useDatabase();
const { db } = database;

const metrics = createMetrics('worker');
const activities = (expiredCodes: 'refund' | 'forfeit' = 'refund') =>
  createRedemptionActivities({ db, expiredCodes, metrics });

describe('followRedemption', () => {
  it('stores the start of the run and returns the status, also when it is retried', async () => {
    const { id } = await aRedemption(db);
    for (let run = 0; run < 2; run++) {
      expect(await activities().followRedemption(id)).toMatchObject({ status: 'issued' });
    }
    expect((await redemptionRow(db, id)).followedAt).not.toBeNull();
  });

  it('throws NOT_FOUND for an unknown id', async () => {
    const id = RedemptionId.parse(randomUUID());
    const notFound = { code: 'NOT_FOUND' };
    await expect(activities().followRedemption(id)).rejects.toMatchObject(notFound);
    await expect(activities().expireRedemption(id)).rejects.toMatchObject(notFound);
  });
});

describe('expireRedemption', () => {
  it('returns the points once when it runs concurrently', async () => {
    const { id, walletId } = await aRedemption(db);
    await expiresIn(db, [id], -1);
    const runs = Array.from({ length: 5 }, () => activities().expireRedemption(id));
    for (const result of await Promise.all(runs)) expect(result.status).toBe('expired');
    expect(await balanceOf(db, walletId)).toBe(100);
  });

  it('returns no points when codes are forfeited', async () => {
    const { id, walletId } = await aRedemption(db);
    await expiresIn(db, [id], -1);
    expect(await activities('forfeit').expireRedemption(id)).toMatchObject({ status: 'expired' });
    expect(await balanceOf(db, walletId)).toBe(70);
  });

  it('returns issued and the remaining time when the code has not expired', async () => {
    const { id } = await aRedemption(db);
    await expiresIn(db, [id], 60);
    const result = await activities().expireRedemption(id);
    expect(result.status).toBe('issued');
    expect(result.expiresInMs).toBeGreaterThan(0);
  });

  it('returns used when the code was used before', async () => {
    const issued = await aRedemption(db);
    const hmacs = testCodes.hmacsOf(issued.code);
    const operatorId = await aUser(db);
    await db.transaction((tx) =>
      redemptions.burn(tx, { tenantId: issued.tenantId, hmacs, operatorId }),
    );
    expect(await activities().expireRedemption(issued.id)).toMatchObject({ status: 'used' });
    expect(await balanceOf(db, issued.walletId)).toBe(70);
  });
});
