import type { Logger } from '../../gateways/telemetry/logger.ts';

/** Work that nobody waits for. */
export type BackgroundQueue = {
  /** Has the work done as soon as there is room. Never fails, and drops it when too much waits. */
  add(what: string, work: () => Promise<unknown>): void;
  /** How much waits for room. */
  waiting(): number;
  /** Drops what waits and resolves when nothing is under way. */
  close(): Promise<void>;
};

/** In an outage every request leaves something behind: one line says as much as all of them. */
const LOG_EVERY_MS = 1_000;

/**
 * Does work in the order it came, at most `maxInFlight` at a time. What fails, and what is beyond
 * `maxWaiting`, is dropped and logged: right only for work that is found again from what is
 * committed in Postgres.
 */
export function createBackgroundQueue(options: {
  maxInFlight: number;
  maxWaiting: number;
  log: Logger;
}): BackgroundQueue {
  const { maxInFlight, maxWaiting } = options;
  const leave = createReport(options.log);
  const waiting: { what: string; work: () => Promise<unknown> }[] = [];
  const inFlight = new Set<Promise<void>>();
  let isClosed = false;

  const pump = () => {
    while (inFlight.size < maxInFlight) {
      const next = waiting.shift();
      if (next === undefined) return;
      const running = run(next.what, next.work).finally(() => {
        inFlight.delete(running);
        pump();
      });
      inFlight.add(running);
    }
  };

  const run = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      leave(what, error);
    }
  };

  return {
    add(what, work) {
      if (isClosed || waiting.length >= maxWaiting) {
        leave(what, new Error('Too much waits already.'));
        return;
      }
      waiting.push({ what, work });
      pump();
    },
    waiting: () => waiting.length,
    async close() {
      isClosed = true;
      waiting.length = 0;
      await Promise.all(inFlight);
    },
  };
}

function createReport(log: Logger) {
  let unsaid = 0;
  let lastSaidAt = Number.NEGATIVE_INFINITY;
  return (what: string, error: unknown) => {
    if (performance.now() - lastSaidAt < LOG_EVERY_MS) {
      unsaid++;
      return;
    }
    log.warn({ err: error, what, othersSince: unsaid }, 'Background work is left to reconcile');
    unsaid = 0;
    lastSaidAt = performance.now();
  };
}
