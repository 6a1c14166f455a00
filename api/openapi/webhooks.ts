import { z } from 'zod';
import type { oas31, ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { MESSAGE_DATA } from '../../domain/webhook-data.ts';

const signatureHeaders = z.object({
  'webhook-id': z.string().meta({
    description: 'The id of the event, the same in each attempt. Handle each id once.',
  }),
  'webhook-timestamp': z.string().meta({
    description: 'When this attempt was made, in seconds since 1970. Refuse what is old.',
  }),
  'webhook-signature': z.string().meta({
    description:
      'One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over ' +
      '`{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match.',
  }),
});

/** Describes the messages that endpoints get, by type, with the schemas of the events. */
export function describeWebhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(MESSAGE_DATA).map(([type, data]) => [type, { post: messageOf(type, data) }]),
  );
}

function messageOf(type: string, data: z.ZodObject): ZodOpenApiOperationObject {
  const message: oas31.SchemaObject = {
    type: 'object',
    properties: {
      type: { type: 'string', const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data: schemaOf(data),
    },
    required: ['type', 'timestamp', 'data'],
  };
  return {
    tags: ['Webhooks'],
    summary: `Get told of ${type}`,
    description: 'Signed as the Standard Webhooks specification says.',
    operationId: `receive${type.split('.').map(capitalized).join('')}`,
    security: [],
    requestParams: { header: signatureHeaders },
    requestBody: { required: true, content: { 'application/json': { schema: message } } },
    responses: {
      '2XX': { description: 'Taken. Anything else is sent again.' },
      '410': { description: 'Nothing more is sent: it disables the endpoint.' },
    },
  };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A component is the one of answers: the same schema for what comes in would be a second one. */
function schemaOf(data: z.ZodObject): oas31.SchemaObject | oas31.ReferenceObject {
  const { id } = data.meta() ?? {};
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` };
  const properties = Object.keys(data.shape);
  return {
    type: 'object',
    properties: Object.fromEntries(
      properties.map((name) => [name, { type: 'string', format: 'uuid' }]),
    ),
    required: properties,
  };
}
