import { Counter, type Registry } from 'prom-client';

export type AdjustmentMetrics = {
  /** Counts the points of an adjustment by hand, after the commit; negative points are a debit. */
  pointsAdjusted(points: number): void;
  /** Counts an adjustment of an administrator's own wallet, or beyond the limit of a day. */
  adjustmentRefused(): void;
};

/** Creates the metrics of what administrators adjust by hand. */
export function createAdjustmentMetrics(registry: Registry): AdjustmentMetrics {
  const registers = [registry];
  const adjusted = new Counter({
    name: 'loyalty_points_adjusted_total',
    help: 'Points that administrators credited or debited by hand.',
    labelNames: ['entry_type'],
    registers,
  });
  const refused = new Counter({
    name: 'loyalty_adjustments_refused_total',
    help: "Adjustments of an administrator's own wallet, or beyond the limit of a day.",
    registers,
  });
  // Start at 0, because Prometheus computes a rate only from an earlier value.
  for (const entryType of ['credit', 'debit']) adjusted.inc({ entry_type: entryType }, 0);
  return {
    pointsAdjusted: (points) =>
      adjusted.inc({ entry_type: points > 0 ? 'credit' : 'debit' }, Math.abs(points)),
    adjustmentRefused: () => refused.inc(),
  };
}
