import { z } from 'zod';
import * as events from '../../../db/outgoing/events.ts';
import { Refusal } from '../../../domain/errors.ts';
import { TenantEventId } from '../../../domain/ids.ts';
import {
  ConnectionChanged,
  ConnectionGap,
  OperatorJoined,
  PointsMoved,
  RedemptionChanged,
  RulePublished,
  TierChanged,
} from '../../../domain/webhook-data.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';

const TenantEventSchema = z
  .discriminatedUnion('type', [
    eventSchema(
      z.enum(['points.credited', 'points.reversed', 'points.adjusted', 'points.expired']),
      PointsMoved,
    ),
    eventSchema(
      z.enum(['redemption.issued', 'redemption.used', 'redemption.expired']),
      RedemptionChanged,
    ),
    eventSchema(z.enum(['connection.active', 'connection.lost']), ConnectionChanged),
    eventSchema(z.literal('connection.gap'), ConnectionGap),
    eventSchema(z.literal('operator.joined'), OperatorJoined),
    eventSchema(z.literal('rule.published'), RulePublished),
    eventSchema(z.literal('tier.changed'), TierChanged),
  ])
  .meta({ id: 'TenantEvent' });

function eventSchema<Type extends z.ZodEnum | z.ZodLiteral<string>, Data extends z.ZodObject>(
  type: Type,
  data: Data,
) {
  return z.object({
    id: TenantEventId.describe('The `webhook-id` under which it is sent.'),
    type,
    timestamp: z.iso.datetime().describe('When it happened.'),
    data,
  });
}

const id = '019da3f1-0a11-7f02-b1c3-7d9e0f1a2b3c';
const example = {
  id,
  type: 'points.credited',
  timestamp: '2026-01-15T10:00:00.000Z',
  data: {
    walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
    userId: '2b1f0d0e-9a53-4c0e-8f63-7c215b0a7f1d',
    points: 120,
    balance: 1300,
    ledgerEntryId: id,
    transactionId: '3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10',
  },
} as const;

/** Where a page starts: after an event. */
const Position = z.tuple([z.literal('event'), TenantEventId]);

export const listTenantEvents = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/events',
  access: 'TENANT_ANALYTICS_VIEW',
  tag: 'Webhooks',
  summary: 'List the events of the last 30 days, oldest first',
  description:
    'The same events that endpoints get, from the first endpoint on. An event is listed once no ' +
    'other can come before it: who asks again after the last one misses none.',
  query: z.object({
    after: TenantEventId.optional().describe('The id of the event after which the list begins.'),
    limit: pageLimit(50),
    cursor: pageCursor(Position),
  }),
  response: z.array(TenantEventSchema),
  examples: { response: [example] },

  handle({ tenant, query, db }) {
    const after = query.cursor?.[1] ?? query.after ?? null;
    return readPage(query.limit, {
      async read(limit) {
        const found = await events.list(db, tenant.id, { after, limit });
        if (found === undefined) throw unknown();
        return found;
      },
      show: ({ occurredAt, ...event }) => ({ ...event, timestamp: occurredAt.toISOString() }),
      position: (event) => ['event', event.id],
    });
  },
});

function unknown(): Refusal {
  const message = 'There is no such event of the last 30 days. Begin without after.';
  return new Refusal('VALIDATION_ERROR', message, [
    { path: 'after', code: 'invalid_value', message },
  ]);
}
