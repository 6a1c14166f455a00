import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { VerificationSlice } from '../../activities/index.ts';
import { NO_ID } from '../../db/ledger/verification/whole.ts';
import { EventId, TenantId } from '../../domain/ids.ts';
import { NO_COUNTS } from '../../domain/ingest-counts.ts';
import { NOTHING_VERIFIED } from '../../domain/ledger-report.ts';
import { deliveryStart } from '../../workflows/delivery-start.ts';
import { sweepStart, verifyStart } from '../../workflows/starts.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import {
  hasEvents,
  onStage,
  replays,
  type Stage,
  starting,
  unending,
} from '../support/temporal/staged-runs.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();

/** Ends a number of times, and then no more. */
const times = <Result>(count: number, result: () => Result) => {
  let left = count;
  return async (): Promise<Result> => {
    left -= 1;
    return left < 0 ? unending() : result();
  };
};
const slice: VerificationSlice = {
  ...NOTHING_VERIFIED,
  violations: [],
  next: { statements: { after: NO_ID, rows: 1, isRight: true } },
};

const stages: (Stage & { name: string })[] = [
  {
    name: 'sweep-pending-events',
    ...starting(sweepStart()),
    activities: {
      beginSweep: async () => ({ events: true, probes: false }),
      takePendingEvents: times(100, () => [
        {
          provider: 'alpha',
          eventIds: [EventId.parse(randomUUID())],
          tenantIds: [TenantId.parse(randomUUID())],
        },
      ]),
      ingestEvents: async () => ({ counts: NO_COUNTS, needProvider: [], retryAfterMs: 0 }),
    },
  },
  {
    name: 'deliver-events',
    ...starting(deliveryStart(TenantId.parse(randomUUID()))),
    activities: {
      deliverEvents: times(1_000, () => ({ delivered: 1, failed: 0, nextInMs: 0 })),
    },
  },
  {
    name: 'verify-ledger',
    ...starting(verifyStart()),
    activities: { verifyLedgerSlice: times(500, () => slice) },
  },
];

describe('a run that continues as new', () => {
  it.each(stages)(
    'replays, as does the one that continues it: $name',
    async ({ name, ...stage }) => {
      const { workflowId } = stage;
      const parts = await onStage({ temporal, db }, stage, async () => {
        const handle = temporal.client.workflow.getHandle(workflowId);
        const { runId } = await handle.describe();
        await expect
          .poll(async () => (await handle.describe()).runId, { timeout: 120_000, interval: 500 })
          .not.toBe(runId);
        await hasEvents(temporal, workflowId, ['ACTIVITY_TASK_SCHEDULED']);
        return [
          await temporal.history(workflowId, `${name}.continued`, runId),
          await temporal.history(workflowId, `${name}.open-continuing`),
        ];
      });
      expect(parts[0]).toContain('EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW');
      for (const part of parts) await replays(part);
    },
    180_000,
  );
});
