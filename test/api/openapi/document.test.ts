import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pageCursor, pageLimit } from '../../../api/http/pagination.ts';
import { pathOf, type Route, route } from '../../../api/http/route.ts';
import { describeApi } from '../../../api/openapi/document.ts';
import { routes as served } from '../../../api/routes/index.ts';

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

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
});

/** Returns one operation of the document of the routes. */
function operation(routes: readonly Route[], path: string, method: string) {
  const document = Document.parse(describeApi(routes, '1.2.3'));
  return document.paths[path]?.[method] ?? expect.fail(`${method} ${path} is not described`);
}

const statusesOf = (described: Record<string, unknown>) =>
  Object.keys(z.record(z.string(), z.unknown()).parse(described.responses)).map(Number);

describe('a described route', () => {
  it('lists its parameters, with their types and bounds', () => {
    const path = '/api/v1/client/tenants/{tenantId}/things';
    expect(operation([listThings], path, 'get').parameters).toEqual([
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
    const list = operation([listThings], '/api/v1/client/tenants/{tenantId}/things', 'get');
    expect(statusesOf(list)).toEqual([200, 400, 401, 403, 404, 429, 500, 503]);
    const make = operation([makeThing], '/api/v1/consumer/wallets/{walletId}/things', 'post');
    expect(statusesOf(make)).toEqual([201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]);
  });

  it('lists the codes of each refusal, with the error envelope', () => {
    const { responses } = operation(
      [listThings],
      '/api/v1/client/tenants/{tenantId}/things',
      'get',
    );
    expect(responses).toMatchObject({
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

  it('contains its security, its body and its examples', () => {
    const path = '/api/v1/consumer/wallets/{walletId}/things';
    expect(operation([makeThing], path, 'post')).toMatchObject({
      security: [{ bearer: [] }],
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
      .parse(describeApi([makeThing], '1.2.3'));
    expect(components.schemas.Thing).toMatchObject({ additionalProperties: false });
    expect(components.schemas.ThingOutput).toBeDefined();
    expect(components.schemas.ThingOutput).not.toHaveProperty('additionalProperties');
    expect(components.schemas.Error).not.toHaveProperty('additionalProperties');
  });

  it('contains the headers of idempotency and of rate limits', () => {
    const make = operation([makeThing], '/api/v1/consumer/wallets/{walletId}/things', 'post');
    const limit = { RateLimit: expect.anything(), 'RateLimit-Policy': expect.anything() };
    expect(make).toMatchObject({
      parameters: expect.arrayContaining([
        expect.objectContaining({ in: 'header', name: 'Idempotency-Key' }),
      ]),
      responses: {
        201: { headers: { ...limit, 'Idempotency-Replayed': expect.anything() } },
        409: { description: 'IDEMPOTENCY_REPLAY.', headers: { 'Retry-After': expect.anything() } },
        422: { description: 'RULE_REJECTED or INSUFFICIENT_BALANCE or IDEMPOTENCY_REPLAY.' },
        429: { headers: { ...limit, 'Retry-After': expect.anything() } },
      },
    });
    const list = operation([listThings], '/api/v1/client/tenants/{tenantId}/things', 'get');
    expect(JSON.stringify(list)).not.toContain('Idempotency-');
    expect(list).toMatchObject({ responses: { 200: { headers: limit } } });
    const path = '/api/v1/webhooks/alpha';
    expect(operation([hook], path, 'post')).toMatchObject({
      responses: { 429: { description: 'RATE_LIMITED.', headers: limit } },
    });
  });

  it('requires the signature of a webhook, and accepts any media type', () => {
    expect(operation([hook], '/api/v1/webhooks/alpha', 'post')).toMatchObject({
      security: [{ alphaSignature: [] }],
      requestBody: { content: { '*/*': expect.anything() } },
    });
  });
});

describe('the document of the service', () => {
  let document: Record<string, unknown>;

  beforeAll(() => {
    document = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(JSON.stringify(describeApi(served, '1.2.3'))));
  });

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(document);
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('describes every route once, and nothing else', () => {
    const { paths } = Document.parse(document);
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = served.map(
      (each) => `${each.method} ${pathOf(each).replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(described.sort()).toEqual(expected.sort());
  });

  it('gives every operation an id of its own', () => {
    const operations = Object.values(Document.parse(document).paths).flatMap(Object.values);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(undefined);
  });

  it('names no schema as generators name an inline one', () => {
    // A `status` inside `Wallet` becomes `WalletStatus`; a second one removes both from clients.
    const Components = z.object({ schemas: z.record(z.string(), z.looseObject({})) });
    const { schemas } = z.object({ components: Components }).parse(document).components;
    const Properties = z.record(z.string(), z.looseObject({ $ref: z.string().optional() }));
    const inline = Object.entries(schemas).flatMap(([name, { properties }]) =>
      Object.entries(Properties.catch({}).parse(properties))
        .filter(([, { $ref }]) => $ref === undefined)
        .map(([field]) => `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`),
    );
    expect(inline).toContain('WalletStatus');
    expect(Object.keys(schemas).filter((name) => inline.includes(name))).toEqual([]);
    expect(Object.keys(schemas).filter((name) => name.endsWith('Output'))).toEqual([]);
  });

  it.each(served.map((each) => [`${each.method} ${each.path}`, each] as const))(
    '%s: every schema has an example that it accepts',
    (_, { query, body, response, examples }) => {
      if (body) expect(body.safeParse(examples?.body).error).toBeUndefined();
      if (response) expect(response.safeParse(examples?.response).error).toBeUndefined();
      if (query) expect(query.safeParse(examples?.query ?? {}).error).toBeUndefined();
    },
  );
});
