import { beforeEach, describe, expect, it } from 'vitest';
import { createIngestionActivities } from '../../../activities/ingestion/index.ts';
import { TooSoon } from '../../../activities/too-soon.ts';
import type { EventId } from '../../../domain/ids.ts';
import { aConnectedShop, anAlphaEvent, aRule, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const { db } = await useDatabase();

let merchantId: string;
let email: string;
beforeEach(async () => {
  const shop = await aConnectedShop(db);
  ({ merchantId, email } = shop);
  await aRule(db, shop.tenantId);
});

const credit = (ids: EventId[]) => createIngestionActivities(activityDeps(db)).ingestEvents(ids);
const open = (ids: EventId[]) => db('pending_events').whereIn('id', ids).pluck('id');

describe('a batch that is ingested several times at once', () => {
  it('has each payment credited once', async () => {
    const bodies = Array.from({ length: 50 }, () => anAlphaEvent(merchantId, { email, amount: 3 }));
    const ids = await storedEvents(db, merchantId, bodies);
    const settled = await Promise.allSettled([1, 2, 3, 4].map(() => credit(ids)));
    for (const each of settled) {
      if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(TooSoon);
    }
    expect(await db('payments').count('* as n').sum('points_awarded as points')).toEqual([
      { n: 50, points: '150' },
    ]);
  });

  it('is not done while another transaction has some of its events, which it leaves', async () => {
    const bodies = [anAlphaEvent(merchantId, { email }), anAlphaEvent(merchantId)];
    const ids = await storedEvents(db, merchantId, bodies);
    await db.transaction(async (tx) => {
      await tx('pending_events').where({ id: ids[1] }).forUpdate().first('id');
      await expect(credit(ids)).rejects.toThrow(TooSoon);
      expect(await open(ids)).toEqual(ids.slice(1));
    });
    await credit(ids);
    expect(await open(ids)).toEqual([]);
  });
});
