import { type Db, poolUse } from '../db/connection.ts';
import { readServiceMetrics, type ServiceMetrics } from '../db/service-metrics.ts';
import type { LedgerReport } from '../domain/ledger-report.ts';
import { type Metrics, watchPool } from '../gateways/telemetry/metrics.ts';
import { withinMs } from '../gateways/timing.ts';

/** However often it is scraped, a worker reads the tables no more often. */
const FIGURES_KEPT_MS = 15_000;
const READ_WITHIN_MS = 4_000;

/**
 * Tells how the service stands, from the tables and from the audits that this worker concludes.
 * While Postgres cannot be asked, what the tables would say is left out.
 */
export function watchWorker(
  metrics: Metrics,
  db: Db,
): { ledgerVerified(report: LedgerReport): void } {
  watchPool(metrics, () => poolUse(db));
  watchFigures(
    metrics,
    keptFor(FIGURES_KEPT_MS, () => readServiceMetrics(db)),
  );

  let last: { violations: number; at: number } | undefined;
  metrics.watch({
    name: 'loyalty_ledger_audit_violations',
    help: 'Problems that the last audit of the ledger found, if this worker concluded it.',
    read: () => last?.violations,
  });
  metrics.watch({
    name: 'loyalty_ledger_audit_timestamp_seconds',
    help: 'When the last audit of the ledger ended, if this worker concluded it.',
    read: () => last?.at,
  });
  return {
    ledgerVerified({ violations }) {
      last = { violations, at: Date.now() / 1000 };
    },
  };
}

type Figures = () => Promise<ServiceMetrics | undefined>;

function watchFigures(metrics: Metrics, figures: Figures): void {
  const watch = (name: string, help: string, figure: (of: ServiceMetrics) => number) =>
    metrics.watch({
      name,
      help,
      async read() {
        const known = await figures();
        return known && figure(known);
      },
    });
  watch(
    'loyalty_events_pending',
    'Stored events that wait to be brought in.',
    (of) => of.pendingEvents,
  );
  watch(
    'loyalty_events_poisoned',
    'Pending events that failed five times or more.',
    (of) => of.poisonedEvents,
  );
  watch(
    'loyalty_events_oldest_pending_seconds',
    'How long the oldest pending event waits; 0 when none does.',
    (of) => of.oldestPendingSeconds,
  );
  watch(
    'loyalty_events_given_up',
    'Stored events that could not be brought in for seven days, and are swept no more.',
    (of) => of.givenUpEvents,
  );
  metrics.watch({
    name: 'loyalty_connections_active',
    help: 'Merchants’ accounts that are connected.',
    label: 'provider',
    read: async () => (await figures())?.activeConnections,
  });
  metrics.watch({
    name: 'loyalty_connections_reconnect',
    help: 'Connected accounts whose merchant has to connect again.',
    label: 'provider',
    read: async () => (await figures())?.reconnects,
  });
}

/** What `read` answers, kept for so long; undefined when it fails or takes too long. */
function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T | undefined> {
  let kept: { value: Promise<T | undefined>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (kept === undefined || now >= kept.until) {
      const value = withinMs(read(), READ_WITHIN_MS).catch(() => undefined);
      kept = { value, until: now + ms };
    }
    return kept.value;
  };
}
