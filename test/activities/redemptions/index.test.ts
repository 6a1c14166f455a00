import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedemptionActivities } from '../../../activities/redemptions/index.ts';
import type { Db } from '../../../db/connection.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { RedemptionId } from '../../../domain/ids.ts';
import { createMetrics } from '../../../gateways/telemetry/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  aRedemption,
  balanceOf,
  expiresIn,
  redemptionRow,
  testCodes,
} from '../../support/redemptions.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

const metrics = createMetrics('worker');
const activities = (expiredCodes: 'refund' | 'forfeit' = 'refund') =>
  createRedemptionActivities({ db, expiredCodes, metrics });

describe('followRedemption', () => {
  it('notes the run and says how far the redemption is; run twice, the same', async () => {
    const { id } = await aRedemption(db);
    for (let run = 0; run < 2; run++) {
      expect(await activities().followRedemption(id)).toMatchObject({ status: 'issued' });
    }
    expect((await redemptionRow(db, id)).followedAt).not.toBeNull();
  });

  it('NOT_FOUND, which is final, for an id that is in no row', async () => {
    const id = RedemptionId.parse(randomUUID());
    const notFound = { code: 'NOT_FOUND' };
    await expect(activities().followRedemption(id)).rejects.toMatchObject(notFound);
    await expect(activities().expireRedemption(id)).rejects.toMatchObject(notFound);
  });
});

describe('expireRedemption', () => {
  it('gives back once, however often and at how many places it runs', async () => {
    const { id, walletId } = await aRedemption(db);
    await expiresIn(db, [id], -1);
    const runs = Array.from({ length: 5 }, () => activities().expireRedemption(id));
    for (const course of await Promise.all(runs)) expect(course.status).toBe('expired');
    expect(await balanceOf(db, walletId)).toBe(100);
  });

  it('gives nothing back where codes are forfeited', async () => {
    const { id, walletId } = await aRedemption(db);
    await expiresIn(db, [id], -1);
    expect(await activities('forfeit').expireRedemption(id)).toMatchObject({ status: 'expired' });
    expect(await balanceOf(db, walletId)).toBe(70);
  });

  it('says issued, with the time that is left, of one that is not due', async () => {
    const { id } = await aRedemption(db);
    await expiresIn(db, [id], 60);
    const course = await activities().expireRedemption(id);
    expect(course.status).toBe('issued');
    expect(course.expiresInMs).toBeGreaterThan(0);
  });

  it('says used of one that the till was quicker with', async () => {
    const issued = await aRedemption(db);
    const hmacs = testCodes.hmacsOf(issued.code);
    await db.transaction((tx) =>
      redemptions.burn(tx, { tenantId: issued.tenantId, hmacs, operatorId: issued.userId }),
    );
    expect(await activities().expireRedemption(issued.id)).toMatchObject({ status: 'used' });
    expect(await balanceOf(db, issued.walletId)).toBe(70);
  });
});
