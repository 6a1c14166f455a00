import { Big } from 'big.js';
import { Refusal } from './errors.ts';
import { requireActiveShop, type TenantStatus } from './tenant-status.ts';

/** How long a code can be used after it was issued: time to walk to the till, and no more. */
export const CODE_LIFETIME_MS = 15 * 60 * 1000;

export const REDEMPTION_STATUSES = ['issued', 'used', 'expired'] as const;
export type RedemptionStatus = (typeof REDEMPTION_STATUSES)[number];

/** Whether the points of a code that expires unused are refunded or forfeited. */
export type ExpiredCodes = 'refund' | 'forfeit';

/** What a rule says of redeeming. The percentage is decimal text. */
export type RedemptionLimits = { minBalanceToRedeem: number; maxRedemptionPercentage: string };
/** The terms that decide what may be redeemed, of one version of a rule. */
export type RedemptionTerms = RedemptionLimits & { version: number };

/** Points of sales that can still be returned, and when the first of them can be used. */
export type PendingPoints = { pending: number; nextRelease: Date | null };

/** Where no points wait. */
export const NOTHING_PENDING: PendingPoints = { pending: 0, nextRelease: null };

/** What of a balance can be used now. More may wait than it holds, once points were spent. */
export function availableOf(wallet: { balance: number; pending: number }): number {
  return Math.max(0, wallet.balance - wallet.pending);
}

export type RedemptionRequest = PendingPoints & {
  pointsToRedeem: number;
  balance: number;
  /** Points of codes that are open, or were used in the last 24 hours. */
  recent: number;
  status: 'active' | 'frozen';
  tenantStatus: TenantStatus;
  /** The rule in effect; null when the tenant has none. */
  rule: RedemptionTerms | null;
};

/** The effect of a redemption, in points and minor units; all integers. */
export type Quote = {
  eligiblePoints: number;
  discountValueMinorUnits: number;
  currentBalance: number;
  newBalance: number;
  ruleVersion: number;
};

/**
 * Decides whether points may be redeemed and what they are worth. Preview and confirm both use it,
 * so they cannot disagree. Throws FORBIDDEN while the shop is suspended and for a frozen wallet,
 * INSUFFICIENT_BALANCE for more points than it holds, or than can be used yet, then RULE_REJECTED
 * with what the rule in effect refuses.
 */
export function quoteRedemption(request: RedemptionRequest): Quote {
  const { recent } = request;
  const { points, available, rule } = requirePoints(request);
  if (available < rule.minBalanceToRedeem) {
    const { minBalanceToRedeem } = rule;
    throw new Refusal(
      'RULE_REJECTED',
      `Redeeming takes a balance of ${minBalanceToRedeem} points.`,
      'below_minimum_balance',
    );
  }
  const most = mostRedeemable({ available, recent }, rule);
  if (points > most) {
    const share = `${new Big(rule.maxRedemptionPercentage).toFixed()} % of the balance`;
    throw new Refusal(
      'RULE_REJECTED',
      `At most ${share} can be redeemed in 24 hours; ${most} points are left.`,
      { issue: 'above_maximum_share', params: { max: most } },
    );
  }
  return quoteOf(request, rule, worthMinorUnits(points));
}

/**
 * The same for a reward, which costs its price: the rule's minimum and share do not apply. An item
 * takes nothing off at the till.
 */
export function quoteReward(
  request: Omit<RedemptionRequest, 'pointsToRedeem'>,
  reward: { kind: 'amount' | 'item'; pricePoints: number; valueMinorUnits: number },
): Quote {
  const priced = { ...request, pointsToRedeem: reward.pricePoints };
  const { rule } = requirePoints(priced);
  return quoteOf(priced, rule, reward.kind === 'item' ? 0 : reward.valueMinorUnits);
}

function quoteOf(
  { pointsToRedeem, balance }: RedemptionRequest,
  { version }: RedemptionTerms,
  discountValueMinorUnits: number,
): Quote {
  return {
    eligiblePoints: pointsToRedeem,
    discountValueMinorUnits,
    currentBalance: balance,
    newBalance: balance - pointsToRedeem,
    ruleVersion: version,
  };
}

