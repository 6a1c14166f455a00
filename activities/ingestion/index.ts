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
  /** Events that need an answer from their provider, for the first time or again. */
  needProvider: EventId[];
  /** How long the provider asked us to wait; 0 when it did not say. */
  retryAfterMs: number;
};

export type PendingBatch = { provider: Provider; eventIds: EventId[]; tenantIds: TenantId[] };

/** How many events one sweep takes at most, so that one run stays short. */
export const SWEEP_BATCH = 200;
/**
 * Longer than the longest wait between two attempts of a run, so that no sweep takes its events.
 */
const LEASE_SECONDS = 180;

/** The steps of ingestion. Each may run any number of times, also at once. */
export function createIngestionActivities(deps: IngestionDeps) {
  const { db, ingestPolicy, metrics } = deps;
  const record = ({ decided, failures }: BatchResult) => {
    metrics.paymentsIngested('webhook', decided);
    metrics.ingestFailed('webhook', failures.length);
  };
  return {
    /**
     * Ingests a batch of stored events. A failed event is recorded with its next attempt and does
     * not stop the others. Events in `needProvider` are leased to the caller. A second call finds
     * the events closed and does nothing.
     */
    async creditEvents(ids: EventId[]): Promise<IngestResult> {
      metrics.batchTaken(ids.length);
      const result = await ingestEvents(db, ids, new Map(), ingestPolicy);
      record(result);
      if (result.ask.length > 0) await webhookEvents.lease(db, result.ask, LEASE_SECONDS);
      return { ...resultOf(result), needProvider: result.ask };
    },

    /**
     * Fetches from providers what these events do not carry themselves, then ingests them. Events
     * that may succeed on another attempt stay in `needProvider`, leased to the caller. A second
     * call fetches only for events that are still open.
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
     * Leases up to 200 pending events that no run works on to the caller, grouped by provider. A
     * second call before they are done leases others.
     */
    async takePendingEvents(): Promise<PendingBatch[]> {
      return takePending(db);
    },
  };
}

/**
 * Leases up to 200 open events that no run works on to the caller for 3 minutes, grouped by
 * provider. They are at least `quietSeconds` old, 30 by default, which leaves new ones to their
 * run.
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
