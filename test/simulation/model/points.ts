import type { Terms } from '../steps.ts';

const MILLION = 1_000_000n;
const MOST = 2n ** 31n - 1n;

/** The points of a sale, and why there are none or fewer than the rate gives. */
export type Earned = { points: number; reason: string | null };

/** What an amount earns: exact decimals, rounded once, then capped. */
export function earnedBy(amount: number, terms: Terms): Earned {
  if (amount === 0) return { points: 0, reason: 'zero_amount' };
  if (amount < terms.minSpend) return { points: 0, reason: 'below_minimum' };
  const millionths = BigInt(amount) * BigInt(Math.round(terms.rate * 1_000_000));
  const rounded = roundedBy(millionths, terms.rounding);
  if (rounded === 0n) return { points: 0, reason: 'rounded_to_zero' };
  const cap = terms.maxPoints === null ? rounded : BigInt(terms.maxPoints);
  if (cap === 0n) return { points: 0, reason: 'capped_to_zero' };
  const points = [rounded, cap, MOST].reduce((least, next) => (next < least ? next : least));
  const isCapped = points === MOST && rounded > MOST;
  return { points: Number(points), reason: isCapped ? 'capped_to_limit' : null };
}

function roundedBy(millionths: bigint, rounding: Terms['rounding']): bigint {
  switch (rounding) {
    case 'floor':
      return millionths / MILLION;
    case 'ceil':
      return (millionths + MILLION - 1n) / MILLION;
    case 'round':
      return (millionths + MILLION / 2n) / MILLION;
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
