import { Big, type RoundingMode } from 'big.js';
import type { EarningTerms, RoundingPolicy } from './reward-rule.ts';

const ROUNDING_MODE: Record<RoundingPolicy, RoundingMode> = {
  floor: Big.roundDown,
  ceil: Big.roundUp,
  round: Big.roundHalfUp,
};

/** The most points that a payment can earn, whatever the rule: what a column of 32 bits holds. */
export const MAX_EARNED_POINTS = 2 ** 31 - 1;

export type ZeroReason = 'zero_amount' | 'below_minimum' | 'rounded_to_zero' | 'capped_to_zero';

/** The points of a payment and how they were computed. `exact` is the product before rounding. */
export type Earning = {
  points: number;
  exact: string;
  rounded: number;
  /** Why no points were earned, the first reason that applies; null when some were. */
  zeroReason: ZeroReason | null;
};

/**
 * Computes the points of a payment: spend × rate in exact decimals, rounded by the rule's policy,
 * then capped by the rule and at `MAX_EARNED_POINTS`.
 */
export function earn(spendMinorUnits: number, terms: EarningTerms): Earning {
  // In floating point 100 × 1.1 is more than 110, and a rule that rounds up would give a point
  // away.
  const product = new Big(terms.conversionRate).times(spendMinorUnits);
  const exact = product.toFixed();
  const nothing = { points: 0, exact, rounded: 0 };
  if (spendMinorUnits === 0) return { ...nothing, zeroReason: 'zero_amount' };
  if (spendMinorUnits < terms.minSpendMinorUnits)
    return { ...nothing, zeroReason: 'below_minimum' };

  const rounded = product.round(0, ROUNDING_MODE[terms.roundingPolicy]).toNumber();
  if (rounded === 0) return { ...nothing, zeroReason: 'rounded_to_zero' };

  const points = Math.min(rounded, terms.maxPointsPerTransaction ?? rounded, MAX_EARNED_POINTS);
  return { points, exact, rounded, zeroReason: points === 0 ? 'capped_to_zero' : null };
}

/** The version of the calculation above. Every new decision names it. */
export const CALCULATION_VERSION = 1;

/**
 * Every version of the calculation, because explanations of earlier decisions repeat theirs. None
 * is ever changed: one that gives another result, or other steps to it, is a new version.
 */
const CALCULATIONS: Readonly<Record<number, typeof earn>> = { 1: earn };

/** Computes what `earn` did in a version of it. Throws for a version of a later release. */
export function earnByVersion(
  version: number,
  spendMinorUnits: number,
  terms: EarningTerms,
): Earning {
  const calculation = CALCULATIONS[version];
  if (calculation === undefined) {
    throw new Error(
      `A decision was calculated by version ${version}, which this release does not know. Run ` +
        'the release that stored it, or a later one.',
    );
  }
  return calculation(spendMinorUnits, terms);
}

/** Whether more points would have been earned but for `MAX_EARNED_POINTS`. */
export function isCappedToLimit({ points, rounded }: Earning): boolean {
  return points === MAX_EARNED_POINTS && rounded > MAX_EARNED_POINTS;
}
