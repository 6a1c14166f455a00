import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createIngestionActivities } from '../../activities/ingestion/index.ts';
import { pollConnection } from '../../activities/polling/poll-connection.ts';
import { createReconciliationActivities } from '../../activities/reconciliation.ts';
import { createRedemptionActivities } from '../../activities/redemptions/index.ts';
import { TooSoon } from '../../activities/too-soon.ts';
import { ConnectionId } from '../../domain/ids.ts';
import type { Alpha } from '../../gateways/providers/alpha/client.ts';
import { ProviderError } from '../../gateways/providers/shared/error.ts';
import { createMetrics } from '../../gateways/telemetry/metrics.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  storedEvents,
} from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { sampleOf } from '../support/metric-text.ts';
import { aRedemption, expiresIn } from '../support/points/redemptions.ts';
import { anAlphaGateway } from '../support/providers/providers.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

async function aShop() {
  const tenantId = await aTenant(db);
  const merchantId = `M-${randomUUID()}`;
  const email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
  await aRule(db, tenantId);
  await anAlphaConnection(db, { tenantId, merchantId });
  return { tenantId, merchantId, email };
}

describe('metrics of events', () => {
  it('count each event once by its outcome, however often the activity is retried', async () => {
    const { merchantId, email } = await aShop();
    const metrics = createMetrics('worker');
    const { ingestEvents } = createIngestionActivities(activityDeps(db, { metrics }));
    const bodies = [
      anAlphaEvent(merchantId, { email, amount: 500 }),
      anAlphaEvent(merchantId, { email, status: 'APPROVED' }),
      Buffer.from('no JSON'),
    ];
    const ids = await storedEvents(db, merchantId, bodies);
    for (let run = 0; run < 3; run++) await ingestEvents(ids);
    // One of two at the same moment may be told that the other is still at them.
    const again = () =>
      ingestEvents(ids).catch((error: unknown) => expect(error).toBeInstanceOf(TooSoon));
    await Promise.all([again(), again()]);

    const text = await metrics.metrics();
    const outcome = (name: string) =>
      sampleOf(text, 'loyalty_ingest_outcomes_total', {
        provider: 'alpha',
        source: 'webhook',
        outcome: name,
      });
    expect([outcome('credited'), outcome('ignored'), outcome('duplicate')]).toEqual([1, 1, 0]);
    expect(sampleOf(text, 'loyalty_points_credited_total', { provider: 'alpha' })).toBe(500);
    const credit = { provider: 'alpha' };
    expect(sampleOf(text, 'loyalty_webhook_credit_seconds_count', credit)).toBe(1);
    const lag = { ...credit, source: 'webhook' };
    expect(sampleOf(text, 'loyalty_ingest_lag_seconds_count', lag)).toBe(1);
    expect(sampleOf(text, 'loyalty_ingest_batch_events_count')).toBe(5);
    const failures = sampleOf(text, 'loyalty_ingest_failures_total', { source: 'webhook' });
    expect(failures).toBeGreaterThanOrEqual(3);
  });
});

describe('metrics of polls', () => {
  it('count polls by their status', async () => {
    const { tenantId } = await aShop();
    const row = await db('pos_connections').where({ tenantId }).first('id');
    const id = ConnectionId.parse(row?.id);
    const metrics = createMetrics('worker');
    const away = new ProviderError('alpha answered 503.', 503);
    const poll = (listLocations: Alpha['listLocations'], connection = id) =>
      pollConnection(
        activityDeps(db, { metrics, alpha: { ...anAlphaGateway(), listLocations } }),
        connection,
        { run: randomUUID() },
      );
    await poll(async () => []);
    await poll(() => Promise.reject(away));
    await poll(async () => [], ConnectionId.parse(randomUUID()));
    const text = await metrics.metrics();
    const polls = (outcome: string) => sampleOf(text, 'loyalty_polls_total', { outcome });
    expect([polls('done'), polls('interrupted'), polls('gone')]).toEqual([1, 1, 1]);
  });
});

describe('metrics of expired codes', () => {
  it.each([
    ['refund', 'returned'],
    ['forfeit', 'forfeited'],
  ] as const)(
    'count each code once under the policy %s, for each activity that expires codes',
    async (expiredCodes, points) => {
      const metrics = createMetrics('worker');
      const deps = { db, expiredCodes, metrics };
      const [one, other, open] = [
        await aRedemption(db),
        await aRedemption(db),
        await aRedemption(db),
      ];
      await expiresIn(db, [one.id, other.id], -1);
      const { followRedemptions, expireRedemptions } = createRedemptionActivities(deps);
      const { expireOverdueRedemptions } = createReconciliationActivities(deps);
      const followed = { runId: randomUUID(), ids: [one.id, open.id] };
      await followRedemptions(followed);
      for (let run = 0; run < 2; run++) await expireRedemptions(followed);
      for (let run = 0; run < 2; run++) await expireOverdueRedemptions();
      await expiresIn(db, [open.id], -1);
      const batch = { ...followed, ids: [one.id, other.id, open.id] };
      for (let run = 0; run < 2; run++) await expireRedemptions(batch);
      expect(sampleOf(await metrics.metrics(), 'loyalty_codes_expired_total', { points })).toBe(3);
    },
  );

  it('count the points of a held code as returned, also where others are forfeited', async () => {
    const metrics = createMetrics('worker');
    const deps = { db, expiredCodes: 'forfeit', metrics } as const;
    const held = [await aRedemption(db), await aRedemption(db)];
    const ids = held.map(({ id }) => id);
    await expiresIn(db, [...ids, (await aRedemption(db)).id], -1);
    await db('wallets')
      .whereIn(
        'id',
        held.map(({ walletId }) => walletId),
      )
      .update({ status: 'frozen' });
    const followed = { runId: randomUUID(), ids: ids.slice(0, 1) };
    await createRedemptionActivities(deps).followRedemptions(followed);
    await createRedemptionActivities(deps).expireRedemptions(followed);
    await createReconciliationActivities(deps).expireOverdueRedemptions();
    const counted = async (points: string) =>
      sampleOf(await metrics.metrics(), 'loyalty_codes_expired_total', { points });
    expect([await counted('returned'), await counted('forfeited')]).toEqual([2, 1]);
  });
});
