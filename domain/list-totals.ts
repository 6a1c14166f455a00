/** So many items of a list are added up at most, whatever the list has. */
export const MOST_SUMMED = 10_000;

/** What some items of a list come to in one currency; null for none. Integers, to 2^53 - 1. */
export type CurrencySums = {
  currency: string | null;
  count: number;
  amountMinorUnits: number;
  refundedMinorUnits: number;
  points: number;
  pointsReversed: number;
};

/** What all items of a list come to: amounts for each currency, the most frequent one first. */
export type ListTotals = Pick<CurrencySums, 'count' | 'points' | 'pointsReversed'> & {
  amounts: Pick<CurrencySums, 'currency' | 'amountMinorUnits' | 'refundedMinorUnits'>[];
};

/** Adds up the sums of all currencies; null for more than `MOST_SUMMED` items. */
export function totalsOf(sums: readonly CurrencySums[]): ListTotals | null {
  const totals: ListTotals = { count: 0, points: 0, pointsReversed: 0, amounts: [] };
  for (const { count, points, pointsReversed, ...amount } of sums) {
    if (count === 0) continue;
    totals.count += count;
    totals.points += points;
    totals.pointsReversed += pointsReversed;
    totals.amounts.push(amount);
  }
  return totals.count > MOST_SUMMED ? null : totals;
}
