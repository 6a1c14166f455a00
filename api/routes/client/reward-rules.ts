import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import * as rewardRules from '../../../db/tenants/reward-rules.ts';
import { RewardRuleInput } from '../../../domain/reward-rule.ts';
import { actingBy } from '../../http/access/acting.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import { RewardRuleSchema, rewardRuleExample, ruleAnswerOf } from '../../resources/reward-rule.ts';

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
  examples: { response: [rewardRuleExample] },

  handle({ tenant, query, db }) {
    const before = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => rewardRules.list(db, tenant.id, { limit, before }),
      show: ruleAnswerOf,
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
  examples: { body: { conversionRate: 0.1, minSpendMinorUnits: 500 }, response: rewardRuleExample },

  async handle({ tenant, body, tx, ...request }) {
    const effectiveFrom = body.effectiveFrom === undefined ? null : new Date(body.effectiveFrom);
    const terms = { ...body, effectiveFrom, tenantId: tenant.id, createdBy: request.user.id };
    const rule = await rewardRules.publish(tx, terms);
    const [replaced] = await rewardRules.list(tx, tenant.id, { limit: 1, before: rule.version });
    await auditLog.insert(tx, {
      ...actingBy(request),
      action: 'rule.publish',
      targetType: 'rule',
      targetId: rule.id,
      tenantId: tenant.id,
      reason: null,
      before: replaced === undefined ? {} : auditedRule(replaced),
      after: auditedRule(rule),
    });
    return ruleAnswerOf(rule);
  },
});

/** What a version says, as the audit log keeps it. */
function auditedRule(rule: rewardRules.PlacedRule): auditLog.AuditedState {
  const { version, ruleConfig } = ruleAnswerOf(rule);
  return { version, ...ruleConfig };
}
