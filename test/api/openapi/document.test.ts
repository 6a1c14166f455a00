import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pageCursor, pageLimit } from '../../../api/http/replies/pagination.ts';
import { type Route, route } from '../../../api/http/route.ts';
import { describeApi } from '../../../api/openapi/document.ts';
import { describedOperations } from '../../support/http/described.ts';

const Thing = z
  .object({ name: z.string(), size: z.int().default(1) })
  .meta({ id: 'Thing', description: 'A thing.' });

const listThings = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/things',
  access: 'TENANT_VIEW',
  tag: 'Things',
  summary: 'List the things',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(z.tuple([z.string()])) }),
  response: z.array(Thing),
  examples: { response: [{ name: 'chair', size: 2 }] },
  handle: () => [],
});

const makeThing = route({
  method: 'POST',
  path: '/consumer/wallets/:walletId/things',
  access: 'WALLET_REDEEM',
  summary: 'Make a thing',
  status: 201,
  body: Thing,
  response: Thing,
  idempotent: true,
  refusals: ['RULE_REJECTED', 'INSUFFICIENT_BALANCE'],
  examples: { body: { name: 'chair' }, response: { name: 'chair', size: 1 } },
  handle: ({ body }) => body,
});

const hook = route({
  method: 'POST',
  path: '/webhooks/alpha',
  access: 'signed-webhook',
  summary: 'Take an event',
  handle: () => ({}),
});

/** Returns the only operation of the document of a route, its references resolved. */
const operation = (described: Route) => describedOperations({ described }).of(described);

const statusesOf = (described: Record<string, unknown>) =>
  Object.keys(z.record(z.string(), z.unknown()).parse(described.responses)).map(Number);

describe('a described route', () => {
  it('lists its parameters, with their types and bounds', () => {
    expect(operation(listThings).parameters).toEqual([
      expect.objectContaining({ in: 'header', name: 'X-Correlation-Id' }),
      expect.objectContaining({
        in: 'path',
        name: 'tenantId',
        required: true,
        schema: expect.objectContaining({ type: 'string', format: 'uuid' }),
      }),
      expect.objectContaining({
        in: 'query',
        name: 'limit',
        schema: expect.objectContaining({ type: 'integer', minimum: 1, default: 50 }),
      }),
      expect.objectContaining({ in: 'query', name: 'cursor' }),
    ]);
  });

  it('lists every status that follows from its access and its input', () => {
    expect(statusesOf(operation(listThings))).toEqual([200, 400, 401, 403, 404, 429, 500, 503]);
    expect(statusesOf(operation(makeThing))).toEqual([
      201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503,
    ]);
  });

  it('lists the codes of each refusal, with the error envelope', () => {
    expect(operation(listThings).responses).toMatchObject({
      403: {
        description: 'INSUFFICIENT_ROLE or TENANT_FORBIDDEN.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
      404: { description: 'TENANT_NOT_FOUND.' },
      401: { headers: { 'WWW-Authenticate': expect.anything() } },
      503: { headers: { 'Retry-After': expect.anything() } },
      200: { headers: { Link: expect.anything(), 'X-Correlation-Id': expect.anything() } },
    });
  });

  it('contains its security where it is not the usual one, its body and its examples', () => {
    const { security } = describeApi({ makeThing }, { version: '1' });
    expect(security).toEqual([{ bearer: [] }, { openIdConnect: [] }]);
    expect(operation(makeThing)).not.toHaveProperty('security');
    expect(operation(makeThing)).toMatchObject({
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Thing' },
            example: { name: 'chair' },
          },
        },
      },
      responses: { 201: { content: { 'application/json': { example: { size: 1 } } } } },
    });
  });

  it('refuses unknown fields of a request, and may add fields to a response', () => {
    const { components } = z
      .object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })
      .parse(describeApi({ makeThing }, { version: '1.2.3' }));
    expect(components.schemas.Thing).toMatchObject({ additionalProperties: false });
    expect(components.schemas.ThingOutput).toBeDefined();
    expect(components.schemas.ThingOutput).not.toHaveProperty('additionalProperties');
    expect(components.schemas.Error).not.toHaveProperty('additionalProperties');
  });

  it('allows the properties of a component that it refers to under a description', () => {
    const showPair = route({
      method: 'GET',
      path: '/consumer/pair',
      access: 'WALLET_VIEW_OWN',
      summary: 'Show a pair',
      response: z.object({ one: Thing.describe('The first.') }),
      handle: () => ({ one: { name: 'chair', size: 2 } }),
    });
    const described = describeApi({ showPair }, { version: '1.0.0' });
    const { schema } = described.paths?.['/api/v1/consumer/pair']?.get?.responses?.['200']
      ?.content?.['application/json'] ?? { schema: undefined };
    expect(schema).toMatchObject({
      properties: {
        one: { $ref: '#/components/schemas/Thing', description: 'The first.' },
      },
    });
    expect(JSON.stringify(schema)).not.toContain('additionalProperties');
  });

  it('contains the headers of idempotency and of rate limits', () => {
    const make = operation(makeThing);
    const limit = { RateLimit: expect.anything(), 'RateLimit-Policy': expect.anything() };
    expect(make).toMatchObject({
      parameters: expect.arrayContaining([
        expect.objectContaining({ in: 'header', name: 'Idempotency-Key' }),
      ]),
      responses: {
        201: { headers: { 'Idempotency-Replayed': expect.anything() } },
        409: { description: 'IDEMPOTENCY_REPLAY.', headers: { 'Retry-After': expect.anything() } },
        422: { description: 'RULE_REJECTED or INSUFFICIENT_BALANCE or IDEMPOTENCY_REPLAY.' },
        429: { headers: { ...limit, 'Retry-After': expect.anything() } },
      },
    });
    const list = operation(listThings);
    expect(JSON.stringify(list.parameters)).not.toContain('Idempotency-');
    expect(list).toMatchObject({ responses: { 401: { headers: limit } } });
    expect(operation(hook)).toMatchObject({
      responses: { 429: { description: 'RATE_LIMITED.', headers: limit } },
    });
  });

  it('requires the signature of a webhook, and accepts any media type', () => {
    expect(operation(hook)).toMatchObject({
      security: [{ alphaSignature: [] }],
      requestBody: { content: { '*/*': expect.anything() } },
    });
  });
});

