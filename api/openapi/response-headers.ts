import type { oas31 } from 'zod-openapi';
import type { Route } from '../http/route.ts';

/** Every header that a response may have beyond those of HTTP itself. */
export const headerComponents = {
  'X-Correlation-Id': {
    description: 'The id of the request, which is also the `requestId` of errors.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'How many requests (q) are allowed in how many seconds (w). Absent without a limit.',
    schema: { type: 'string', examples: ['"reads";q=120;w=60'] },
  },
  RateLimit: {
    description:
      'How many requests are left (r), and the seconds until the full quota is back (t).',
    schema: { type: 'string', examples: ['"reads";r=119;t=58'] },
  },
  'Idempotency-Replayed': {
    description: '`true` when the response is the stored one of an earlier request.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description: 'The kind of proof that is missing: `Bearer`.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  Link: {
    description: 'The address of the next page, with `rel="next"`. Absent on the last page.',
    schema: { type: 'string' },
  },
} as const satisfies oas31.HeadersObject;

type HeaderName = keyof typeof headerComponents;

const SHARED = ['X-Correlation-Id'] as const satisfies HeaderName[];
const LIMITED = ['RateLimit-Policy', 'RateLimit'] as const satisfies HeaderName[];

/** What a refusal adds, by its status. A stored 404 or 422 may be sent to a repeated request. */
const OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  404: ['Idempotency-Replayed'],
  409: ['Retry-After'],
  422: ['Idempotency-Replayed'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/**
 * Returns the headers of a successful response of a route. Those of limits, which nearly all have,
 * are described with the errors only: repeated here they would be a tenth of the document.
 */
export function headersOf(route: Route): oas31.HeadersObject {
  const isList = route.query !== undefined && 'cursor' in route.query.shape;
  return referencesTo([
    ...SHARED,
    ...(route.idempotent ? (['Idempotency-Replayed'] as const) : []),
    ...(isList ? (['Link'] as const) : []),
  ]);
}

/** Returns the headers of a refusal. Those of limits are absent where nothing is counted. */
export function refusalHeaders(status: number): oas31.HeadersObject {
  return referencesTo([...SHARED, ...LIMITED, ...(OF_STATUS[status] ?? [])]);
}

function referencesTo(names: readonly HeaderName[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
