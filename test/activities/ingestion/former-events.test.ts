import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createIngestionActivities, prepareSweep } from '../../../activities/ingestion/index.ts';
import { EventId, type TenantId } from '../../../domain/ids.ts';
import { activityDeps } from '../../support/activity-deps.ts';
import { ageEvent, eventRows } from '../../support/events.ts';
import {
  aConnectedShop,
  anAlphaEvent,
  aRule,
  required,
  storedEvents,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;
const { creditEvents, takePendingEvents } = createIngestionActivities(activityDeps(db));

let tenantId: TenantId;
let merchantId: string;
let email: string;
beforeEach(async () => {
  ({ tenantId, merchantId, email } = await aConnectedShop(db));
  await aRule(db, tenantId);
});
const points = () => db('wallets').where({ tenantId }).pluck('balance');

describe('an event, while the release before still runs', () => {
  it('that its API stored is credited by a run that is given its id, once', async () => {
    const id = EventId.parse(randomUUID());
    await db('webhook_events').insert({
      id,
      provider: 'alpha',
      tenantId,
      merchantId,
      eventType: 'payment.updated',
      correlationId: 'c',
      body: anAlphaEvent(merchantId, { email, amount: 9 }),
    });
    const [first, second] = await Promise.all([creditEvents([id]), creditEvents([id])]);
    expect(first.counts.credited + second.counts.credited).toBe(1);
    expect(await points()).toEqual([9]);
    expect(await db('webhook_events').where({ id })).toEqual([]);
    expect(await eventRows(db).where({ id }).first()).toMatchObject({ outcome: 'credited' });
  });

  it('whose run found nothing, on one of its workers, is credited by the sweep', async () => {
    const [id] = await storedEvents(db, merchantId, [
      anAlphaEvent(merchantId, { email, amount: 9 }),
    ]);
    // All that a worker of the release before reads and writes.
    expect(await db('webhook_events').whereIn('id', [required(id)])).toEqual([]);
    await ageEvent(db, required(id), '1 minute');
    await prepareSweep(db);
    const [group] = await takePendingEvents();
    expect((await creditEvents(required(group).eventIds)).counts).toMatchObject({ credited: 1 });
  });
});
