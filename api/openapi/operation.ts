import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiRequestBodyObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import { CSV_TYPE } from '../http/replies/csv.ts';
import type { Route } from '../http/route.ts';
import { pathParametersOf } from './path-parameters.ts';
import type { DescribeRefusals } from './refusals.ts';
import { requestHeadersOf } from './request-headers.ts';
import { headersOf } from './response-headers.ts';
import { callersOf, rolesOf, securityOf, USUAL_SECURITY } from './security.ts';
import { tagOf } from './tags.ts';

const JSON_TYPE = 'application/json';

/**
 * Describes a route under its name, which is the id of its operation. `x-roles` lists the roles
 * that may call it, and `x-idempotency-key` marks that it honours the header.
 */
export function operationOf(
  name: string,
  route: Route,
  refusalsOf: DescribeRefusals,
): ZodOpenApiOperationObject {
  const body = requestBodyOf(route);
  const path = pathParametersOf(route);
  const roles = rolesOf(route);
  return {
    tags: [tagOf(route)],
    summary: route.summary,
    description: [route.description, callersOf(route)].filter(Boolean).join('\n\n'),
    operationId: name,
    ...securityIn(route),
    ...(roles && { 'x-roles': [...roles] }),
    ...(route.idempotent && { 'x-idempotency-key': true }),
    requestParams: {
      header: requestHeadersOf(route),
      ...(path && { path }),
      ...(route.query && { query: route.query }),
    },
    ...(body && { requestBody: body }),
    responses: { ...successesOf(route), ...refusalsOf(route) },
  };
}

/** What callers send by default is said once, for the whole document. */
function securityIn(route: Route): Pick<ZodOpenApiOperationObject, 'security'> {
  const security = securityOf(route);
  return JSON.stringify(security) === JSON.stringify(USUAL_SECURITY) ? {} : { security };
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
  const headers = headersOf(route);
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
    z.object({
      id: z.string().describe('What `Last-Event-ID` takes.'),
      event: z.literal(name).describe('The kind of the event.'),
      data: events[name]?.data ?? z.unknown(),
    }),
  );
  const examples = names.map((event): [string, { value: object }] => {
    return [event, { value: { id: '8Vq2mZ0cT.h3k9', event, data: events[event]?.example } }];
  });
  return { schema: z.union(kinds), examples: Object.fromEntries(examples) };
}

function exampleOf(value: unknown): { example?: unknown } {
  return value === undefined ? {} : { example: value };
}
