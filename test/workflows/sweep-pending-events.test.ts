import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as waiting from '../../db/events/waiting.ts';
import type { TenantId } from '../../domain/ids.ts';
import { NO_COUNTS } from '../../domain/ingest-counts.ts';
import { createBeta } from '../../gateways/providers/beta/client.ts';
import { TASK_QUEUE } from '../../workflows/ids.ts';
import { sweepPendingEvents } from '../../workflows/sweep-pending-events.ts';
import {
  aBetaConnection,
  aBetaEvent,
  aConnectedShop,
  anAlphaEvent,
  aRule,
  aTenant,
  storedEvents,
} from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { startHttpServer } from '../support/http/http-server.ts';
import { eventRows } from '../support/providers/events.ts';
import { anAlphaGateway } from '../support/providers/providers.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { expectDocumentedActions } from './actions.ts';

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();

const sweep = (workflowId = `sweep/${randomUUID()}`) =>
  temporal.withWorker(activityDeps(db), () =>
    temporal.client.workflow.execute(sweepPendingEvents, {
      taskQueue: TASK_QUEUE,
      workflowId,
    }),
  );

async function storePending(count: number) {
  const { tenantId, merchantId, email } = await aConnectedShop(db);
  await aRule(db, tenantId);
  const bodies = Array.from({ length: count }, () =>
    anAlphaEvent(merchantId, { email, amount: 1 }),
  );
  const ids = await storedEvents(db, merchantId, bodies);
  await db('pending_events')
    .whereIn('id', ids)
    .update({ receivedAt: db.raw(`now() - interval '1 minute'`) });
  return tenantId;
}

describe('sweepPendingEvents', () => {
  it('ingests several batches in one sweep, in runs that are found by tenant', async () => {
    const tenantId = await storePending(1_100);

    const sweepId = `sweep/${randomUUID()}`;
    // An attempt that is repeated, on a busy machine, does not count what the first one credited.
    const { events, failed } = await sweep(sweepId);
    expect({ events, failed }).toEqual({ events: 1_100, failed: 0 });
    const credited = await eventRows(db).where({ tenantId, outcome: 'credited' });
    expect(credited).toHaveLength(1_100);
    expect(await db('wallets').where({ tenantId }).pluck('balance')).toEqual([1_100]);

    const query = `TenantIds = "${tenantId}" and WorkflowType = "ingestEvents"`;
    const found = () => temporal.client.workflow.count(query);
    await expect.poll(found, { timeout: 20_000 }).toMatchObject({ count: 3 });
    await temporal.history(sweepId, 'sweep-pending-events.due-drained');
  });

  it('does nothing when no event is pending', async () => {
    const sweepId = `sweep/${randomUUID()}`;
    expect(await sweep(sweepId)).toEqual({ ...NO_COUNTS, events: 0 });
    const history = await temporal.history(sweepId, 'sweep-pending-events.idle');
    expectDocumentedActions('a sweep that finds nothing, with its tick', history);
    expect(history.match(/EVENT_TYPE_WORKFLOW_TASK_STARTED/g)).toHaveLength(1);
    expect(history).not.toContain('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED');
  });
});

describe('a provider that hangs', () => {
  /** Stores sales of beta, whose server never answers. */
  async function storeHanging(count: number): Promise<TenantId> {
    const tenantId = await aTenant(db);
    const merchantId = `B${randomUUID().slice(0, 12).replaceAll('-', '')}`;
    await aBetaConnection(db, { tenantId, merchantId });
    const bodies = Array.from({ length: count }, (_, n) => aBetaEvent(merchantId, `P${n}`));
    await storedEvents(db, merchantId, bodies, 'beta');
    await db('pending_events')
      .where({ tenantId })
      .update({
        receivedAt: db.raw(`now() - interval '1 hour'`),
        nextAttemptAt: db.raw(`now() - interval '1 hour'`),
      });
    return tenantId;
  }

  it('holds up neither the sweep nor the sales of another provider', async () => {
    const server = await startHttpServer(() => 'hangs');
    const beta = createBeta({
      environment: 'sandbox',
      region: 'na',
      apiOrigin: server.url,
    });
    await storeHanging(300);
    const tenantId = await storePending(1_000);
    const credited = async () =>
      (await eventRows(db).where({ tenantId, outcome: 'credited' })).length;
    try {
      await temporal.withWorker(activityDeps(db, { beta }), async () => {
        const handle = await temporal.client.workflow.start(sweepPendingEvents, {
          taskQueue: TASK_QUEUE,
          workflowId: `sweep/${randomUUID()}`,
        });
        await expect.poll(credited, { timeout: 60_000 }).toBe(1_000);
        expect(await handle.result()).toMatchObject({ events: 1_300 });
        // Runs that hold leases still wait for beta, which would take a minute to fail for all.
        const held = await eventRows(db)
          .where({ provider: 'beta', processed: false })
          .where('leasedUntil', '>', db.fn.now());
        expect(held.length).toBeGreaterThan(0);
      });
    } finally {
      await server.close();
      await db('pending_events').where({ provider: 'beta' }).delete();
    }
  }, 180_000);
});

describe('a provider that answers again', () => {
  it('is probed by the sweep, which then ingests what waited for it', async () => {
    const tenantId = await storePending(3);
    const ids = await eventRows(db).where({ tenantId }).select('id');
    const parked = ids.map(({ id }) => ({ id, error: 'alpha answered 503.' }));
    await waiting.park(db, parked, false);
    const change = (values: object) => db('pos_connections').where({ tenantId }).update(values);
    await change({ askAgainAt: new Date(Date.now() + 60_000) });
    const alpha = { ...anAlphaGateway(), listLocations: async () => [] };
    const sweepIt = () =>
      temporal.withWorker(activityDeps(db, { alpha }), () =>
        temporal.client.workflow.execute(sweepPendingEvents, {
          taskQueue: TASK_QUEUE,
          workflowId: `sweep/${randomUUID()}`,
        }),
      );
    expect(await sweepIt()).toMatchObject({ events: 0 });
    await change({ askAgainAt: new Date() });
    expect(await sweepIt()).toMatchObject({ events: 3, credited: 3 });
  });
});
