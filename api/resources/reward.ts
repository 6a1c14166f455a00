import { z } from 'zod';
import type { ReadReward } from '../../db/tenants/rewards.ts';
import { RewardId } from '../../domain/ids.ts';
import {
  leftOf,
  REWARD_KINDS,
  REWARD_STATUSES,
  REWARD_TEXTS,
  rewardStatusOf,
} from '../../domain/rewards.ts';

/** A reward as it is named wherever a code for it is shown. */
export const NamedRewardSchema = z
  .object({
    id: RewardId,
    name: z.string().describe(REWARD_TEXTS.name),
    kind: z.enum(REWARD_KINDS).describe(REWARD_TEXTS.kind),
  })
  .meta({ id: 'NamedReward' });

const SHOWN = {
  ...NamedRewardSchema.shape,
  pricePoints: z.int().describe(REWARD_TEXTS.pricePoints),
  valueMinorUnits: z.int().describe(REWARD_TEXTS.valueMinorUnits),
  stock: z.int().nullable().describe(REWARD_TEXTS.stock),
  endsAt: z.iso.datetime().nullable().describe(REWARD_TEXTS.endsAt),
  left: z.int().nullable().describe('How many are left; null for no limit.'),
  status: z.enum(REWARD_STATUSES).describe('`sold_out`: none is left, unless a code ends unused.'),
  createdAt: z.iso.datetime().describe('When it was published.'),
};

/** A reward, as its merchant sees it. */
export const RewardSchema = z
  .object({ ...SHOWN, taken: z.int().describe('By codes that are open or used.') })
  .meta({ id: 'Reward' });

export const rewardExample: z.infer<typeof RewardSchema> = {
  id: RewardId.parse('5c7d9e1f-2a4b-4c6d-8e0f-1a3b5c7d9e1f'),
  name: 'A coffee',
  kind: 'item',
  pricePoints: 300,
  valueMinorUnits: 350,
  stock: 100,
  endsAt: null,
  left: 88,
  status: 'offered',
  createdAt: '2026-01-15T10:00:00.000Z',
  taken: 12,
};
export const namedRewardExample = {
  id: rewardExample.id,
  name: rewardExample.name,
  kind: rewardExample.kind,
};

/** Builds the resource of a reward. */
export function rewardAnswerOf({ tenantId: _, readAt, endedAt, ...reward }: ReadReward) {
  return {
    ...reward,
    left: leftOf(reward),
    status: rewardStatusOf({ ...reward, endedAt }, readAt),
    endsAt: reward.endsAt?.toISOString() ?? null,
    createdAt: reward.createdAt.toISOString(),
  };
}

/** A reward, as a customer sees it. */
export const ConsumerRewardSchema = z
  .object({
    ...SHOWN,
    redeemable: z.boolean().describe('Whether this customer can have it now.'),
    refusal: z.string().nullable().describe('Why not: the code of the issue that would refuse it.'),
  })
  .meta({ id: 'ConsumerReward' });
