import { type Db, poolUse } from '../../db/connection.ts';
import { type Metrics, watchPool } from '../../gateways/telemetry/metrics.ts';
import type { IngestDispatcher } from '../intake/ingest-dispatcher.ts';

/** Exposes what waits in the API's process: events, background work, and queries for Postgres. */
export function watchApi(
  metrics: Metrics,
  of: {
    db: Db;
    dispatcher: Pick<IngestDispatcher, 'waiting'>;
    orchestrator: { waiting(): number };
    revocations: { waiting(): number };
  },
): void {
  watchPool(metrics, () => poolUse(of.db));
  metrics.watch({
    name: 'loyalty_hand_over_events',
    help: 'Stored events that wait for a run. Beyond 20,000 they are left to the sweep.',
    read: () => of.dispatcher.waiting(),
  });
  metrics.watch({
    name: 'loyalty_background_tasks',
    help: 'Background tasks that wait after their request was answered.',
    label: 'queue',
    read: () => ({
      orchestrator: of.orchestrator.waiting(),
      revocations: of.revocations.waiting(),
    }),
  });
}
