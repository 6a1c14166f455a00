import { setTimeout as sleep } from 'node:timers/promises';
import { machineMs } from '../clock.ts';
import { type HttpConnection, openConnection } from '../http-connection.ts';

/** A request that was answered; `status` 0 means that it was not. */
export type Seen = { kind: string; nth: number; phase: string; ms: number; status: number };

export type Side = {
  kind: string;
  /** Between a reply and the next request. */
  pauseMs: number;
  request(nth: number): Buffer;
};

export type Traffic = {
  seen: readonly Seen[];
  /** Where requests go from now on: to each of these ports in turn. */
  route(ports: readonly number[]): void;
  /** Names what the requests that are sent from now on fall into. */
  enter(phase: string): void;
  stop(): Promise<void>;
};

const TIMEOUT_MS = 30_000;

/**
 * Sends requests steadily until it is stopped: each side sends its next one a moment after the
 * reply to the one before.
 */
export function startTraffic(sides: readonly Side[]): Traffic {
  const seen: Seen[] = [];
  const state = { ports: [] as readonly number[], phase: '', isOver: false };
  const running = sides.map(async (side) => {
    const open = new Map<number, HttpConnection>();
    for (let nth = 0; !state.isOver; nth++, await sleep(side.pauseMs)) {
      const port = state.ports[nth % state.ports.length];
      if (port === undefined) continue;
      const { phase } = state;
      const sentAt = machineMs();
      const status = await send(open, port, side.request(nth));
      seen.push({ kind: side.kind, nth, phase, ms: machineMs() - sentAt, status });
    }
    for (const connection of open.values()) connection.close();
  });
  return {
    seen,
    route(ports) {
      state.ports = ports;
    },
    enter(phase) {
      state.phase = phase;
    },
    async stop() {
      state.isOver = true;
      await Promise.all(running);
    },
  };
}

/** Returns the status of the reply, or 0 without one; then the connection is opened again. */
async function send(
  open: Map<number, HttpConnection>,
  port: number,
  request: Buffer,
): Promise<number> {
  const timeout = new AbortController();
  try {
    const connection = open.get(port) ?? (await openConnection(port));
    open.set(port, connection);
    return await Promise.race([
      connection.send(request),
      sleep(TIMEOUT_MS, 0, { signal: timeout.signal }),
    ]);
  } catch {
    open.get(port)?.close();
    open.delete(port);
    return 0;
  } finally {
    timeout.abort();
  }
}
