import { Counter, type Registry } from 'prom-client';

/** What streams tell of, and the names of their events. */
const EVENTS = {
  consumer: ['wallet', 'redemption', 'reset'],
  shop: ['redemption', 'reset'],
} as const;

/** Streams that tell of the same: a person's own, or a shop's. */
export type FeedName = keyof typeof EVENTS;

const STREAM_ENDS = [
  'client_left',
  'token_expired',
  'access_lost',
  'slow_reader',
  'draining',
] as const;

/** Why a stream has ended. */
export type StreamEnd = (typeof STREAM_ENDS)[number];

export type StreamMetrics = {
  /** Counts an event that was sent to one stream. */
  streamEventSent(feed: FeedName, event: string): void;
  /** Counts a stream that has ended. */
  streamEnded(feed: FeedName, reason: StreamEnd): void;
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
  // Start at 0, because Prometheus computes a rate only from an earlier value.
  for (const feed of ['consumer', 'shop'] as const) {
    for (const event of EVENTS[feed]) sent.inc({ feed, event }, 0);
    for (const reason of STREAM_ENDS) ended.inc({ feed, reason }, 0);
  }
  return {
    streamEventSent: (feed, event) => sent.inc({ feed, event }),
    streamEnded: (feed, reason) => ended.inc({ feed, reason }),
    listenerLost: () => lost.inc(),
  };
}
