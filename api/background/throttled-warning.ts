import type { Logger } from '../../gateways/telemetry/logger.ts';

/** In an outage every request fails alike: one log line per second says as much as all. */
const LOG_EVERY_MS = 1_000;

/**
 * Returns a function that warns at most once a second, and says in `othersSince` how many warnings
 * it has left out before.
 */
export function createThrottledWarning(log: Logger, message: string): (fields: object) => void {
  let unlogged = 0;
  let lastLoggedAt = Number.NEGATIVE_INFINITY;
  return (fields) => {
    if (performance.now() - lastLoggedAt < LOG_EVERY_MS) {
      unlogged++;
      return;
    }
    log.warn({ ...fields, othersSince: unlogged }, message);
    unlogged = 0;
    lastLoggedAt = performance.now();
  };
}
