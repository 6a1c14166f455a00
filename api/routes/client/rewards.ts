import { z } from 'zod';
import * as rewards from '../../../db/tenants/rewards.ts';
import { RewardId } from '../../../domain/ids.ts';
import { RewardInput } from '../../../domain/rewards.ts';
import { actingBy } from '../../http/access/acting.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import { RewardSchema, rewardAnswerOf, rewardExample } from '../../resources/reward.ts';

/** Where a page starts: below a reward. */
const Position = z.tuple([z.literal('reward'), RewardId]);

export const listRewards = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/rewards',
  access: 'TENANT_VIEW',
  programme: true,
  tag: 'Merchant',
  summary: 'List the rewards of the tenant, newest first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(RewardSchema),
  examples: { response: [rewardExample] },

  handle({ tenant, query, db }) {
    const before = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => rewards.list(db, tenant.id, { limit, before }),
      show: rewardAnswerOf,
      position: ({ id }) => ['reward', id],
    });
  },
});

export const publishReward = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/rewards',
  access: 'TENANT_REWARD_CONFIG',
  programme: true,
  status: 201,
  idempotent: true,
  tag: 'Merchant',
  summary: 'Publish a reward',
  description:
    'Customers get it for points, by a code as any other. Its terms and its stock never change: ' +
    'end it and publish another one. Fifty may be open.',
  refusals: ['RULE_REJECTED'],
  issues: ['too_generous', 'too_many_rewards'],
  body: RewardInput,
  response: RewardSchema,
  examples: {
    body: {
      name: 'A coffee',
      kind: 'item',
      pricePoints: 300,
      valueMinorUnits: 350,
      stock: 100,
    },
    response: rewardExample,
  },

  async handle({ tenant, body, tx, ...request }) {
    const published = { tenantId: tenant.id, body, acting: actingBy(request) };
    return rewardAnswerOf(await rewards.publish(tx, published));
  },
});

export const endReward = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/rewards/:rewardId/end',
  access: 'TENANT_REWARD_CONFIG',
  programme: true,
  idempotent: true,
  tag: 'Merchant',
  summary: 'End a reward',
  description: 'Codes that customers have for it can still be used. Repeating it changes nothing.',
  refusals: ['NOT_FOUND'],
  response: RewardSchema,
  examples: { response: { ...rewardExample, status: 'ended' } },

  async handle({ tenant, params, tx, ...request }) {
    const ended = { tenantId: tenant.id, id: params.rewardId, acting: actingBy(request) };
    return rewardAnswerOf(await rewards.end(tx, ended));
  },
});
