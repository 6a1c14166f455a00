import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../activities/concurrency.ts';
import { createIngestPolicy } from '../activities/ingestion/decide/ingest-policy.ts';
import { ingestWithProvider } from '../activities/ingestion/events/with-provider.ts';
import {
  CRON_BATCH,
  createIngestionActivities,
  type IngestionDeps,
  type IngestResult,
  prepareSweep,
  probeAway,
  takeForCron,
} from '../activities/ingestion/index.ts';
import { pollConnection } from '../activities/polling/poll-connection.ts';
import { TooSoon } from '../activities/too-soon.ts';
import * as pollPositions from '../db/connections/poll-positions.ts';
import * as webhookEvents from '../db/events/webhook-events.ts';
import type { ConnectionId, EventId } from '../domain/ids.ts';
import type { PolledProvider } from '../domain/payment.ts';
import type { RefundPolicy } from '../domain/refund.ts';
import type { Key } from '../gateways/crypto/sealer.ts';
import type { Logger } from '../gateways/telemetry/logger.ts';

type PollCounts = { connectionsScanned: number; paymentsProcessed: number; errors: number };
type SweepCounts = { scanned: number; succeeded: number; failed: number; limit: number };

/** The work of the cron endpoints, done in this process, so that it needs no Temporal. */
export type CronJobs = {
  /** Polls every active connection to a provider. One that fails is counted and stops no other. */
  poll(provider: PolledProvider): Promise<PollCounts>;
  /**
   * Ingests up to 200 open events of the last 7 days, once: due ones first, then those that back
   * off by their own fault. Those that wait for a connection are left, unless it works again.
   */
  processPending(): Promise<SweepCounts>;
};

/** More at a time would take database connections from the requests being served. */
const POLLS_AT_ONCE = 4;
const CONNECTIONS_PER_READ = 500;
/** How often events are taken up that another run is at. */
const MOST_ATTEMPTS = 4;

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
    async poll(provider) {
      const counts = { connectionsScanned: 0, paymentsProcessed: 0, errors: 0 };
      const poll = async (id: ConnectionId) => {
        counts.connectionsScanned += 1;
        const { payments, errors } = await pollOne(deps, id, log);
        counts.paymentsProcessed += payments;
        counts.errors += errors;
      };
      for (let after: ConnectionId | null = null; ; ) {
        const page = { after, limit: CONNECTIONS_PER_READ };
        const connections = await pollPositions.listPolled(deps.db, page, [provider]);
        await inParallel(connections, POLLS_AT_ONCE, ({ id }) => poll(id));
        after = connections.at(-1)?.id ?? null;
        if (after === null) break;
      }
      log.info({ event: 'cron_polled', provider, ...counts }, `Cron polled ${provider}`);
      return counts;
    },

    async processPending() {
      // With Temporal away nobody else does this.
      await probeAway(deps);
      await prepareSweep(deps.db);
      const groups = await takeForCron(deps.db);
      await Promise.all(groups.map(({ eventIds }) => ingest(deps, eventIds, log)));
      const ids = groups.flatMap(({ eventIds }) => eventIds);
      const failed = await webhookEvents.countOpen(deps.db, ids);
      const scanned = ids.length;
      const counts = { scanned, succeeded: scanned - failed, failed, limit: CRON_BATCH };
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

async function ingest(deps: IngestionDeps, ids: EventId[], log: Logger): Promise<void> {
  try {
    const { needProvider } = await ingestStored(deps, ids);
    if (needProvider.length === 0) return;
    await ingestWithProvider(deps, needProvider, { run: randomUUID(), isRepeated: false });
  } catch (error) {
    // They stay open, and are due again once their lease has expired.
    log.error(
      { event: 'ingest_failed', err: error, events: ids.length },
      'Events were not ingested; they are due again when their lease ends',
    );
  }
}

/** The run of events that have just arrived may be at some of them at this moment. */
async function ingestStored(deps: IngestionDeps, ids: EventId[]): Promise<IngestResult> {
  const { ingestEvents } = createIngestionActivities(deps);
  for (let attempt = 1; ; attempt++) {
    try {
      return await ingestEvents(ids);
    } catch (error) {
      if (!(error instanceof TooSoon) || attempt === MOST_ATTEMPTS) throw error;
      await sleep(error.waitMs);
    }
  }
}
