import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pathOf } from '../../../api/http/route.ts';
import { openApiText } from '../../../api/openapi/file.ts';
import { issueExampleNames } from '../../../api/openapi/issue-examples.ts';
import { namedRoutes, routes } from '../../../api/routes/index.ts';
import { ISSUE_CODES } from '../../../domain/errors.ts';
import { EVENT_TYPES, TEST_EVENT } from '../../../domain/webhook-event.ts';

const Operation = z.looseObject({
  operationId: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  parameters: z.array(z.looseObject({})),
});
const Schemas = z.record(z.string(), z.looseObject({}));
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  tags: z.array(z.object({ name: z.string(), description: z.string().optional() })),
  components: z.looseObject({
    schemas: Schemas,
    parameters: z.record(z.string(), z.looseObject({})),
  }),
});

const read = (audience: 'apps' | 'internal') => Document.parse(JSON.parse(openApiText(audience)));
const documents = { apps: read('apps'), internal: read('internal') };
const audiences = ['apps', 'internal'] as const;

const operationsOf = ({ paths }: z.infer<typeof Document>) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
const everyOperation = audiences.flatMap((audience) => operationsOf(documents[audience]));

describe.each(audiences)('the document for %s', (audience) => {
  const document = documents[audience];

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(openApiText(audience)));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('describes every tag, parameter, property and operation', () => {
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
    const silent = operationsOf(document).filter(({ operation }) => !operation.description);
    expect(silent).toEqual([]);
    expect(undescribed(document, '', document)).toEqual([]);
  });

  it('contains no pattern that repeats a format, nor bounds that no answer has', () => {
    const text = openApiText(audience);
    expect(text).not.toContain('-9007199254740991');
    // A request with more points, or a parameter with more, is refused: it has to say so.
    const bounded = [...text.matchAll(/"(\w+)": \{(?:[^{}](?!\w+": \{))*9007199254740991/g)];
    for (const [, name] of bounded) expect(['pointsToRedeem', 'schema']).toContain(name);
    expect(text).not.toMatch(/"pattern": "[^"]*\[0-9a-fA-F\]\{8\}/);
  });

  it('names no host of ours', () => {
    expect(openApiText(audience)).not.toMatch(/localhost|127\.0\.0\.1/);
  });
});

/** The places of parameters and properties without a description. */
function undescribed(value: unknown, place: string, document: unknown): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => undescribed(item, `${place}/${index}`, document));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]: [string, unknown]) => {
    if (key === 'example' || key === 'examples') return [];
    const at = `${place}/${key}`;
    const isProperties = key === 'properties' && !place.endsWith('/properties');
    const own = isProperties || key === 'parameters' ? unsaid(child, at) : [];
    return [...own, ...undescribed(child, at, document)];
  });
}

const Described = z.looseObject({
  description: z.string().optional(),
  $ref: z.string().optional(),
});

function unsaid(parts: unknown, place: string): string[] {
  const found = z.record(z.string(), Described).parse({ ...Object(parts) });
  return Object.entries(found)
    .filter(([, { description, $ref }]) => !description && $ref === undefined)
    .map(([name]) => `${place}/${name}`);
}

describe('the operations', () => {
  it('are all routes, each once', () => {
    const expected = routes.map(
      (route) => `${route.method} ${pathOf(route).replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(everyOperation.map(({ name }) => name).sort()).toEqual(expected.sort());
  });

  it('have the names of their routes, which are short, unique and verbs with an object', () => {
    const ids = everyOperation.map(({ operation }) => operation.operationId);
    expect(ids.toSorted()).toEqual(Object.keys(namedRoutes).toSorted());
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
    expect(ids.filter((id) => id.length > 30)).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['listWallets', 'showWallet', 'confirmRedemption']));
  });
});

describe('errors', () => {
  it('have one enum of codes, and an example of each where it occurs', () => {
    const { IssueCode } = documents.apps.components.schemas;
    expect(IssueCode?.enum).toEqual(Object.keys(ISSUE_CODES));
    const text = JSON.stringify(documents.apps.paths) + JSON.stringify(documents.apps.components);
    const absent = issueExampleNames().filter(
      (name) => !text.includes(`"#/components/examples/${name}"`),
    );
    // No operation has a method that its path does not have.
    expect(absent).toEqual(['method_not_allowed']);
  });
});

describe('the schemas', () => {
  it('are not named as generators name an inline one', () => {
    // A `status` inside `Wallet` becomes `WalletStatus`; a second one removes both from clients.
    const { schemas } = documents.apps.components;
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

  it.each(routes.map((each) => [`${each.method} ${each.path}`, each] as const))(
    '%s: accept their examples',
    (_, { query, body, response, examples }) => {
      if (body) expect(body.safeParse(examples?.body).error).toBeUndefined();
      if (response) expect(response.safeParse(examples?.response).error).toBeUndefined();
      if (query) expect(query.safeParse(examples?.query ?? {}).error).toBeUndefined();
    },
  );
});

describe('the messages to endpoints', () => {
  const { webhooks } = z
    .object({ webhooks: z.record(z.string(), z.object({ post: z.unknown() })) })
    .parse(documents.apps);

  it('are described, one for each type and the test', () => {
    expect(Object.keys(webhooks).toSorted()).toEqual([...EVENT_TYPES, TEST_EVENT].toSorted());
    expect(webhooks).toEqual(
      Object.fromEntries(
        Object.keys(webhooks).map((type) => [
          type,
          {
            post: expect.objectContaining({
              parameters: ['id', 'timestamp', 'signature'].map((name) => ({
                $ref: `#/components/parameters/webhook-${name}`,
              })),
              requestBody: {
                required: true,
                content: { 'application/json': { schema: expect.anything() } },
              },
            }),
          },
        ]),
      ),
    );
  });

  it('are not in the document of those who run the service', () => {
    expect(documents.internal).not.toHaveProperty('webhooks');
  });
});

// About 4 KB for each of 130 operations, those of 11 messages and 18 sentences in it. Pages read
// it whole.
it('the document of apps fits in 540 KB', () => {
  expect(JSON.stringify(documents.apps).length).toBeLessThan(540_000);
});
