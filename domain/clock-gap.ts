import { CLOCK_SKEW_SECONDS } from './token-grant.ts';

/** When another clock was asked by ours, what it said, and how exactly it says it. */
export type ClockReading = { askedAt: Date; answeredAt: Date; theirs: Date; precisionMs?: number };

/**
 * Returns by how many seconds two clocks are apart at least: nobody knows how long the question was
 * on its way, and how long the answer.
 */
export function secondsApart({ askedAt, answeredAt, theirs, precisionMs = 0 }: ClockReading) {
  const ahead = askedAt.getTime() - (theirs.getTime() + precisionMs);
  const behind = theirs.getTime() - answeredAt.getTime();
  return Math.max(ahead, behind, 0) / 1000;
}

/** Whether clocks that far apart agree well enough for the times in tokens. */
export function doClocksAgree(apartSeconds: number): boolean {
  return apartSeconds <= CLOCK_SKEW_SECONDS;
}
