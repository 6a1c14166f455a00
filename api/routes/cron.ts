import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { inParallel } from '../../activities/concurrency.ts';
import { createIngestPolicy } from '../../activities/ingestion/ingest-policy.ts';
import {
  createIngestionActivities,
  type IngestionDeps,
  SWEEP_BATCH,
  takePending,
} from '../../activities/ingestion/index.ts';
import { pollConnection } from '../../activities/polling/poll-connection.ts';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import type { ConnectionId, EventId } from '../../domain/ids.ts';
import type { RefundPolicy } from '../../domain/refund.ts';
import type { Key } from '../../gateways/crypto/sealer.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { route } from '../http/route.ts';

const count = z.int().min(0);
const PollCounts = z.object({
  connectionsScanned: count,
  paymentsProcessed: count,
  errors: count,
});
const SweepCounts = z.object({ scanned: count, succeeded: count, failed: count, limit: count });

const cron = {
  method: 'POST',
  access: 'cron-secret',
  tag: 'Internal cron',
} as const;

export const pollAlphaPayments = route({
  ...cron,
  path: '/internal/cron/alpha-poll-payments',
  summary: 'Poll every connected alpha account',
  description:
    'Brings in what was sold since each account was last polled, at most 25 pages of 100 each. An ' +
    'account that is being polled already counts as scanned. What fails is counted in `errors`, ' +
    'and stops no other account.',
  response: PollCounts.extend({ ok: z.literal(true) }),
  examples: {
    response: { ok: true, connectionsScanned: 12, paymentsProcessed: 340, errors: 1 },
  },

  async handle({ cron: jobs }) {
    return { ok: true, ...(await jobs.pollAlpha()) };
  },
});

export const processPendingWebhooks = route({
  ...cron,
  path: '/internal/cron/process-pending-webhooks',
  summary: 'Bring in events that were left behind',
  description:
    'Takes up to 200 unprocessed events of the last 7 days. One that fails is left with its error ' +
    'and tried again later, the longer the more often it failed.',
  response: SweepCounts.extend({ ok: z.literal(true) }),
  examples: { response: { ok: true, scanned: 3, succeeded: 2, failed: 1, limit: SWEEP_BATCH } },

  async handle({ cron: jobs }) {
    return { ok: true, ...(await jobs.processPending()) };
  },
});

/** The work of the cron endpoints, done in this process: it needs no Temporal. */
export type CronJobs = {
  /** Polls every active alpha connection; one that fails is counted, and stops no other. */
  pollAlpha(): Promise<z.infer<typeof PollCounts>>;
  /** Brings in up to 200 open events of the last 7 days, each provider asked once at most. */
  processPending(): Promise<z.infer<typeof SweepCounts>>;
};

/** More at a time would take the database from the requests that somebody waits for. */
const POLLS_AT_ONCE = 4;
const CONNECTIONS_PER_READ = 500;

/** Makes the jobs from the very functions that the worker runs; leases keep the two apart. */
export function createCronJobs(
  options: Omit<IngestionDeps, 'ingestPolicy'> & {
    refunds: RefundPolicy;
    keys: readonly Key[];
    log: Logger;
  },
): CronJobs {
  const { refunds, keys, log, ...others } = options;
  const deps = { ...others, ingestPolicy: createIngestPolicy(refunds, keys) };
  return {
    async pollAlpha() {
      const counts = { connectionsScanned: 0, paymentsProcessed: 0, errors: 0 };
      const poll = async (id: ConnectionId) => {
        counts.connectionsScanned += 1;
        const { payments, errors } = await pollOne(deps, id, log);
        counts.paymentsProcessed += payments;
        counts.errors += errors;
      };
      for (let after: ConnectionId | null = null; ; ) {
        const page = { after, limit: CONNECTIONS_PER_READ };
        const connections = await pollPositions.listPolled(deps.db, page);
        await inParallel(connections, POLLS_AT_ONCE, ({ id }) => poll(id));
        after = connections.at(-1)?.id ?? null;
        if (after === null) break;
      }
      log.info(counts, 'alpha was polled by cron');
      return counts;
    },

    async processPending() {
      const groups = await takePending(deps.db, { quietSeconds: 0 });
      await Promise.all(groups.map(({ eventIds }) => bringIn(deps, eventIds, log)));
      const ids = groups.flatMap(({ eventIds }) => eventIds);
      const failed = await webhookEvents.countOpen(deps.db, ids);
      const scanned = ids.length;
      const counts = { scanned, succeeded: scanned - failed, failed, limit: SWEEP_BATCH };
      log.info(counts, 'Events that were left behind were brought in by cron');
      return counts;
    },
  };
}

async function pollOne(
  deps: IngestionDeps,
  connectionId: ConnectionId,
  log: Logger,
): Promise<{ payments: number; errors: number }> {
  try {
    const result = await pollConnection(deps, connectionId, { run: randomUUID() });
    if (result.errors > 0) log.warn({ connectionId, ...result }, 'A poll had errors');
    return result;
  } catch (error) {
    log.error({ err: error, connectionId }, 'A poll failed');
    return { payments: 0, errors: 1 };
  }
}

async function bringIn(deps: IngestionDeps, ids: EventId[], log: Logger): Promise<void> {
  const { creditEvents, creditEventsWithProvider } = createIngestionActivities(deps);
  try {
    const { needProvider } = await creditEvents(ids);
    if (needProvider.length > 0) await creditEventsWithProvider(needProvider);
  } catch (error) {
    // They are open, and due again once their lease is over.
    log.error({ err: error, events: ids.length }, 'Events could not be brought in');
  }
}
