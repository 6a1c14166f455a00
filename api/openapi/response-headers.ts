import type { oas31 } from 'zod-openapi';
import { limitOf, type Route } from '../http/route.ts';

const sharedHeaders: oas31.HeadersObject = {
  'X-Correlation-Id': {
    description: 'The id of the request, which is also the `requestId` of errors.',
    schema: { type: 'string' },
  },
};

const limitHeaders: oas31.HeadersObject = {
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
};

const replayHeader: oas31.HeadersObject = {
  'Idempotency-Replayed': {
    description: '`true` when the response is the stored one of an earlier request.',
    schema: { type: 'string' },
  },
};

/** What a refusal adds, by its status. */
export const statusHeaders: Record<number, oas31.HeadersObject> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  409: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
  503: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
};

/** What a list adds. */
export const linkHeader: oas31.HeadersObject = {
  Link: {
    description: 'The address of the next page, with `rel="next"`. Absent on the last page.',
    schema: { type: 'string' },
  },
};

/** The headers of every response of a route. */
export function headersOf(route: Route): oas31.HeadersObject {
  return {
    ...sharedHeaders,
    ...(limitOf(route) !== undefined && limitHeaders),
    ...(route.idempotent && replayHeader),
  };
}
