import { z } from 'zod';
import { DELIVERY_STATUSES, type Delivery } from '../../db/outgoing/deliveries.ts';
import { DISABLED_REASONS, ENDPOINT_STATUSES, type Endpoint } from '../../db/outgoing/endpoints.ts';
import { Refusal } from '../../domain/errors.ts';
import { DeliveryId, EndpointId, TenantEventId } from '../../domain/ids.ts';
import { problemWithUrl } from '../../domain/webhook-address.ts';
import { EventTypeSchema } from '../../domain/webhook-event.ts';

export const EndpointSchema = z
  .object({
    id: EndpointId,
    url: z.string().describe('Where events are sent to.'),
    types: z.array(EventTypeSchema).nullable().describe('Null: events of all types.'),
    status: z.enum(ENDPOINT_STATUSES),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(
        'Why the service disabled it. `gone`: it answered 410. `failing`: it took nothing for ' +
          'five days. Null when it is active, or the merchant disabled it.',
      ),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'WebhookEndpoint' });

export const EndpointWithSecret = EndpointSchema.extend({
  secret: z
    .string()
    .describe('Signs what is sent to it: `whsec_` and base64. It is shown this once.'),
}).meta({ id: 'WebhookEndpointWithSecret' });

export const DeliverySchema = z
  .object({
    id: DeliveryId,
    eventId: TenantEventId.describe('The `webhook-id` of each attempt.'),
    type: EventTypeSchema,
    status: z.enum(DELIVERY_STATUSES),
    attempt: z.int().describe('How many attempts there were.'),
    milliseconds: z.int().nullable().describe('How long the last attempt took.'),
    responseStatus: z.int().nullable().describe('Null when the last attempt got no answer.'),
    response: z.string().nullable().describe('The first 1 KiB of the last answer.'),
    error: z.string().nullable().describe('Why the last attempt failed; null if it did not.'),
    nextAttemptAt: z.iso
      .datetime()
      .nullable()
      .describe('Null when there is none, or it waits for the endpoint to be active.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'WebhookDelivery' });

export const endpointExample = {
  id: '019da3f0-6c1e-7b4a-9f0e-2a8f6c1d3b5e',
  url: 'https://shop.example/hooks/points',
  types: ['points.credited', 'redemption.used'],
  status: 'active',
  disabledReason: null,
  createdAt: '2026-01-15T10:00:00.000Z',
  updatedAt: '2026-01-15T10:00:00.000Z',
} as const;
export const secretExample = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const deliveryExample = {
  id: '019da3f1-0b52-7c61-8d3f-5e7a9b1c2d4e',
  eventId: '019da3f1-0a11-7f02-b1c3-7d9e0f1a2b3c',
  type: 'points.credited',
  status: 'pending',
  attempt: 1,
  milliseconds: 84,
  responseStatus: 503,
  response: 'Back soon',
  error: 'The endpoint answered 503.',
  nextAttemptAt: '2026-01-15T10:00:05.084Z',
  createdAt: '2026-01-15T10:00:00.000Z',
} as const;

/** Builds the response body of an endpoint. */
export function endpointAnswer(endpoint: Endpoint) {
  const { id, url, types, status, disabledReason, createdAt, updatedAt } = endpoint;
  return {
    id,
    url,
    types,
    status,
    disabledReason,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Builds the response body of a delivery. */
export function deliveryAnswer(delivery: Delivery) {
  return {
    ...delivery,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
  };
}

/** Throws VALIDATION_ERROR for an address to which nothing may be sent. */
export function requirePublic(url: string, allowsLoopback: boolean, path = 'url'): void {
  const problem = problemWithUrl(url, allowsLoopback);
  if (problem === undefined) return;
  const message = `${path} ${problem}`;
  throw new Refusal('VALIDATION_ERROR', message, [{ path, code: 'address_not_public', message }]);
}
