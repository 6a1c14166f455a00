import type { Db } from '../../db/connection.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import type { EventId, TenantId } from '../../domain/ids.ts';
import type { IngestCounts } from '../../domain/ingest-counts.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import { countsOf } from './counts.ts';
import { fetchReports, type ReportDeps } from './fetch-reports.ts';
import { type BatchResult, ingestEvents } from './ingest-events.ts';
import type { IngestPolicy } from './ingest-policy.ts';

export type IngestionDeps = ReportDeps & { ingestPolicy: IngestPolicy; metrics: Metrics };

export type IngestResult = {
  counts: IngestCounts;
  /** Events of which the provider has to be asked more, first or once more. */
  needProvider: EventId[];
  /** How long the provider wants to be left alone, if it said so. */
  retryAfterMs: number;
};

export type PendingBatch = { provider: Provider; eventIds: EventId[]; tenantIds: TenantId[] };

/** How many events one sweep takes at a time (specification 8). */
export const SWEEP_BATCH = 200;
/** Longer than the longest wait between two attempts of a run, so that its events stay its own. */
const LEASE_SECONDS = 180;

/** The steps of ingestion (contract 5). Each may run any number of times, also at once. */
export function createIngestionActivities(deps: IngestionDeps) {
  const { db, ingestPolicy, metrics } = deps;
  const record = ({ decided, failures }: BatchResult) => {
    metrics.paymentsIngested('webhook', decided);
    metrics.ingestFailed('webhook', failures.length);
  };
  return {
    /**
     * Credits a batch of stored events. An event that fails is recorded with its next attempt and
     * holds up no other. Those in `needProvider` are leased to the caller. A second run finds the
     * events closed and does nothing.
     */
    async creditEvents(ids: EventId[]): Promise<IngestResult> {
      metrics.batchTaken(ids.length);
      const result = await ingestEvents(db, ids, new Map(), ingestPolicy);
      record(result);
      if (result.ask.length > 0) await webhookEvents.lease(db, result.ask, LEASE_SECONDS);
      return { ...resultOf(result), needProvider: result.ask };
    },

    /**
     * Asks providers for what these events do not say themselves, then credits them. Events of which
     * more may be had by asking again stay in `needProvider`, leased to the caller. A second run
     * asks again only for events that are still open.
     */
    async creditEventsWithProvider(ids: EventId[]): Promise<IngestResult> {
      await webhookEvents.lease(db, ids, LEASE_SECONDS);
      const { resolved, failures, postponed, retryAfterMs } = await fetchReports(deps, ids);
      const credited = await ingestEvents(db, [...resolved.keys()], resolved, ingestPolicy);
      record(credited);
      metrics.ingestFailed('webhook', failures.length + postponed.length);
      const { counts } = resultOf(credited);
      await webhookEvents.recordFailures(db, failures);
      await webhookEvents.recordFailures(db, postponed, LEASE_SECONDS);
      return {
        counts: { ...counts, failed: counts.failed + failures.length },
        needProvider: postponed.map((event) => event.id),
        retryAfterMs,
      };
    },

    /**
     * Takes up to 200 events that no run has in hand, grouped by provider and leased to the caller.
     * Run again before they are done, it takes others.
     */
    async takePendingEvents(): Promise<PendingBatch[]> {
      return takePending(db);
    },
  };
}

/**
 * Takes up to 200 open events that no run has in hand, grouped by provider and leased to the caller
 * for 3 minutes. `quietSeconds` old they are at least: 30 unless it says otherwise.
 */
export async function takePending(
  db: Db,
  age: { quietSeconds?: number } = {},
): Promise<PendingBatch[]> {
  await webhookEvents.assignTenants(db);
  const options = { limit: SWEEP_BATCH, leaseSeconds: LEASE_SECONDS, ...age };
  const pending = await webhookEvents.takePending(db, options);
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

function resultOf({ decided, failures }: BatchResult): IngestResult {
  const counts = { ...countsOf(decided), failed: failures.length };
  return { counts, needProvider: [], retryAfterMs: 0 };
}
