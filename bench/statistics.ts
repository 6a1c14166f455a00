/** The smallest, the middle and the largest of some repetitions. */
export type Spread = { min: number; median: number; max: number };

/** The spread of at least one value. Throws when there is none. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    min: percentile(sorted, 0),
    median: percentile(sorted, 50),
    max: percentile(sorted, 100),
  };
}

/**
 * The value that `percent` (0…100) of the values do not exceed: the nearest rank, so always one
 * that was measured. The median of an even number is the mean of the two in the middle.
 */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new Error('There is no percentile of nothing: measure first.');
  const sorted = [...values].sort((a, b) => a - b);
  const at = (rank: number) => sorted[Math.min(Math.max(rank, 1), sorted.length) - 1] ?? Number.NaN;
  const middle = sorted.length / 2;
  if (percent === 50 && sorted.length % 2 === 0) return (at(middle) + at(middle + 1)) / 2;
  return at(Math.ceil((percent / 100) * sorted.length));
}
