/** The minimum, median and maximum of several measurements. */
export type Spread = { min: number; median: number; max: number };

/** Returns the spread of the values. Throws when there are none. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    min: percentile(sorted, 0),
    median: percentile(sorted, 50),
    max: percentile(sorted, 100),
  };
}

/** Returns the spread of each of the lists. */
export function spreadsOf(
  lists: ReadonlyMap<string, readonly number[]>,
): Readonly<Record<string, Spread>> {
  return Object.fromEntries([...lists].map(([key, values]) => [key, spreadOf(values)]));
}

/**
 * Returns the value that `percent` (0…100) of the values do not exceed, by nearest rank, so that it
 * is always a measured one. The median of an even number of values is the mean of the middle two.
 */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0)
    throw new Error('There is no percentile of an empty list: measure first.');
  const sorted = [...values].sort((a, b) => a - b);
  const at = (rank: number) => sorted[Math.min(Math.max(rank, 1), sorted.length) - 1] ?? Number.NaN;
  const middle = sorted.length / 2;
  if (percent === 50 && sorted.length % 2 === 0) return (at(middle) + at(middle + 1)) / 2;
  return at(Math.ceil((percent / 100) * sorted.length));
}

/** Returns the sum of the values. */
export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns each value divided by the other one of its turn. */
export function ratiosOf(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, nth) => value / (others[nth] ?? Number.NaN));
}

/** Adds a value to the list that the map holds for the key. */
export function appendTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  lists.set(key, [...(lists.get(key) ?? []), value]);
}
