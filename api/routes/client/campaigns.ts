import { z } from 'zod';
import * as campaigns from '../../../db/tenants/campaigns.ts';
import { CampaignInput } from '../../../domain/campaigns.ts';
import { CampaignId } from '../../../domain/ids.ts';
import { actingBy } from '../../http/access/acting.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import { CampaignSchema, campaignAnswerOf, campaignExample } from '../../resources/campaign.ts';

/** Where a page starts: below a campaign. */
const Position = z.tuple([z.literal('campaign'), CampaignId]);

export const listCampaigns = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/campaigns',
  access: 'TENANT_VIEW',
  programme: true,
  tag: 'Merchant',
  summary: 'List the campaigns of the tenant, newest first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(CampaignSchema),
  examples: { response: [campaignExample] },

  handle({ tenant, query, db }) {
    const before = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => campaigns.list(db, tenant.id, { limit, before }),
      show: campaignAnswerOf,
      position: ({ id }) => ['campaign', id],
    });
  },
});

export const showCampaign = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/campaigns/:campaignId',
  access: 'TENANT_VIEW',
  programme: true,
  tag: 'Merchant',
  summary: 'Show a campaign, with what it has given',
  refusals: ['NOT_FOUND'],
  response: CampaignSchema,
  examples: { response: campaignExample },

  async handle({ tenant, params, db }) {
    return campaignAnswerOf(await campaigns.get(db, tenant.id, params.campaignId));
  },
});

export const publishCampaign = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/campaigns',
  access: 'TENANT_REWARD_CONFIG',
  programme: true,
  status: 201,
  idempotent: true,
  tag: 'Merchant',
  summary: 'Publish a campaign',
  description:
    'It gives more points for the sales that it names, decided from now on. Its terms never ' +
    'change: end it and publish another one. One with `days` or `hours` goes by the clocks of ' +
    'the shop, and sets them as a programme does (`time_zone_required`). Twenty may be open.',
  refusals: ['RULE_REJECTED'],
  issues: ['too_generous', 'too_many_campaigns', 'time_zone_required'],
  body: CampaignInput,
  response: CampaignSchema,
  examples: {
    body: {
      name: 'Happy hour',
      multiplier: 2,
      days: [1, 2, 3],
      hours: { from: '15:00', to: '18:00' },
      minSpendMinorUnits: 500,
      budgetPoints: 10_000,
    },
    response: campaignExample,
  },

  async handle({ tenant, body, tx, ...request }) {
    const published = { tenantId: tenant.id, body, acting: actingBy(request) };
    return campaignAnswerOf(await campaigns.publish(tx, published));
  },
});

export const endCampaign = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/campaigns/:campaignId/end',
  access: 'TENANT_REWARD_CONFIG',
  programme: true,
  idempotent: true,
  tag: 'Merchant',
  summary: 'End a campaign',
  description:
    'Sales from now on get nothing of it; those of before that arrive late still do. Repeating ' +
    'it changes nothing.',
  refusals: ['NOT_FOUND'],
  response: CampaignSchema,
  examples: {
    response: { ...campaignExample, status: 'ended', endedAt: '2026-01-20T10:00:00.000Z' },
  },

  async handle({ tenant, params, tx, ...request }) {
    const ended = { tenantId: tenant.id, id: params.campaignId, acting: actingBy(request) };
    return campaignAnswerOf(await campaigns.end(tx, ended));
  },
});
