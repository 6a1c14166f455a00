import { lostAnnouncements } from '../../db/changes/announce.ts';
import type { ChangeListener } from '../../db/changes/listener.ts';
import { type Db, poolUse } from '../../db/connection.ts';
import { type Metrics, watchAnnouncements, watchPool } from '../../gateways/telemetry/metrics.ts';
import type { IngestDispatcher } from '../intake/ingest-dispatcher.ts';
import type { Streams } from '../streams/streams.ts';

/** Exposes what waits in the API's process: events, background work, and queries for Postgres. */
export function watchApi(
  metrics: Metrics,
  of: {
    db: Db;
    dispatcher: Pick<IngestDispatcher, 'waiting'>;
    orchestrator: { waiting(): number };
    streams: Pick<Streams, 'counts'>;
    listener: Pick<ChangeListener, 'isConnected'>;
  },
): void {
  watchPool(metrics, () => poolUse(of.db));
  metrics.watch({
    name: 'loyalty_hand_over_events',
    help: 'Stored events that wait for a run. Beyond 20,000 they are left to the sweep.',
    read: () => of.dispatcher.waiting(),
  });
  watchAnnouncements(metrics, () => lostAnnouncements(of.db));
  metrics.watch({
    name: 'loyalty_streams_open',
    help: 'Open streams of events, by what they tell of.',
    label: 'feed',
    read: () => of.streams.counts(),
  });
  metrics.watch({
    name: 'loyalty_change_listener_connected',
    help: 'Whether the process hears what is announced to its streams: 1 or 0.',
    read: () => Number(of.listener.isConnected()),
  });
  metrics.watch({
    name: 'loyalty_background_tasks',
    help: 'Background tasks that wait after their request was answered.',
    label: 'queue',
    read: () => ({ orchestrator: of.orchestrator.waiting() }),
  });
}
