/** The outcomes of several events. Counts only, because workflow histories keep them. */
export type IngestCounts = {
  credited: number;
  /** The points of those credits together. */
  points: number;
  storedAnonymous: number;
  duplicate: number;
  /** Refunds that took points back. */
  refundReversed: number;
  noRuleNoCredit: number;
  ignored: number;
  failed: number;
};

export const NO_COUNTS: IngestCounts = {
  credited: 0,
  points: 0,
  storedAnonymous: 0,
  duplicate: 0,
  refundReversed: 0,
  noRuleNoCredit: 0,
  ignored: 0,
  failed: 0,
};

/** The sum of two counts, field by field. */
export function addCounts(one: IngestCounts, other: IngestCounts): IngestCounts {
  return {
    credited: one.credited + other.credited,
    points: one.points + other.points,
    storedAnonymous: one.storedAnonymous + other.storedAnonymous,
    duplicate: one.duplicate + other.duplicate,
    refundReversed: one.refundReversed + other.refundReversed,
    noRuleNoCredit: one.noRuleNoCredit + other.noRuleNoCredit,
    ignored: one.ignored + other.ignored,
    failed: one.failed + other.failed,
  };
}

/** The counts in words for an operator, leaving out what did not happen. */
export function describeCounts(counts: IngestCounts): string {
  const parts = [
    counts.credited > 0 ? `${counts.credited} credited with ${counts.points} points` : '',
    counts.refundReversed > 0 ? `${counts.refundReversed} refunds reversed` : '',
    counts.duplicate > 0 ? `${counts.duplicate} duplicate` : '',
    counts.storedAnonymous > 0 ? `${counts.storedAnonymous} stored anonymous` : '',
    counts.noRuleNoCredit > 0 ? `${counts.noRuleNoCredit} without a rule` : '',
    counts.ignored > 0 ? `${counts.ignored} ignored` : '',
    counts.failed > 0 ? `${counts.failed} failed, left to the sweep` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(', ') : 'nothing left to do';
}
