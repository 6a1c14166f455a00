import { Big, type RoundingMode } from 'big.js';
import type { CampaignId } from './ids.ts';
import type { EarningTerms, RoundingPolicy } from './reward-rule.ts';

const ROUNDING_MODE: Record<RoundingPolicy, RoundingMode> = {
  floor: Big.roundDown,
  ceil: Big.roundUp,
  round: Big.roundHalfUp,
};

/** The most points that a payment can earn, whatever the rule: what a column of 32 bits holds. */
export const MAX_EARNED_POINTS = 2 ** 31 - 1;

/** What besides the rule a sale earns by: a tier, and campaigns in the order of publication. */
export type Offers = {
  tier: { key: string; multiplier: number } | null;
  campaigns: readonly CampaignOffer[];
};
export type CampaignOffer = {
  id: CampaignId;
  multiplier: number | null;
  points: number | null;
};

export const NO_OFFERS: Offers = { tier: null, campaigns: [] };

/**
 * What a payment earned by each, as its decision keeps it: `base` by the rule, then by one
 * multiplier, a tier's or a campaign's, and by the bonus of each campaign. What the cap took is
 * not in it (`cut`), and what gave nothing is left out.
 */
export type Awards = {
  base: number;
  tier?: { key: string; multiplier: number; points: number };
  campaigns: CampaignAward[];
};
export type CampaignAward = { id: CampaignId; points: number; cut?: true } & (
  | { kind: 'multiplier'; multiplier: number }
  | { kind: 'bonus' }
);

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

/** What was earned with offers; `awards` is null where these gave nothing. */
export type OfferedEarning = Earning & { awards: Awards | null; isCappedToLimit: boolean };

/**
 * Computes the points of a payment with what besides the rule gives some: the greatest of the
 * multipliers, applied before rounding, then each bonus. The cap takes of the bonus that was
 * published last first, then of the multiplier's. Of equal multipliers the tier counts, then the
 * campaign that comes first.
 */
export function earnWith(
  spendMinorUnits: number,
  terms: EarningTerms,
  { tier, campaigns }: Offers,
): OfferedEarning {
  const plain = earn(spendMinorUnits, terms);
  const { zeroReason, rounded: base, exact } = plain;
  const isRefused = zeroReason === 'zero_amount' || zeroReason === 'below_minimum';
  if (isRefused) {
    return { ...plain, awards: null, isCappedToLimit: isCappedToLimit(plain) };
  }
  const multiplying = [
    ...(tier === null ? [] : [{ tier, multiplier: tier.multiplier }]),
    ...campaigns.flatMap(({ id, multiplier }) => (multiplier === null ? [] : { id, multiplier })),
  ].map((each) => ({
    ...each,
    extra: multiplied(spendMinorUnits, terms, each.multiplier) - base,
  }));
  const greatest = Math.max(0, ...multiplying.map(({ extra }) => extra));
  const best = multiplying.find(({ extra }) => extra === greatest);
  const bonuses = campaigns.flatMap(({ id, points }) => (points === null ? [] : { id, points }));

  const total = bonuses.reduce((sum, { points }) => sum + points, base + greatest);
  const points = Math.min(total, terms.maxPointsPerTransaction ?? total, MAX_EARNED_POINTS);
  let left = points - Math.min(base, points);
  const take = (wanted: number) => {
    const taken = Math.min(wanted, left);
    left -= taken;
    return { points: taken, ...(taken < wanted && { cut: true as const }) };
  };
  const awards: Awards = { base: Math.min(base, points), campaigns: [] };
  if (best !== undefined) {
    const { multiplier } = best;
    const taken = take(best.extra);
    if ('tier' in best) awards.tier = { key: best.tier.key, multiplier, points: taken.points };
    else awards.campaigns.push({ id: best.id, kind: 'multiplier', multiplier, ...taken });
  }
  for (const { id, points: wanted } of bonuses) {
    awards.campaigns.push({ id, kind: 'bonus', ...take(wanted) });
  }
  awards.campaigns = awards.campaigns.filter((award) => award.points > 0);
  if (awards.tier?.points === 0) delete awards.tier;

  const hasAny = awards.tier !== undefined || awards.campaigns.length > 0;
  const isCapped = points === MAX_EARNED_POINTS && total > points;
  const reason = total === 0 ? 'rounded_to_zero' : 'capped_to_zero';
  return {
    points,
    exact,
    rounded: base,
    zeroReason: points === 0 ? reason : null,
    awards: hasAny ? awards : null,
    isCappedToLimit: isCapped,
  };
}

/** What a multiplier makes of a sale's points: spend × rate × multiplier, rounded as the rule's. */
export function multiplied(
  spendMinorUnits: number,
  { conversionRate, roundingPolicy }: Pick<EarningTerms, 'conversionRate' | 'roundingPolicy'>,
  multiplier: number,
): number {
  return multipliedExactly(spendMinorUnits, conversionRate, multiplier)
    .round(0, ROUNDING_MODE[roundingPolicy])
    .toNumber();
}

/** The same before rounding. */
export function multipliedExactly(
  spendMinorUnits: number,
  conversionRate: string,
  multiplier: number,
): Big {
  return new Big(conversionRate).times(spendMinorUnits).times(multiplier);
}

/** Adds up what a decision keeps of what it gave besides the rule. */
export function sumOf({ base, tier, campaigns }: Awards): number {
  return campaigns.reduce((sum, { points }) => sum + points, base + (tier?.points ?? 0));
}

/** The version of `earn`. A decision with awards names the one of `earnWith`. */
export const CALCULATION_VERSION = 1;
export const CALCULATION_WITH_AWARDS = 2;

/** What a decision kept of its calculation. */
type KeptTerms = { terms: EarningTerms; awards: Awards | undefined };

/**
 * Every version of the calculation, because explanations of earlier decisions repeat theirs. None
 * is ever changed: one that gives another result, or other steps to it, is a new version.
 */
const CALCULATIONS: Readonly<Record<number, (spend: number, kept: KeptTerms) => Earning>> = {
  [CALCULATION_VERSION]: (spend, { terms }) => earn(spend, terms),
  [CALCULATION_WITH_AWARDS]: (spend, { terms, awards }) => ({
    ...earn(spend, { ...terms, maxPointsPerTransaction: null }),
    points: awards === undefined ? 0 : sumOf(awards),
    zeroReason: null,
  }),
};

/** Computes what a version of the calculation did. Throws for a version of a later release. */
export function earnByVersion(version: number, spendMinorUnits: number, kept: KeptTerms): Earning {
  const calculation = CALCULATIONS[version];
  if (calculation === undefined) {
    throw new Error(
      `A decision was calculated by version ${version}, which this release does not know. Run ` +
        'the release that stored it, or a later one.',
    );
  }
  return calculation(spendMinorUnits, kept);
}

/** Whether more points would have been earned but for `MAX_EARNED_POINTS`. */
export function isCappedToLimit({ points, rounded }: Earning): boolean {
  return points === MAX_EARNED_POINTS && rounded > MAX_EARNED_POINTS;
}
