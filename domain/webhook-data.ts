import { z } from 'zod';
import {
  ConnectionId,
  EndpointId,
  EntryId,
  PaymentId,
  RedemptionId,
  RewardId,
  RewardRuleId,
  UserId,
  WalletId,
} from './ids.ts';
import { PROVIDERS } from './payment.ts';
import { REWARD_KINDS } from './rewards.ts';
import { TIER_CAUSES } from './tiers.ts';
import { type EventType, TEST_EVENT } from './webhook-event.ts';

export const PointsMoved = z
  .object({
    walletId: WalletId,
    userId: UserId,
    points: z.int().positive(),
    balance: z.int().describe('Points in the wallet after it.'),
    ledgerEntryId: EntryId,
    transactionId: PaymentId.nullable().describe('The payment; null when none moved them.'),
  })
  .meta({ id: 'PointsMoved' });

export const RedemptionChanged = z
  .object({
    redemptionId: RedemptionId,
    walletId: WalletId,
    points: z.int().positive(),
    discountValueMinorUnits: z.int().nonnegative(),
    currency: z.string().nullable(),
    cancelled: z.boolean().describe('Whether its consumer cancelled it.'),
    reward: z
      .object({
        id: RewardId,
        name: z.string(),
        kind: z.enum(REWARD_KINDS).describe('Whether it is an amount or an item.'),
      })
      .nullable()
      .describe('What the code is for; null for points that the till takes off.'),
  })
  .meta({ id: 'RedemptionChanged' });

export const ConnectionChanged = z
  .object({
    connectionId: ConnectionId,
    posType: z.enum(PROVIDERS),
    reason: z
      .enum(['disconnected', 'revoked'])
      .optional()
      .describe('Why it was lost: disconnected by the merchant, or its token was refused.'),
  })
  .meta({ id: 'ConnectionChanged' });

export const ConnectionGap = z
  .object({
    connectionId: ConnectionId,
    posType: z.enum(PROVIDERS),
    payments: z.int().positive().describe('How many sales no webhook told.'),
    since: z.iso.datetime().describe('When the last sale was made that a webhook told.'),
  })
  .meta({ id: 'ConnectionGap' });

export const OperatorJoined = z.object({ userId: UserId }).meta({ id: 'OperatorJoined' });

export const RulePublished = z
  .object({
    ruleId: RewardRuleId.describe('The reward rule.'),
    version: z.int().positive(),
    effectiveFrom: z.iso.datetime().describe('From when on it decides.'),
  })
  .meta({ id: 'RulePublished' });

export const TierChanged = z
  .object({
    walletId: WalletId,
    userId: UserId,
    from: z.string().nullable().describe('The key of the tier before; null for none.'),
    to: z.string().nullable().describe('The key of the tier from now on; null for none.'),
    cause: z
      .enum(TIER_CAUSES)
      .describe('Whether it was reached, or the term of the one before ended.'),
  })
  .meta({ id: 'TierChanged' });

/** What the body of a message of a type holds in `data`. */
export const MESSAGE_DATA = {
  'points.credited': PointsMoved,
  'points.reversed': PointsMoved,
  'points.adjusted': PointsMoved,
  'points.expired': PointsMoved,
  'redemption.issued': RedemptionChanged,
  'redemption.used': RedemptionChanged,
  'redemption.expired': RedemptionChanged,
  'connection.active': ConnectionChanged,
  'connection.lost': ConnectionChanged,
  'connection.gap': ConnectionGap,
  'operator.joined': OperatorJoined,
  'rule.published': RulePublished,
  'tier.changed': TierChanged,
  [TEST_EVENT]: z.object({ endpointId: EndpointId }),
} as const satisfies Record<EventType | typeof TEST_EVENT, z.ZodObject>;

/** An event's type with what it tells. */
export type EventContent = {
  [Type in EventType]: { type: Type; data: z.infer<(typeof MESSAGE_DATA)[Type]> };
}[EventType];
