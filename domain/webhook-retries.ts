const MINUTE = 60;
const HOUR = 3_600;

/** How long a delivery waits after each failed attempt, in seconds; then it has failed. */
const WAITS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** How many attempts of an endpoint in a row have to fail until it gets one at a time. */
export const FAILING_FROM = 3;

/** An endpoint that got nothing for so long, while a delivery has failed, is disabled. */
export const SILENT_DAYS = 5;

/**
 * Returns how many seconds a delivery waits after its attempt number `step` (from 0) failed; null
 * when that was the last one.
 */
export function secondsUntilNext(step: number): number | null {
  return WAITS[step] ?? null;
}
