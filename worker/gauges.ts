import { lostAnnouncements } from '../db/changes/announce.ts';
import { type Db, poolUse } from '../db/connection.ts';
import {
  readVerificationFigures,
  type VerificationFigures,
} from '../db/ledger/verification/parts.ts';
import { longestWait } from '../db/outgoing/backlog.ts';
import { readServiceMetrics, type ServiceMetrics } from '../db/service-metrics.ts';
import type { LedgerReport } from '../domain/ledger-report.ts';
import { type Metrics, watchAnnouncements, watchPool } from '../gateways/telemetry/metrics.ts';
import { withinMs } from '../gateways/timing.ts';

/** How long a worker caches what it has read from the tables, however often it is scraped. */
const CACHED_FOR_MS = 15_000;
const READ_WITHIN_MS = 4_000;

/**
 * Exposes the state of the service, from the tables and from the verifications that this worker
 * finishes. While Postgres is unreachable, the metrics that come from tables are missing.
 */
export function watchWorker(
  metrics: Metrics,
  db: Db,
): { ledgerVerified(report: LedgerReport): void } {
  watchPool(metrics, () => poolUse(db));
  watchAnnouncements(metrics, () => lostAnnouncements(db));
  watchTables(
    metrics,
    cachedFor(CACHED_FOR_MS, () => readServiceMetrics(db)),
  );
  watchVerifications(
    metrics,
    cachedFor(CACHED_FOR_MS, () => readVerificationFigures(db)),
  );
  watchDeliveries(
    metrics,
    cachedFor(CACHED_FOR_MS, () => longestWait(db)),
  );

  let last: { violations: number; at: number } | undefined;
  metrics.watch({
    name: 'loyalty_ledger_audit_violations',
    help: 'Problems found by the last verification of the ledger, if this worker finished it.',
    read: () => last?.violations,
  });
  metrics.watch({
    name: 'loyalty_ledger_audit_timestamp_seconds',
    help: 'When the last verification of the ledger ended, if this worker finished it.',
    read: () => last?.at,
  });
  return {
    ledgerVerified({ violations }) {
      last = { violations, at: Date.now() / 1000 };
    },
  };
}

type ValueIn = (of: ServiceMetrics) => number | null;
type ReadMetrics = () => Promise<ServiceMetrics | undefined>;

function watchTables(metrics: Metrics, readMetrics: ReadMetrics): void {
  const watch = (name: string, help: string, valueIn: ValueIn) =>
    metrics.watch({
      name,
      help,
      async read() {
        const known = await readMetrics();
        return known && (valueIn(known) ?? undefined);
      },
    });
  watch(
    'loyalty_events_pending',
    'Stored events that are not ingested yet.',
    (of) => of.pendingEvents,
  );
  watch(
    'loyalty_events_poisoned',
    'Pending events that failed five times or more.',
    (of) => of.poisonedEvents,
  );
  watch(
    'loyalty_events_oldest_pending_seconds',
    'Age of the oldest pending event; 0 when there is none.',
    (of) => of.oldestPendingSeconds,
  );
  watch(
    'loyalty_events_given_up',
    'Stored events that could not be ingested for seven days and are no longer swept.',
    (of) => of.givenUpEvents,
  );
  watch(
    'loyalty_points_owed_total',
    'Points that consumers owe, because their sales were refunded after the points were used.',
    (of) => of.pointsOwed,
  );
  watch(
    'loyalty_event_partitions_months_ahead',
    'Coming months for which the tables of events have their partitions.',
    (of) => of.eventMonthsAhead,
  );
  watch(
    'loyalty_maintenance_seconds',
    'Time since the hourly maintenance last ran to its end.',
    (of) => of.maintenanceSeconds,
  );
  watch(
    'loyalty_statements_seconds',
    'Time since all statements that were due were signed and stored.',
    (of) => of.statementsSeconds,
  );
  metrics.watch({
    name: 'loyalty_backup_age_seconds',
    help: 'Time since the log was shipped, a copy was made, and both were restored and verified.',
    label: 'kind',
    read: async () => (await readMetrics())?.backupSeconds ?? undefined,
  });
  metrics.watch({
    name: 'loyalty_connections_active',
    help: 'Connected merchant accounts.',
    label: 'provider',
    read: async () => (await readMetrics())?.activeConnections,
  });
  metrics.watch({
    name: 'loyalty_connections_reconnect',
    help: 'Connected merchant accounts that have to be connected again.',
    label: 'provider',
    read: async () => (await readMetrics())?.reconnects,
  });
  metrics.watch({
    name: 'loyalty_due_work_overdue_seconds',
    help: 'How long the longest due work has been due; 0 when there is none.',
    label: 'kind',
    read: async () => (await readMetrics())?.overdueWork,
  });
}

function watchDeliveries(metrics: Metrics, readWait: () => Promise<number | undefined>): void {
  metrics.watch({
    name: 'loyalty_webhook_wait_seconds',
    help: 'How long an event has waited for an attempt, at an endpoint that answers.',
    read: readWait,
  });
}

type ReadFigures = () => Promise<VerificationFigures | undefined>;

function watchVerifications(metrics: Metrics, readFigures: ReadFigures): void {
  metrics.watch({
    name: 'loyalty_ledger_verified_share',
    help: 'Share of the ledger that was verified from the first entry on in the last 31 days.',
    read: async () => (await readFigures())?.verifiedShare,
  });
  metrics.watch({
    name: 'loyalty_ledger_oldest_part_seconds',
    help: 'Time since the oldest part of the ledger was verified from the first entry on.',
    read: async () => (await readFigures())?.oldestPartSeconds ?? undefined,
  });
  metrics.watch({
    name: 'loyalty_ledger_movement_seconds',
    help: 'Time since what moved in the ledger was verified.',
    read: async () => (await readFigures())?.movementSeconds ?? undefined,
  });
}

/** Caches the result of `read` for `ms`; undefined when it fails or takes too long. */
function cachedFor<T>(ms: number, read: () => Promise<T>): () => Promise<T | undefined> {
  let cached: { value: Promise<T | undefined>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (cached === undefined || now >= cached.until) {
      const value = withinMs(read(), READ_WITHIN_MS).catch(() => undefined);
      cached = { value, until: now + ms };
    }
    return cached.value;
  };
}
