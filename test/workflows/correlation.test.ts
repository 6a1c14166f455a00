import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { createOrchestrator } from '../../api/temporal/orchestrator.ts';
import { connect } from '../../db/connection.ts';
import { EventId, TenantId } from '../../domain/ids.ts';
import { NO_COUNTS } from '../../domain/ingest-counts.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { currentCorrelationIds } from '../../worker/correlation.ts';
import { runTogether } from '../../worker/run-together.ts';
import { createWorkers } from '../../worker/worker.ts';
import { ingestWorkflowId } from '../../workflows/ids.ts';
import { useTemporal } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

const temporal = await useTemporal();
const nowhere = connect('postgres://127.0.0.1:9/none', 1, 'loyalty-test-nowhere');
afterAll(() => nowhere.destroy());

it('every step of a run carries the correlation ids of the requests it serves', async () => {
  const eventId = EventId.parse(randomUUID());
  const seen: Record<string, string | undefined> = {};
  const reported: Readonly<Record<string, string>>[] = [];
  const workers = await createWorkers({
    connection: temporal.connection,
    namespace: temporal.namespace,
    activities: {
      ...createActivities(activityDeps(nowhere)),
      // In the worker's own process.
      async ingestEvents() {
        seen.ingestEvents = currentCorrelationIds();
        return { counts: NO_COUNTS, needProvider: [eventId], retryAfterMs: 0 };
      },
      // Scheduled by the server.
      async ingestEventsWithProvider() {
        seen.ingestEventsWithProvider = currentCorrelationIds();
        if (reported.length === 0) throw new TypeError('a bug');
        return { counts: NO_COUNTS, needProvider: [], retryAfterMs: 0 };
      },
    },
    reporter: { report: (_, tags) => void reported.push(tags) },
    workflowSlots: 2,
    activitySlots: 2,
    pollers: 2,
    cachedWorkflows: 2,
    graceSeconds: 5,
  });
  const orchestrator = createOrchestrator({
    namespace: temporal.namespace,
    temporal: { address: temporal.address, tls: false },
    log: createLogger({ level: 'silent', service: 'test' }),
  });
  await expect.poll(() => orchestrator.isReachable(), { timeout: 30_000 }).toBe(true);

  const ingesting = orchestrator.ingest({
    provider: 'alpha',
    eventIds: [eventId],
    tenantIds: [TenantId.parse(randomUUID())],
    correlationIds: ['request-1', 'request-2'],
    traceparents: [],
  });
  await runTogether(workers, ingesting);
  await orchestrator.close();

  expect(seen).toEqual({
    ingestEvents: 'request-1,request-2',
    ingestEventsWithProvider: 'request-1,request-2',
  });
  const workflow = ingestWorkflowId('alpha', eventId);
  const requestId = 'request-1,request-2';
  expect(reported).toEqual([{ activity: 'ingestEventsWithProvider', workflow, requestId }]);
  const { memo } = await temporal.client.workflow.getHandle(workflow).describe();
  expect(memo).toMatchObject({ correlationIds: ['request-1', 'request-2'] });
});