/** What holds for whatever points are redeemed for: the shop and the wallet work, and hold them. */
function requirePoints(request: RedemptionRequest) {
  const { pointsToRedeem, balance, status, rule } = request;
  requireActiveShop({ status: request.tenantStatus });
  if (status === 'frozen') {
    throw new Refusal('FORBIDDEN', 'The wallet is frozen. Ask the shop for help.', 'wallet_frozen');
  }
  if (pointsToRedeem > balance) {
    throw new Refusal('INSUFFICIENT_BALANCE', `The wallet holds ${balance} points only.`, {
      issue: 'insufficient_balance',
      params: { balance },
    });
  }
  const available = availableOf(request);
  if (pointsToRedeem > available) throw pendingRefusal(available, request);
  if (rule === null) {
    throw new Refusal('RULE_REJECTED', 'The shop has no reward rule in effect.', 'no_rule');
  }
  return { points: pointsToRedeem, available, rule };
}

function pendingRefusal(available: number, { pending, nextRelease }: PendingPoints): Refusal {
  const message =
    `Only ${available} points can be used now. ${pending} wait until the sales that earned them ` +
    'can no longer be returned.';
  const params = { available, pending, nextRelease: nextRelease?.toISOString() ?? null };
  return new Refusal('INSUFFICIENT_BALANCE', message, { issue: 'points_pending', params });
}

/** How many points a confirmation accepts: from `min` to `max`, or none if both are 0. */
export type Redeemable = { min: number; max: number };

/** What of a balance can be redeemed now: exactly what `quoteRedemption` accepts of it. */
export function redeemableOf(wallet: {
  balance: number;
  /** Points of it that wait. */
  pending: number;
  recent: number;
  status: RedemptionRequest['status'];
  tenantStatus: TenantStatus;
  /** The rule in effect; null when the tenant has none. */
  rule: RedemptionLimits | null;
}): Redeemable {
  const { recent, status, tenantStatus, rule } = wallet;
  const available = availableOf(wallet);
  if (status === 'frozen' || tenantStatus === 'suspended') return NOTHING;
  if (rule === null || available < rule.minBalanceToRedeem) return NOTHING;
  const max = mostRedeemable({ available, recent }, rule);
  return max === 0 ? NOTHING : { min: 1, max };
}

const NOTHING: Redeemable = { min: 0, max: 0 };

/** The least balance of which anything can be redeemed, by a rule with nothing redeemed yet. */
export function leastRedeemable(rule: RedemptionLimits): number {
  // Of less than that, the share is less than a point.
  const one = new Big(100).div(rule.maxRedemptionPercentage).round(0, Big.roundUp).toNumber();
  return Math.max(one, rule.minBalanceToRedeem);
}

/**
 * The share is of what there was 24 hours ago, as it were, so that asking twice gives no more than
 * asking once.
 */
function mostRedeemable(
  { available, recent }: { available: number; recent: number },
  rule: RedemptionLimits,
): number {
  // In floating point 32.3 % of 1,000 is less than 323, and a point would be refused.
  const share = new Big(rule.maxRedemptionPercentage)
    .times(new Big(available).plus(recent))
    .div(100);
  const left = share.round(0, Big.roundDown).minus(recent).toNumber();
  return Math.max(0, Math.min(available, left));
}

/** Whether a rule lets only a share of the balance be redeemed. */
export function isLimited({ maxRedemptionPercentage }: RedemptionLimits): boolean {
  return new Big(maxRedemptionPercentage).lt(100);
}

/** The worth of points at the till, in minor units of the shop's currency: one each. */
export function worthMinorUnits(points: number): number {
  return points;
}

/** A code that is used, cancelled or over. */
export type ClosedCode = { usedAt: Date | null; cancelled: boolean; expiresAt: Date };

/** The refusal of a code that is closed. `advice` says what the caller can do instead. */
export function refusalOfClosed(code: ClosedCode, advice: string): Refusal {
  const { usedAt, cancelled, expiresAt } = code;
  if (usedAt !== null) {
    const params = { usedAt: usedAt.toISOString() };
    const why = { issue: 'code_used', params } as const;
    return new Refusal('RULE_REJECTED', `This code has already been used. ${advice}`, why);
  }
  if (cancelled) {
    const message = `This code was cancelled. ${advice}`;
    return new Refusal('RULE_REJECTED', message, 'code_cancelled');
  }
  const params = { expiredAt: expiresAt.toISOString() };
  const why = { issue: 'code_expired', params } as const;
  return new Refusal('RULE_REJECTED', `This code has expired. ${advice}`, why);
}

/** A code as it is compared: without white space, in upper case. */
export function normaliseCode(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

/** What an operator may guess: after that many different unknown codes, nothing for a while. */
export const GUESSING = { unknownCodes: 30, withinSeconds: 600, blockedSeconds: 60 } as const;

/** Whether a normalised text could be a code; anything else is a typing error. */
export function isWellFormed(code: string): boolean {
  return /^[0-9A-F]{12}$/.test(code);
}
