import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { inParallel } from '../../activities/concurrency.ts';
import {
  createIngestionActivities,
  type IngestionDeps,
  SWEEP_BATCH,
  takePending,
} from '../../activities/ingestion/index.ts';
import { createIngestPolicy } from '../../activities/ingestion/ingest-policy.ts';
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
    'Ingests the payments since each account was last polled, at most 25 pages of 100 per ' +
    'account. An account that is already being polled counts as scanned. A failure is counted in ' +
    '`errors` and stops no other account.',
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
  summary: 'Ingest pending webhook events',
  description:
    'Takes up to 200 unprocessed events of the last 7 days. A failed event keeps its error and ' +
    'is tried again later, after a longer wait each time it fails.',
  response: SweepCounts.extend({ ok: z.literal(true) }),
  examples: { response: { ok: true, scanned: 3, succeeded: 2, failed: 1, limit: SWEEP_BATCH } },

  async handle({ cron: jobs }) {
    return { ok: true, ...(await jobs.processPending()) };
  },
});

/** The work of the cron endpoints, done in this process, so that it needs no Temporal. */
export type CronJobs = {
  /** Polls every active alpha connection. One that fails is counted and stops no other. */
  pollAlpha(): Promise<z.infer<typeof PollCounts>>;
  /** Ingests up to 200 open events of the last 7 days, without a retry at a provider. */
  processPending(): Promise<z.infer<typeof SweepCounts>>;
};

/** More at a time would take the database away from requests. */
const POLLS_AT_ONCE = 4;
const CONNECTIONS_PER_READ = 500;

/** Creates the jobs from the functions that the worker runs; leases keep the two apart. */
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
      log.info({ event: 'cron_polled_alpha', ...counts }, 'Cron polled alpha');
      return counts;
    },

    async processPending() {
      const groups = await takePending(deps.db, { quietSeconds: 0 });
      await Promise.all(groups.map(({ eventIds }) => bringIn(deps, eventIds, log)));
      const ids = groups.flatMap(({ eventIds }) => eventIds);
      const failed = await webhookEvents.countOpen(deps.db, ids);
      const scanned = ids.length;
      const counts = { scanned, succeeded: scanned - failed, failed, limit: SWEEP_BATCH };
      log.info({ event: 'cron_swept_events', ...counts }, 'Cron ingested pending webhook events');
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
    if (result.errors > 0) {
      log.warn({ event: 'poll_had_errors', connectionId, ...result }, 'A poll had errors');
    }
    return result;
  } catch (error) {
    log.error(
      { event: 'poll_failed', err: error, connectionId },
      'A poll failed; the next one tries again',
    );
    return { payments: 0, errors: 1 };
  }
}

async function bringIn(deps: IngestionDeps, ids: EventId[], log: Logger): Promise<void> {
  const { creditEvents, creditEventsWithProvider } = createIngestionActivities(deps);
  try {
    const { needProvider } = await creditEvents(ids);
    if (needProvider.length > 0) await creditEventsWithProvider(needProvider);
  } catch (error) {
    // They stay open, and are due again when their lease ends.
    log.error(
      { event: 'ingest_failed', err: error, events: ids.length },
      'Events were not ingested; they are due again when their lease ends',
    );
  }
}
