import { type ChangeListener, listenForChanges } from '../../db/changes/listener.ts';
import type { DatabasePlace } from '../../domain/installation.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import type { StreamMetrics } from '../../gateways/telemetry/metrics-streams.ts';
import type { Streams } from './streams.ts';

/**
 * Has the streams of this process read what is announced, in one session with the database. When it
 * was opened again, all of them read: what was announced meanwhile was not heard.
 */
export function followChanges({
  at,
  streams,
  metrics,
  log,
}: {
  at: DatabasePlace;
  streams: Pick<Streams, 'touch' | 'touchAll'>;
  metrics: Pick<StreamMetrics, 'listenerLost'>;
  log: Logger;
}): ChangeListener {
  return listenForChanges({
    at,
    onChanged: (changed) => streams.touch(changed),
    onConnected() {
      log.info({ event: 'changes_listening' }, 'Listening for changes');
      streams.touchAll();
    },
    onLost(err) {
      metrics.listenerLost();
      log.warn(
        { event: 'changes_not_heard', err },
        'Changes are not heard; open streams are read every 30 seconds until they are again',
      );
    },
  });
}
