import { Counter, type Registry } from 'prom-client';

export type StreamMetrics = {
  /** Counts an event that was sent to one stream. */
  streamEventSent(feed: string, event: string): void;
  /** Counts a stream that has ended, by the reason. */
  streamEnded(feed: string, reason: string): void;
  /** Counts a session of the listener that was lost, or could not be opened. */
  listenerLost(): void;
};

/** Creates the metrics of the streams of events that applications keep open. */
export function createStreamMetrics(registry: Registry): StreamMetrics {
  const registers = [registry];
  const sent = new Counter({
    name: 'loyalty_stream_events_total',
    help: 'Events sent to open streams, one for each stream.',
    labelNames: ['feed', 'event'],
    registers,
  });
  const ended = new Counter({
    name: 'loyalty_streams_ended_total',
    help: 'Streams that have ended, by the reason.',
    labelNames: ['feed', 'reason'],
    registers,
  });
  const lost = new Counter({
    name: 'loyalty_change_listener_losses_total',
    help: 'Sessions for LISTEN that were lost, or could not be opened. Each is opened again.',
    registers,
  });
  return {
    streamEventSent: (feed, event) => sent.inc({ feed, event }),
    streamEnded: (feed, reason) => ended.inc({ feed, reason }),
    listenerLost: () => lost.inc(),
  };
}
