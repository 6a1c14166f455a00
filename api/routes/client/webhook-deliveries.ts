import { z } from 'zod';
import * as deliveries from '../../../db/outgoing/deliveries.ts';
import * as endpoints from '../../../db/outgoing/endpoints.ts';
import { TenantEventId } from '../../../domain/ids.ts';
import { actingBy } from '../../http/access/acting.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import { DeliverySchema, deliveryAnswer, deliveryExample } from '../../resources/endpoint.ts';

/** Where a page starts: before the delivery of an event. */
const Position = z.tuple([z.literal('delivery'), TenantEventId]);

export const testEndpoint = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/webhook-endpoints/:endpointId/test',
  access: 'TENANT_PROFILE_UPDATE',
  idempotent: true,
  tag: 'Webhooks',
  summary: 'Send a test to an address',
  description:
    'One message of type `endpoint.test` with `data: {endpointId}`, once and soon, whatever ' +
    'types the address asks for and also while it is disabled. It is in no list.',
  refusals: ['NOT_FOUND'],
  response: z.object({
    ok: z.literal(true),
    eventId: TenantEventId.describe('The `webhook-id` of the message.'),
  }),
  examples: { response: { ok: true, eventId: deliveryExample.eventId } },

  async handle({ tx, afterCommit, tenant, params: { endpointId }, orchestrator, ...request }) {
    const endpoint = await endpoints.lock(tx, tenant.id, endpointId);
    const eventId = await deliveries.addTest(tx, { tenantId: tenant.id, endpointId });
    await endpoints.audit(tx, endpoint, { acting: actingBy(request), done: 'test', eventId });
    afterCommit(() => orchestrator.deliverEventsLater(tenant.id, request.correlationId));
    return { ok: true, eventId };
  },
});

export const listDeliveries = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/webhook-endpoints/:endpointId/deliveries',
  access: 'TENANT_PROFILE_UPDATE',
  tag: 'Webhooks',
  summary: 'List what was sent to an address, newest first',
  description: 'One for each event of the last 30 days, with what came of the last attempt.',
  refusals: ['NOT_FOUND'],
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(DeliverySchema),
  examples: { response: [deliveryExample] },

  async handle({ tenant, params: { endpointId }, query, db }) {
    await endpoints.get(db, tenant.id, endpointId);
    const before = query.cursor?.[1] ?? null;
    return readPage(query.limit, {
      read: (limit) => deliveries.list(db, { tenantId: tenant.id, endpointId }, { before, limit }),
      show: deliveryAnswer,
      position: ({ eventId }) => ['delivery', eventId],
    });
  },
});

export const replayDelivery = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/webhook-endpoints/:endpointId/deliveries/:deliveryId/replay',
  access: 'TENANT_PROFILE_UPDATE',
  idempotent: true,
  tag: 'Webhooks',
  summary: 'Send an event to an address again',
  description: 'The same id and body, now, whatever came of it before.',
  refusals: ['NOT_FOUND'],
  response: DeliverySchema,
  examples: { response: deliveryExample },

  async handle({ tx, afterCommit, tenant, params, orchestrator, ...request }) {
    const { endpointId, deliveryId: id } = params;
    const endpoint = await endpoints.lock(tx, tenant.id, endpointId);
    const delivery = await deliveries.replay(tx, { tenantId: tenant.id, endpointId, id });
    const { eventId } = delivery;
    await endpoints.audit(tx, endpoint, { acting: actingBy(request), done: 'replay', eventId });
    afterCommit(() => orchestrator.deliverEventsLater(tenant.id, request.correlationId));
    return deliveryAnswer(delivery);
  },
});
