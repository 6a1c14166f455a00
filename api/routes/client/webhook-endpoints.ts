import { z } from 'zod';
import { newId } from '../../../db/new-id.ts';
import * as endpoints from '../../../db/outgoing/endpoints.ts';
import * as secrets from '../../../db/outgoing/secrets.ts';
import { EndpointId } from '../../../domain/ids.ts';
import { EventTypes } from '../../../domain/webhook-event.ts';
import { bindingOfSecret } from '../../../gateways/webhooks/secret-binding.ts';
import { newSecret } from '../../../gateways/webhooks/signature.ts';
import { actingBy } from '../../http/access/acting.ts';
import { route } from '../../http/route.ts';
import {
  EndpointSchema,
  EndpointWithSecret,
  endpointAnswer,
  endpointExample,
  requirePublic,
  secretExample,
} from '../../resources/endpoint.ts';

const Url = z.string().max(2_048).describe('Begins with https and leads to a public address.');
const Types = EventTypes.nullable()
  .optional()
  .describe('The types of events to send. Null, or without it on creation: all of them.');

export const createEndpoint = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/webhook-endpoints',
  access: 'TENANT_PROFILE_UPDATE',
  idempotent: true,
  sealed: true,
  tag: 'Webhooks',
  summary: 'Have events sent to an address',
  description:
    'Each event from now on is sent by POST, signed as the Standard Webhooks specification says, ' +
    'at least once and in no promised order: `webhook-id` stays the same. An answer of 2xx ' +
    'within 10 seconds takes it; else it is sent again for about three days. A shop may have ten.',
  refusals: ['RULE_REJECTED'],
  issues: ['address_not_public', 'too_many_endpoints'],
  body: z.object({ url: Url, types: Types }),
  response: EndpointWithSecret,
  examples: {
    body: { url: endpointExample.url, types: [...endpointExample.types] },
    response: { ...endpointExample, types: [...endpointExample.types], secret: secretExample },
  },

  async before({ db, tenant, body, settings }) {
    requirePublic(body.url, settings.webhooksAllowLoopback);
    await endpoints.tellFromNowOn(db, tenant.id);
  },

  async handle({ tx, tenant, body, webhookSealer, ...request }) {
    const id = EndpointId.parse(newId());
    const secret = newSecret();
    const endpoint = await endpoints.create(
      tx,
      { id, tenantId: tenant.id, url: body.url, types: body.types ?? null },
      webhookSealer.seal(secret, bindingOfSecret(id)),
    );
    const acting = actingBy(request);
    await endpoints.audit(tx, endpoint, { acting, done: 'create', after: endpoint });
    return { ...endpointAnswer(endpoint), secret };
  },
});

export const listEndpoints = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/webhook-endpoints',
  access: 'TENANT_PROFILE_UPDATE',
  tag: 'Webhooks',
  summary: 'List the addresses that get events, oldest first',
  response: z.array(EndpointSchema),
  examples: { response: [{ ...endpointExample, types: [...endpointExample.types] }] },

  async handle({ tenant, db }) {
    return (await endpoints.list(db, tenant.id)).map(endpointAnswer);
  },
});

export const showEndpoint = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/webhook-endpoints/:endpointId',
  access: 'TENANT_PROFILE_UPDATE',
  tag: 'Webhooks',
  summary: 'Show an address that gets events',
  refusals: ['NOT_FOUND'],
  response: EndpointSchema,
  examples: { response: { ...endpointExample, types: [...endpointExample.types] } },

  async handle({ tenant, params, db }) {
    return endpointAnswer(await endpoints.get(db, tenant.id, params.endpointId));
  },
});

export const updateEndpoint = route({
  method: 'PATCH',
  path: '/client/tenants/:tenantId/webhook-endpoints/:endpointId',
  access: 'TENANT_PROFILE_UPDATE',
  tag: 'Webhooks',
  summary: 'Change an address that gets events, or disable it',
  description:
    'While it is disabled nothing is sent. When it is active again, it gets what has happened ' +
    'meanwhile, up to 30 days.',
  refusals: ['NOT_FOUND'],
  issues: ['address_not_public'],
  body: z.object({
    url: Url.optional(),
    types: Types,
    status: z.enum(endpoints.ENDPOINT_STATUSES).optional(),
  }),
  response: EndpointSchema,
  examples: {
    body: { status: 'active' },
    response: { ...endpointExample, types: [...endpointExample.types] },
  },

  async handle({ db, tenant, params, body, settings, orchestrator, ...request }) {
    if (body.url !== undefined) requirePublic(body.url, settings.webhooksAllowLoopback);
    const changed = await db.transaction(async (tx) => {
      const before = await endpoints.lock(tx, tenant.id, params.endpointId);
      const after = await endpoints.update(tx, before, body);
      const acting = actingBy(request);
      await endpoints.audit(tx, after, { acting, done: 'update', before, after });
      return after;
    });
    if (changed.status === 'active') {
      orchestrator.deliverEventsLater(tenant.id, request.correlationId);
    }
    return endpointAnswer(changed);
  },
});

export const deleteEndpoint = route({
  method: 'DELETE',
  path: '/client/tenants/:tenantId/webhook-endpoints/:endpointId',
  access: 'TENANT_PROFILE_UPDATE',
  tag: 'Webhooks',
  summary: 'Have no more events sent to an address',
  refusals: ['NOT_FOUND'],
  response: z.object({ ok: z.literal(true), id: EndpointId }),
  examples: { response: { ok: true, id: endpointExample.id } },

  async handle({ db, tenant, params: { endpointId }, ...request }) {
    await db.transaction(async (tx) => {
      const before = await endpoints.remove(tx, tenant.id, endpointId);
      if (before === undefined) return;
      const acting = actingBy(request);
      await endpoints.audit(tx, before, { acting, done: 'delete', before });
    });
    return { ok: true, id: endpointId };
  },
});

export const rotateEndpointSecret = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/webhook-endpoints/:endpointId/rotate-secret',
  access: 'TENANT_PROFILE_UPDATE',
  idempotent: true,
  sealed: true,
  tag: 'Webhooks',
  summary: 'Give an address a new secret',
  description: 'The one before signs beside it for 24 hours, with a signature of its own.',
  refusals: ['NOT_FOUND'],
  response: EndpointWithSecret,
  examples: {
    response: { ...endpointExample, types: [...endpointExample.types], secret: secretExample },
  },

  async handle({ tx, tenant, params: { endpointId }, webhookSealer, ...request }) {
    const endpoint = await endpoints.lock(tx, tenant.id, endpointId);
    const secret = newSecret();
    await secrets.rotate(tx, endpointId, webhookSealer.seal(secret, bindingOfSecret(endpointId)));
    await endpoints.audit(tx, endpoint, { acting: actingBy(request), done: 'rotate' });
    return { ...endpointAnswer(endpoint), secret };
  },
});
