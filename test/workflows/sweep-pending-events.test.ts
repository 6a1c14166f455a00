import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NO_COUNTS } from '../../domain/ingest-counts.ts';
import { TASK_QUEUE } from '../../workflows/ids.ts';
import { sweepPendingEvents } from '../../workflows/sweep-pending-events.ts';
import { activityDeps } from '../support/activity-deps.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  storedEvents,
} from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';

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
  const tenantId = await aTenant(db);
  const merchantId = `M-${randomUUID()}`;
  const email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
  await aRule(db, tenantId);
  await anAlphaConnection(db, { tenantId, merchantId });
  const bodies = Array.from({ length: count }, () =>
    anAlphaEvent(merchantId, { email, amount: 1 }),
  );
  const ids = await storedEvents(db, merchantId, bodies);
  await db('webhook_events')
    .whereIn('id', ids)
    .update({ receivedAt: db.raw(`now() - interval '1 minute'`) });
  return tenantId;
}

describe('sweepPendingEvents', () => {
  it('ingests several batches in one sweep, in runs that are found by tenant', async () => {
    const tenantId = await storePending(450);

    const sweepId = `sweep/${randomUUID()}`;
    expect(await sweep(sweepId)).toEqual({
      ...NO_COUNTS,
      events: 450,
      credited: 450,
      points: 450,
    });

    const query = `TenantIds = "${tenantId}" and WorkflowType = "ingestEvents"`;
    await expect.poll(() => temporal.client.workflow.count(query)).toMatchObject({ count: 3 });
    await temporal.history(sweepId, 'sweep-pending-events.three-batches');
  });

  it('does nothing when no event is pending', async () => {
    expect(await sweep()).toEqual({ ...NO_COUNTS, events: 0 });
  });
});
