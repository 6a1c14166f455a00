import { keysOf } from './keys-of.ts';
import { EVENT_OUTCOMES, type EventOutcome, OUTCOMES } from './outcomes.ts';

/**
 * How often each outcome occurred in several events, the points that were credited in all, and how
 * many events failed. Counts only, because workflow histories keep them.
 */
export type IngestCounts = Record<EventOutcome | 'points' | 'failed', number>;

export const NO_COUNTS: IngestCounts = {
  credited: 0,
  points: 0,
  stored_anonymous: 0,
  duplicate: 0,
  refund_reversed: 0,
  no_rule_no_credit: 0,
  ignored: 0,
  failed: 0,
};

/** Counts outcomes, and the points that were credited. */
export function countsOf(
  decided: readonly { outcome: EventOutcome; points: number }[],
): IngestCounts {
  const counts = { ...NO_COUNTS };
  for (const { outcome, points } of decided) {
    counts[outcome] += 1;
    counts.points += points;
  }
  return counts;
}

/** The sum of two counts, field by field. */
export function addCounts(one: IngestCounts, other: IngestCounts): IngestCounts {
  const sum = { ...one };
  for (const name of keysOf(NO_COUNTS)) sum[name] += other[name];
  return sum;
}

/** The counts in words for an operator, leaving out what did not happen. */
export function describeCounts(counts: IngestCounts): string {
  const parts = EVENT_OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => {
    const credited = outcome === 'credited' ? ` with ${counts.points} points` : '';
    return `${counts[outcome]} ${OUTCOMES[outcome].inWords}${credited}`;
  });
  if (counts.failed > 0) parts.push(`${counts.failed} failed, left to the sweep`);
  return parts.length > 0 ? parts.join(', ') : 'nothing left to do';
}
