import { z } from 'zod';
import * as liability from '../../../db/tenants/liability.ts';
import { Refusal } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import {
  LiabilitySchema,
  liabilityAnswerOf,
  liabilityExample,
  monthParameter,
} from '../../resources/liability.ts';

export const showLiability = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/liability',
  access: 'TENANT_ANALYTICS_VIEW',
  programme: true,
  tag: 'Merchant',
  summary: 'Show what the tenant owed its consumers in points after a month',
  description:
    'It is counted when a month has ended and its points have expired, and stays as it was then. ' +
    'NOT_FOUND while no month has been counted to its end, for one that was skipped, and for one ' +
    'by which nothing could be due, since nothing is counted then.',
  refusals: ['NOT_FOUND'],
  query: z.object({
    month: monthParameter().optional().describe('By default the newest that was counted.'),
  }),
  response: LiabilitySchema,
  examples: { query: { month: '2026-03' }, response: liabilityExample },

  async handle({ tenant, query: { month }, db }) {
    const found = await liability.find(db, tenant.id, month);
    if (found !== undefined) return liabilityAnswerOf(found, tenant);
    throw new Refusal(
      'NOT_FOUND',
      month === undefined
        ? 'No month has been counted yet. It is when a month ends in which points can expire.'
        : 'The month was not counted. Leave `month` out for the newest that was.',
    );
  },
});
