import { z } from 'zod';
import * as rewardRules from '../../../db/tenants/reward-rules.ts';
import { RewardRuleId } from '../../../domain/ids.ts';
import {
  RewardRuleInput,
  ROUNDING_POLICIES,
  RULE_STATUSES,
  RULE_TEXTS,
} from '../../../domain/reward-rule.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';

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
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'RewardRule' });

const example = {
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
  createdAt: '2026-01-15T10:00:00.000Z',
} as const;

/** Where a page starts: below a version, which is an integer of Postgres. */
const Position = z.tuple([z.literal('version'), z.coerce.number().pipe(z.int32())]);

export const listRewardRules = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/reward-rules',
  access: 'TENANT_VIEW',
  tag: 'Merchant',
  summary: 'List the reward rules of the tenant, newest first',
  description:
    'The highest version is the active one. A rule with a future date is `scheduled`; until then ' +
    'the one `in_effect` applies.',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(RewardRuleSchema),
  examples: { response: [example] },

  handle({ tenant, query, db }) {
    const before = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => rewardRules.list(db, tenant.id, { limit, before }),
      show: answerOf,
      position: ({ version }) => ['version', String(version)],
    });
  },
});

export const publishRewardRule = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/reward-rules',
  access: 'TENANT_REWARD_CONFIG',
  status: 201,
  idempotent: true,
  tag: 'Merchant',
  summary: 'Publish a reward rule',
  description:
    'It becomes the next version and the active one. Earlier versions do not change: one that is ' +
    'scheduled for a later date than this one never takes effect.',
  body: RewardRuleInput,
  response: RewardRuleSchema,
  examples: { body: { conversionRate: 0.1, minSpendMinorUnits: 500 }, response: example },

  async handle({ tenant, user, body, tx }) {
    const effectiveFrom = body.effectiveFrom === undefined ? null : new Date(body.effectiveFrom);
    const terms = { ...body, effectiveFrom, tenantId: tenant.id, createdBy: user.id };
    const rule = await rewardRules.publish(tx, terms);
    return answerOf(rule);
  },
});

/** Builds the response body of a rule: rates as numbers, times as text. */
export function answerOf(rule: rewardRules.PlacedRule) {
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
    createdAt: rule.createdAt.toISOString(),
  };
}
