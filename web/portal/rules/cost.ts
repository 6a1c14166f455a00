import type { RuleTerms } from './draft.ts';

/** Sales in which the customer was known. */
export type KnownSales = { count: number; amountMinorUnits: number };

/** What a rule gives back for sales. */
export type Cost = {
  minorUnits: number;
  /** Whether it may be less: single sales may earn nothing, or no more than a cap. */
  isAtMost: boolean;
};

/**
 * What sales give back under a rule, in money, but for the rounding of each: a point is worth one
 * minor unit.
 */
export function costOf(terms: RuleTerms, sales: KnownSales): Cost {
  const { conversionRate, minSpendMinorUnits, maxPointsPerTransaction } = terms;
  const rated = Math.round(sales.amountMinorUnits * conversionRate);
  const most = sales.count * (maxPointsPerTransaction ?? Number.MAX_SAFE_INTEGER);
  return {
    minorUnits: Math.min(rated, most),
    isAtMost: minSpendMinorUnits > 0 || maxPointsPerTransaction !== null,
  };
}
