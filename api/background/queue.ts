import type { Logger } from '../../gateways/telemetry/logger.ts';
import { createThrottledWarning } from './throttled-warning.ts';

/** Work after the reply to a request, which no client waits for. */
export type BackgroundQueue = {
  /** Runs the work when there is room. Never throws; drops the work when the queue is full. */
  add(what: string, work: () => Promise<unknown>): void;
  /** How many tasks wait for room. */
  waiting(): number;
  /** Drops waiting tasks and resolves when no task is running. */
  close(): Promise<void>;
};

/**
 * Runs tasks in the order they were added, at most `maxInFlight` at a time. Tasks that fail, and
 * tasks beyond `maxWaiting`, are logged and dropped: only for work that can be lost, or that a
 * Schedule finds again from what is committed in Postgres.
 */
export function createBackgroundQueue(options: {
  maxInFlight: number;
  maxWaiting: number;
  log: Logger;
}): BackgroundQueue {
  const { maxInFlight, maxWaiting } = options;
  const warn = createThrottledWarning(options.log, 'Background work was dropped');
  const reportDropped = (what: string, err: unknown) =>
    warn({ event: 'background_work_dropped', err, what });
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
      reportDropped(what, error);
    }
  };

  return {
    add(what, work) {
      if (isClosed || waiting.length >= maxWaiting) {
        reportDropped(what, new Error('The queue is full or closed.'));
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
