import type { Campaign, Terms } from '../steps.ts';

const MILLION = 1_000_000n;
const BILLION = 1_000_000_000n;
const MOST = 2n ** 31n - 1n;

/** What the tier of its customer gave for a sale. */
export type TierAward = { key: string; multiplier: number; points: number };
/**
 * The points of a sale, why there are none or fewer, what campaigns gave, by their numbers, and
 * what the tier did.
 */
export type Earned = {
  points: number;
  reason: string | null;
  awards: Record<number, number>;
  tier: TierAward | null;
};
/** A campaign that a sale gets, with its number. */
export type Offer = Pick<Campaign, 'multiplier' | 'points'> & { nth: number };

/**
 * What an amount earns: exact decimals, rounded once, by the greatest multiplier if one gives more,
 * of equal ones by the tier's; then each bonus; then capped, so that the last bonus is cut first
 * and the rule's points last.
 */
export function earnedBy(
  amount: number,
  terms: Terms,
  offers: readonly Offer[] = [],
  tier: Omit<TierAward, 'points'> | undefined = undefined,
): Earned {
  const nothing = { points: 0, awards: {}, tier: null };
  if (amount === 0) return { ...nothing, reason: 'zero_amount' };
  if (amount < terms.minSpend) return { ...nothing, reason: 'below_minimum' };
  const base = times(amount, terms, 1);
  const given: { nth: number | 'tier'; points: bigint }[] = [];
  const ofTier = tier === undefined ? [] : [{ nth: 'tier' as const, ...tier }];
  for (const { nth, multiplier } of [...ofTier, ...offers]) {
    if (multiplier === null) continue;
    const extra = times(amount, terms, multiplier) - base;
    const [best] = given;
    if (extra > (best?.points ?? 0n)) given.splice(0, 1, { nth, points: extra });
  }
  for (const { nth, points } of offers) {
    if (points !== null) given.push({ nth, points: BigInt(points) });
  }
  const total = given.reduce((sum, { points }) => sum + points, base);
  if (total === 0n) return { ...nothing, reason: 'rounded_to_zero' };
  const points = least(total, terms.maxPoints === null ? MOST : BigInt(terms.maxPoints), MOST);
  if (points === 0n) return { ...nothing, reason: 'capped_to_zero' };
  let left = points - least(base, points);
  const awards: Record<number, number> = {};
  let byTier: TierAward | null = null;
  for (const { nth, points: wanted } of given) {
    const some = least(wanted, left);
    left -= some;
    if (some === 0n) continue;
    if (nth !== 'tier') awards[nth] = Number(some);
    else if (tier !== undefined) {
      const { key, multiplier } = tier;
      byTier = { key, multiplier, points: Number(some) };
    }
  }
  const reason = points === MOST && total > MOST ? 'capped_to_limit' : null;
  return { points: Number(points), reason, awards, tier: byTier };
}

function least(first: bigint, ...others: bigint[]): bigint {
  return others.reduce((one, other) => (other < one ? other : one), first);
}

function times(amount: number, { rate, rounding }: Terms, multiplier: number): bigint {
  const exact = BigInt(Math.round(rate * 1_000_000)) * BigInt(Math.round(multiplier * 1_000));
  return roundedBy(BigInt(amount) * exact, rounding);
}

function roundedBy(billionths: bigint, rounding: Terms['rounding']): bigint {
  switch (rounding) {
    case 'floor':
      return billionths / BILLION;
    case 'ceil':
      return (billionths + BILLION - 1n) / BILLION;
    case 'round':
      return (billionths + BILLION / 2n) / BILLION;
    default:
      return rounding satisfies never;
  }
}

/** The share of the earned points that what is refunded takes back, rounded down. */
export function takenBackBy(earned: number, refunded: number, amount: number): number {
  if (amount === 0) return 0;
  return Number((BigInt(earned) * BigInt(Math.min(refunded, amount))) / BigInt(amount));
}

/** The most of a balance that may be redeemed, at so many per cent, after so many recent points. */
export function mostOf(balance: number, recent: number, percentage: number): number {
  const millionths = BigInt(Math.round(percentage * 1_000_000));
  const share = Number((BigInt(balance + recent) * millionths) / (100n * MILLION));
  return Math.max(0, Math.min(balance, share - recent));
}
