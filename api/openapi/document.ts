import { z } from 'zod';
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { CSV_TYPE } from '../http/csv.ts';
import { ErrorEnvelope } from '../http/errors.ts';
import { pathIds, pathOf, type Route } from '../http/route.ts';
import { documentedErrors } from './documented-errors.ts';
import { requestHeadersOf } from './request-headers.ts';
import { headersOf, linkHeader, statusHeaders } from './response-headers.ts';

const JSON_TYPE = 'application/json';
const ID_SCHEMA = {
  type: 'string',
  format: 'uuid',
  examples: ['5b2f0d3e-0c1f-4f6e-9a3b-7f1d2c3e4a5b'],
} as const satisfies oas31.SchemaObject;

const OBJECT_NAME_SCHEMA = {
  type: 'string',
  examples: ['5f0c6a1e9b7d4c3286a1d0e4f7b9c2a5.webp'],
} as const satisfies oas31.SchemaObject;

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token issued by the identity provider.',
  },
  cronSecret: { type: 'apiKey', in: 'header', name: 'X-Cron-Secret' },
  alphaSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Alpha-HMACSHA256-Signature',
    description: 'HMAC-SHA256 of the address followed by the body, in base64 or hex.',
  },
  betaSignature: { type: 'apiKey', in: 'header', name: 'X-Beta-Auth' },
} as const satisfies Record<string, oas31.SecuritySchemeObject>;

/** Builds the OpenAPI 3.1 document of the routes from the schemas that validate their requests. */
export function describeApi(routes: readonly Route[], version: string): oas31.OpenAPIObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const path = pathOf(route).replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Loyalty points',
        version,
        description:
          'Consumers earn points with payments at a merchant’s point of sale, and redeem them ' +
          'there. Points and amounts are integers; amounts are in minor units. Times are ' +
          'ISO 8601 in UTC.',
      },
      servers: [{ url: '/', description: 'The service that serves this document.' }],
      tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
      paths,
      components: { securitySchemes },
    },
    { override: showStrictness },
  );
}

/** A request with an unknown field is refused; a response may get further fields at any time. */
const showStrictness: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  if (!(zodSchema instanceof z.ZodObject) || zodSchema.def.catchall !== undefined) return;
  if (io === 'input') jsonSchema.additionalProperties = false;
  else delete jsonSchema.additionalProperties;
};

function operationOf(route: Route): ZodOpenApiOperationObject {
  const body = requestBodyOf(route);
  const params = pathParams(route);
  return {
    tags: [tagOf(route)],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    operationId: operationIdOf(route),
    security: securityOf(route),
    requestParams: {
      header: requestHeadersOf(route),
      ...(params && { path: params }),
      ...(route.query && { query: route.query }),
    },
    ...(body && { requestBody: body }),
    responses: { ...successesOf(route), ...refusalsOf(route) },
  };
}

function tagOf(route: Route): string {
  return route.tag ?? 'Other';
}

function operationIdOf({ method, path }: Route): string {
  const words = path
    .replace(/(.)\/$/, '$1/index')
    .replaceAll(':', 'by-')
    .split(/[^A-Za-z0-9]+/);
  const named = words.filter((word) => word !== '');
  return [method.toLowerCase(), ...(named.length > 0 ? named : ['root'])]
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

function securityOf({ access, path }: Route): oas31.SecurityRequirementObject[] {
  const requirement = (name: keyof typeof securitySchemes) => [{ [name]: [] }];
  switch (access) {
    case 'public':
    case 'signed-state':
      return [];
    case 'cron-secret':
      return requirement('cronSecret');
    case 'signed-webhook':
      return requirement(path.endsWith('/alpha') ? 'alphaSignature' : 'betaSignature');
    default:
      return requirement('bearer');
  }
}

function pathParams({ path }: Route): z.ZodObject | undefined {
  const params = Object.entries(pathIds).filter(([name]) => path.split('/').includes(`:${name}`));
  if (params.length === 0) return undefined;
  return z.object(
    Object.fromEntries(
      params.map(([name]) => {
        const override = name === 'objectName' ? OBJECT_NAME_SCHEMA : ID_SCHEMA;
        return [name, z.string().meta({ override })];
      }),
    ),
  );
}

function requestBodyOf(route: Route): ZodOpenApiRequestBodyObject | undefined {
  if (route.access === 'signed-webhook') {
    return {
      description: 'The exact bytes that were signed.',
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    };
  }
  if (!route.body) return undefined;
  return {
    required: !route.body.safeParse({}).success,
    content: { [JSON_TYPE]: { schema: route.body, ...exampleOf(route.examples?.body) } },
  };
}

function successesOf(route: Route): Record<string, ZodOpenApiResponseObject> {
  const responses = Object.entries({
    [route.status ?? 200]: 'Success.',
    ...route.otherStatuses,
  }).map(([status, description]) => [status, successOf(route, description)]);
  const known = {
    304: {
      description: 'Not changed since the version that `If-None-Match` names.',
      headers: headersOf(route),
    },
  };
  return { ...Object.fromEntries(responses), ...(route.produces && known) };
}

function successOf(route: Route, description: string): ZodOpenApiResponseObject {
  const isList = route.query !== undefined && 'cursor' in route.query.shape;
  const headers = { ...headersOf(route), ...(isList && linkHeader) };
  if (route.produces) {
    const type = route.produces === JSON_TYPE ? 'object' : 'string';
    return { description, headers, content: { [route.produces]: { schema: { type } } } };
  }
  if (route.events) {
    return { description, headers, content: { 'text/event-stream': streamOf(route.events) } };
  }
  if (!route.response) return { description, headers };
  const content = { schema: route.response, ...exampleOf(route.examples?.response) };
  const csv = route.csv && { [CSV_TYPE]: { schema: { type: 'string' as const } } };
  return { description, headers, content: { [JSON_TYPE]: content, ...csv } };
}

/** Describes one event of a stream: its fields, of which `data` is the JSON of a resource. */
function streamOf(events: NonNullable<Route['events']>) {
  const names = Object.keys(events);
  const kinds = names.map((name) =>
    z.object({ id: z.string(), event: z.literal(name), data: events[name]?.data ?? z.unknown() }),
  );
  const examples = names.map((name): [string, { value: string }] => {
    const data = JSON.stringify(events[name]?.example);
    return [name, { value: `id: 8Vq2mZ0cT.h3k9\nevent: ${name}\ndata: ${data}\n\n` }];
  });
  return { schema: z.union(kinds), examples: Object.fromEntries(examples) };
}

function refusalsOf(route: Route): Record<string, ZodOpenApiResponseObject> {
  const responses = [...documentedErrors(route)].map(([status, codes]) => [
    status,
    {
      description: `${codes.join(' or ')}.`,
      headers: { ...headersOf(route), ...statusHeaders[status] },
      content: { [JSON_TYPE]: { schema: ErrorEnvelope } },
    },
  ]);
  return Object.fromEntries(responses);
}

function exampleOf(value: unknown): { example?: unknown } {
  return value === undefined ? {} : { example: value };
}
