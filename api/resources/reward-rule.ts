import { z } from 'zod';
import type * as rewardRules from '../../db/tenants/reward-rules.ts';
import { RewardRuleId, UserId } from '../../domain/ids.ts';
import { ROUNDING_POLICIES, RULE_STATUSES, RULE_TEXTS } from '../../domain/reward-rule.ts';

export const RewardRuleSchema = z
  .object({
    id: RewardRuleId,
    version: z.int(),
    active: z.boolean().describe('Whether it is the highest version.'),
    status: z
      .enum(RULE_STATUSES)
      .describe(
        '`in_effect`: governs now. `scheduled`: will, from `effectiveFrom` on. `superseded`: ' +
          'does not any more, or never will, because a higher version governs by then.',
      ),
    ruleConfig: z
      .object({
        conversionRate: z.number().describe(RULE_TEXTS.conversionRate),
        minSpendMinorUnits: z.int().describe(RULE_TEXTS.minSpendMinorUnits),
        maxPointsPerTransaction: z.int().nullable().describe(RULE_TEXTS.maxPointsPerTransaction),
        minBalanceToRedeem: z.int().describe(RULE_TEXTS.minBalanceToRedeem),
        maxRedemptionPercentage: z.number().describe(RULE_TEXTS.maxRedemptionPercentage),
        roundingPolicy: z.enum(ROUNDING_POLICIES).describe(RULE_TEXTS.roundingPolicy),
        effectiveFrom: z.iso.datetime().describe(RULE_TEXTS.effectiveFrom),
      })
      .meta({ id: 'RuleConfig', description: 'What the version says.' }),
    createdBy: z
      .object({ userId: UserId, email: z.string().nullable() })
      .nullable()
      .describe('Who published it, with the e-mail as it is today. Null if nobody signed in did.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'RewardRule' });

export const rewardRuleExample = {
  id: '0f8b8f6e-58a5-4d0e-8a1f-0c8f1c4b9d11',
  version: 3,
  active: true,
  status: 'in_effect',
  ruleConfig: {
    conversionRate: 0.1,
    minSpendMinorUnits: 500,
    maxPointsPerTransaction: 1000,
    minBalanceToRedeem: 100,
    maxRedemptionPercentage: 50,
    roundingPolicy: 'floor',
    effectiveFrom: '2026-01-15T10:00:00.000Z',
  },
  createdBy: { userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c', email: 'merchant@example.com' },
  createdAt: '2026-01-15T10:00:00.000Z',
} as const;

/** Builds the response body of a rule: rates as numbers, times as text. */
export function ruleAnswerOf(rule: rewardRules.PlacedRule) {
  return {
    id: rule.id,
    version: rule.version,
    active: rule.active,
    status: rule.status,
    ruleConfig: {
      conversionRate: Number(rule.conversionRate),
      minSpendMinorUnits: rule.minSpendMinorUnits,
      maxPointsPerTransaction: rule.maxPointsPerTransaction,
      minBalanceToRedeem: rule.minBalanceToRedeem,
      maxRedemptionPercentage: Number(rule.maxRedemptionPercentage),
      roundingPolicy: rule.roundingPolicy,
      effectiveFrom: rule.effectiveFrom.toISOString(),
    },
    createdBy:
      rule.createdBy === null ? null : { userId: rule.createdBy, email: rule.createdByEmail },
    createdAt: rule.createdAt.toISOString(),
  };
}
