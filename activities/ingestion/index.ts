import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import type { Db } from '../../db/connection.ts';
import * as dueEvents from '../../db/events/due-events.ts';
import * as leases from '../../db/events/leases.ts';
import { assignTenants } from '../../db/events/unclaimed-events.ts';
import * as waiting from '../../db/events/waiting.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import type { EventId, TenantId } from '../../domain/ids.ts';
import { countsOf } from '../../domain/ingest-counts.ts';
import type { Provider } from '../../domain/payment.ts';
import { limitedTo } from '../../gateways/timing.ts';
import { inBatches } from '../concurrency.ts';
import { probeDue } from '../connections/availability.ts';
import { continues } from '../progress.ts';
import { TooSoon } from '../too-soon.ts';
import { ingestEvents } from './events/ingest-events.ts';
import {
  type IngestionDeps,
  type IngestResult,
  ingestWithProvider,
} from './events/with-provider.ts';

export type { IngestionDeps, IngestResult } from './events/with-provider.ts';

export type PendingBatch = { provider: Provider; eventIds: EventId[]; tenantIds: TenantId[] };

/** How many events the cron route ingests at most, so that it answers soon. */
export const CRON_BATCH = 200;
/** How many events a sweep takes at a time: as many as a run of new ones ingests at most. */
const SWEEP_BATCH = 500;
/** How many rows one statement of the preparation changes, and how many statements it runs. */
const PREPARATION = { batch: 1_000, most: 5 };
/** How many waiting events one statement makes due, and for how long one activity goes on. */
const RELEASE = { batch: 1_000, forMs: 5_000 };
/** How many connections for which events wait one statement compares. */
const COMPARED = 1_000;
/** How long one sweep probes: it does not wait for a provider that hangs. */
const PROBE_WITHIN_MS = 15_000;
const HEARTBEAT_MS = 5_000;
/** Longer than a batch holds its events, as a rule. */
const LOCKED_WAIT_MS = 500;

/** The steps of ingestion. Each may run any number of times, also at once. */
export function createIngestionActivities(deps: IngestionDeps) {
  const { db, ingestPolicy, metrics } = deps;
  return {
    /**
     * Ingests a batch of stored events. A failed event is recorded with its next attempt and does
     * not stop the others; one whose wallet is held is left to the sweep. Events in `needProvider`
     * are leased to the caller. A second call finds the events closed and does nothing; it throws
     * `TooSoon` while another, such as the attempt before, is still at some of them.
     */
    async ingestEvents(ids: EventId[]): Promise<IngestResult> {
      metrics.batchTaken(ids.length);
      const done = await ingestEvents(db, ids, new Map(), ingestPolicy);
      const { decided, ask, failures, held, skipped } = done;
      metrics.paymentsIngested('webhook', decided);
      metrics.ingestFailed('webhook', failures.length);
      if (ask.length > 0) await leases.handOver(db, ask);
      if (skipped.length > 0 && (await webhookEvents.isAnyOpen(db, skipped))) {
        throw new TooSoon('Another attempt is still at some of these events.', LOCKED_WAIT_MS);
      }
      const counts = { ...countsOf(decided), failed: failures.length + held.length };
      return { counts, needProvider: ask, retryAfterMs: 0 };
    },

    /**
     * Ingests events whose provider has to be asked, for 45 seconds at most, as
     * `ingestWithProvider` says. Cancelled, it frees what is left.
     */
    async ingestEventsWithProvider(ids: EventId[]): Promise<IngestResult> {
      const { workflowExecution, activityId } = activityInfo();
      const run = workflowExecution?.runId ?? activityId;
      return ingestWithProvider(deps, ids, { run, heartbeat, signal: cancellationSignal() });
    },

    /**
     * Compares what waits with the connections, so that the next sweep makes due what no change
     * has told of. Returns for how many connections. A second call adds none that is still listed.
     */
    async compareWaitingEvents(): Promise<number> {
      return compareWaiting(db);
    },

    /**
     * Probes connections whose provider was away, for 15 seconds at most, and makes due what waits
     * for those that answer. Returns how many answered. A second call probes only those that are
     * due again.
     */
    async probeAwayConnections(): Promise<number> {
      const keeping = setInterval(heartbeat, HEARTBEAT_MS);
      try {
        return await probeAway(deps, cancellationSignal());
      } finally {
        clearInterval(keeping);
      }
    },

    /**
     * Leases up to 500 due events that no run works on to the caller, grouped by provider. A
     * second call before they are done leases others.
     */
    async takePendingEvents(): Promise<PendingBatch[]> {
      return batchesOf(await dueEvents.takePending(db, { limit: SWEEP_BATCH }));
    },
  };
}

/**
 * Prepares a sweep: assigns events of unknown merchants to the tenants that have connected since,
 * and makes those due whose connection works again. Returns how many became due. A second call
 * finds nothing to do.
 */
export async function prepareSweep(db: Db): Promise<number> {
  await inBatches(PREPARATION, (batch) => assignTenants(db, batch));
  return releaseParked(db);
}

/** What `probeAwayConnections` does, also without Temporal. */
export async function probeAway(deps: IngestionDeps, signal?: AbortSignal): Promise<number> {
  const answered = await probeDue(deps, limitedTo(PROBE_WITHIN_MS, signal));
  if (answered > 0) await releaseParked(deps.db);
  return answered;
}

/**
 * Takes what the cron route ingests, at most 200: due events, however young, and then those that
 * back off by their own fault, oldest first. What waits for a connection is left.
 */
export async function takeForCron(db: Db): Promise<PendingBatch[]> {
  const due = await dueEvents.takePending(db, { limit: CRON_BATCH, quietSeconds: 0 });
  const backingOff = await dueEvents.takeBackingOff(db, CRON_BATCH - due.length);
  return batchesOf([...due, ...backingOff]);
}

async function compareWaiting(db: Db): Promise<number> {
  let added = 0;
  let after: Awaited<ReturnType<typeof waiting.addMissingChecks>>['last'] = null;
  do {
    continues();
    const page = await waiting.addMissingChecks(db, { after, limit: COMPARED });
    added += page.added;
    after = page.last;
  } while (after !== null);
  return added;
}

/** Makes due what waits for connections that work again; what is left is the next one's. */
async function releaseParked(db: Db): Promise<number> {
  const until = performance.now() + RELEASE.forMs;
  let total = 0;
  for (;;) {
    continues();
    const { released, isDone } = await waiting.releaseParked(db, RELEASE.batch);
    total += released;
    if (isDone || performance.now() > until) return total;
  }
}

function batchesOf(pending: readonly dueEvents.PendingEvent[]): PendingBatch[] {
  const providers = [...new Set(pending.map((event) => event.provider))];
  return providers.map((provider) => {
    const events = pending.filter((event) => event.provider === provider);
    return {
      provider,
      eventIds: events.map((event) => event.id),
      tenantIds: [...new Set(events.map((event) => event.tenantId))],
    };
  });
}
