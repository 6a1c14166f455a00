import { type IngestCounts, NO_COUNTS } from '../../domain/ingest-counts.ts';
import type { EventOutcome } from '../../domain/payment.ts';

const COUNTED_AS = {
  credited: 'credited',
  stored_anonymous: 'storedAnonymous',
  duplicate: 'duplicate',
  no_rule_no_credit: 'noRuleNoCredit',
  refund_reversed: 'refundReversed',
  ignored: 'ignored',
} as const;

/** Counts outcomes, and the points that were credited. */
export function countsOf(
  decided: readonly { outcome: EventOutcome; points: number }[],
): IngestCounts {
  const counts = { ...NO_COUNTS };
  for (const { outcome, points } of decided) {
    counts[COUNTED_AS[outcome]] += 1;
    counts.points += points;
  }
  return counts;
}
