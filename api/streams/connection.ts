import type { ServerResponse } from 'node:http';
import type { StreamEnd } from '../../gateways/telemetry/metrics-streams.ts';
import type { StreamEvent } from './telling.ts';

/**
 * What a process keeps of a stream for a client that does not read, beyond what the operating
 * system takes. It is more than one reading of changes: a client that is so far behind resumes.
 */
const MAX_UNSENT_BYTES = 128 * 1024;

/** The body of a response that goes on, as Server-Sent Events. */
export type Connection = {
  send(events: readonly StreamEvent[]): void;
  /** Sends an id without an event, so that the client resumes from there, if it knows how. */
  keepAlive(id: string): void;
  /** Begins to write to the response, whose headers are set, with all that was sent so far. */
  attach(response: ServerResponse): void;
  /** Ends the response. Ending it again changes nothing. */
  end(reason: StreamEnd): void;
  /** When it last wrote something, as `performance.now` tells. */
  lastWriteAt(): number;
  /** How many events it has sent. */
  sent(): number;
  /** How many bytes are kept for a client that has not read them yet. */
  unsentBytes(): number;
};

/**
 * Creates the connection of a stream. A client that reads too slowly is cut off, so that its events
 * are not kept for it; it can resume. `onEnd` is called once, however the stream ends.
 */
export function createConnection(options: {
  /** How long a client should wait before it connects again. */
  retryMs: number;
  onEnd(reason: StreamEnd): void;
}): Connection {
  let response: ServerResponse | undefined;
  let unattached = `retry: ${options.retryMs}\n\n`;
  let lastWriteAt = performance.now();
  let sent = 0;
  let isEnded = false;

  const end = (reason: StreamEnd) => {
    if (isEnded) return;
    isEnded = true;
    if (reason === 'slow_reader') response?.destroy();
    else response?.end();
    options.onEnd(reason);
  };

  const unsentBytes = () => response?.writableLength ?? unattached.length;

  const write = (text: string) => {
    if (isEnded) return;
    lastWriteAt = performance.now();
    if (response === undefined) unattached += text;
    else response.write(text);
    if (unsentBytes() > MAX_UNSENT_BYTES) end('slow_reader');
  };

  return {
    send(events) {
      sent += events.length;
      write(events.map(textOf).join(''));
    },
    keepAlive: (id) => write(`: keep-alive\nid: ${id}\n\n`),
    attach(to) {
      response = to;
      // A write to a client that has just left fails, which its `close` tells already.
      response.on('error', () => undefined);
      response.once('close', () => end('client_left'));
      if (response.closed || response.destroyed) return end('client_left');
      if (isEnded) {
        response.end();
        return;
      }
      response.flushHeaders();
      write(unattached);
      unattached = '';
    },
    end,
    lastWriteAt: () => lastWriteAt,
    sent: () => sent,
    unsentBytes,
  };
}

/** The data is JSON on one line. */
function textOf({ id, event, data }: StreamEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}
