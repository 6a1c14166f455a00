import { z } from 'zod';
import { invalidField, Refusal } from './errors.ts';
import type { RewardId, TenantId } from './ids.ts';

// A reward is something of a shop that customers get for points: an amount that the till takes off,
// or an item that it hands out. Its terms and its stock never change; it can only be ended.

export const REWARD_KINDS = ['amount', 'item'] as const;
export const REWARD_STATUSES = ['offered', 'sold_out', 'ended'] as const;
export type RewardStatus = (typeof REWARD_STATUSES)[number];

/** How many rewards of a shop may be open at once. */
export const MOST_REWARDS = 50;
const MOST_YEARS = 2;
/** How many minor units a point of the price may be worth. */
const MOST_WORTH = 10;

/** What the fields of a reward mean, for the document. */
export const REWARD_TEXTS = {
  name: 'What customers and tills read.',
  kind: '`amount`: the till takes its value off. `item`: the till hands it out instead.',
  pricePoints: 'How many points it takes.',
  valueMinorUnits: 'What it is worth to the shop, in minor units: at most ten for each point.',
  stock: 'How many there are; a code that ends unused puts one back. Null for no limit.',
  endsAt: 'From when on it is offered no more; null for never.',
} as const;

/** The request that publishes a reward: its fields with bounds and defaults. */
export const RewardInput = z.object({
  name: z.string().trim().min(1).max(60).describe(REWARD_TEXTS.name),
  kind: z.enum(REWARD_KINDS).describe(REWARD_TEXTS.kind),
  pricePoints: z.int().min(1).max(1_000_000).describe(REWARD_TEXTS.pricePoints),
  valueMinorUnits: z
    .int()
    .min(1)
    .max(MOST_WORTH * 1_000_000)
    .describe(REWARD_TEXTS.valueMinorUnits),
  stock: z.int().min(1).max(1_000_000).nullable().default(null).describe(REWARD_TEXTS.stock),
  endsAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .describe(`${REWARD_TEXTS.endsAt} At most ${MOST_YEARS} years from now.`),
});
export type RewardInput = z.infer<typeof RewardInput>;

/** What a reward says. */
export type RewardTerms = Omit<RewardInput, 'endsAt'> & { endsAt: Date | null };

/** A published reward. `taken` are those of codes that are open or used. */
export type Reward = RewardTerms & {
  id: RewardId;
  tenantId: TenantId;
  taken: number;
  createdAt: Date;
  endedAt: Date | null;
};

/** A reward as it is named wherever a code for it is shown. */
export type NamedReward = Pick<Reward, 'id' | 'name' | 'kind'>;

/**
 * Returns the terms that a request asks for, as of now. Throws VALIDATION_ERROR for an end that is
 * not to come, and `too_generous` where a point would be worth more than ten minor units.
 */
export function rewardTermsOf(input: RewardInput, now: Date): RewardTerms {
  const { pricePoints, valueMinorUnits } = input;
  if (valueMinorUnits > MOST_WORTH * pricePoints) {
    const message =
      `${pricePoints} points can be worth ${MOST_WORTH * pricePoints} minor units at most. Ask ` +
      'for more points.';
    throw new Refusal('VALIDATION_ERROR', message, 'too_generous');
  }
  const endsAt = input.endsAt === null ? null : new Date(input.endsAt);
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + MOST_YEARS);
  if (endsAt !== null && (endsAt <= now || endsAt > latest)) {
    throw invalidField('endsAt', `must be in the future, at most ${MOST_YEARS} years from now`);
  }
  return { ...input, endsAt };
}

type Stocked = Pick<Reward, 'endsAt' | 'endedAt' | 'stock' | 'taken'>;

/** Says whether a reward can be had. */
export function rewardStatusOf(
  { endsAt, endedAt, stock, taken }: Stocked,
  now: Date,
): RewardStatus {
  if (endedAt !== null || (endsAt !== null && now >= endsAt)) return 'ended';
  return stock !== null && taken >= stock ? 'sold_out' : 'offered';
}

/** How many are left; null for no limit. */
export function leftOf({ stock, taken }: Pick<Reward, 'stock' | 'taken'>): number | null {
  return stock === null ? null : Math.max(0, stock - taken);
}

/**
 * Throws RULE_REJECTED for a reward that has ended, for a second open code of one consumer, and for
 * one of which none is left, in this order.
 */
export function requireReward(reward: Stocked, { now, hasOpen }: { now: Date; hasOpen: boolean }) {
  const status = rewardStatusOf(reward, now);
  if (status === 'ended') {
    const message = 'The shop offers this no more. Choose another reward.';
    throw new Refusal('RULE_REJECTED', message, 'reward_ended');
  }
  if (hasOpen) {
    const message = 'You have an open code for this reward. Use or cancel it first.';
    throw new Refusal('RULE_REJECTED', message, 'reward_limit');
  }
  if (status === 'sold_out') {
    throw new Refusal('RULE_REJECTED', 'None of these is left. Try again later.', 'sold_out');
  }
}