const drawThing = route({
  method: 'POST',
  path: '/pos/things',
  access: 'REDEMPTION_VERIFY',
  shop: 'named',
  summary: 'Draw a thing',
  refusals: ['RULE_REJECTED', 'NOT_FOUND'],
  issues: ['code_used'],
  handle: () => ({}),
});

describe('what apps are told of a route', () => {
  it('its name, the roles that may call it, and whether it may be repeated under a key', () => {
    const { operationId, description, ...make } = operation(makeThing);
    expect(operationId).toBe('described');
    expect(description).toBe('Roles: `consumer`, `pos_operator` (permission `WALLET_REDEEM`).');
    expect(make).toMatchObject({
      'x-roles': ['consumer', 'pos_operator'],
      'x-idempotency-key': true,
    });
    expect(operation(listThings)).not.toHaveProperty('x-idempotency-key');
    expect(operation(hook)).not.toHaveProperty('x-roles');
  });

  it('an example of each issue of its own, at the status it comes with', () => {
    const { responses } = z
      .object({ responses: z.record(z.string(), z.object({ content: z.unknown().optional() })) })
      .parse(operation(drawThing));
    const Examples = z.object({
      'application/json': z.object({ examples: z.record(z.string(), z.unknown()) }),
    });
    const examplesAt = (status: number) =>
      Examples.parse(responses[status]?.content)['application/json'].examples;
    expect(examplesAt(422)).toEqual({
      code_used: {
        value: {
          code: 'RULE_REJECTED',
          message: expect.any(String),
          requestId: expect.any(String),
          issues: [
            {
              path: '',
              code: 'code_used',
              message: expect.any(String),
              params: { usedAt: expect.any(String) },
            },
          ],
        },
      },
    });
    expect(Object.keys(examplesAt(400))).toEqual(
      expect.arrayContaining(['shop_required', 'invalid_fields', 'invalid_json']),
    );
    expect(Object.keys(examplesAt(401))).toContain('token_expired');
  });
});

describe('the two documents', () => {
  const named = { listThings, makeThing, hook };

  it('have the routes of apps in one, and those of providers and schedulers in the other', () => {
    const pathsOf = (audience: 'apps' | 'internal') =>
      Object.keys(describeApi(named, { version: '1', audience }).paths ?? {});
    expect(pathsOf('apps')).toEqual([
      '/api/v1/client/tenants/{tenantId}/things',
      '/api/v1/consumer/wallets/{walletId}/things',
    ]);
    expect(pathsOf('internal')).toEqual(['/api/v1/webhooks/alpha']);
  });

  it('describe once what operations have in common, and nothing that none has', () => {
    const { components } = describeApi(named, { version: '1' });
    expect(Object.keys(components?.parameters ?? {})).toEqual(['X-Correlation-Id']);
    expect(Object.keys(components?.securitySchemes ?? {})).toEqual(['bearer', 'openIdConnect']);
    expect(Object.keys(components?.examples ?? {})).not.toContain('method_not_allowed');
    expect(components?.responses).toMatchObject({
      TooLarge: { description: 'VALIDATION_ERROR.' },
      StillRunning: { description: 'IDEMPOTENCY_REPLAY.' },
    });
  });
});
