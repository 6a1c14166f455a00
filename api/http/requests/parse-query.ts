import type { ParsedUrlQuery as Query } from 'node:querystring';
import { z } from 'zod';
import { invalid } from '../replies/errors.ts';
import type { Route } from '../route.ts';
import { refuseHostileData } from './hostile-data.ts';

const REPEATED = 'The parameter is given more than once. Give it once.';

/** Parses the query of a request by the route's schema. Throws VALIDATION_ERROR. */
export function parseQuery(route: Route, given: Query): unknown {
  if (!route.query) return undefined;
  // A merchant whom a provider sends back is redirected whatever else the address says.
  if (route.access !== 'signed-state') refuseHostileData('query', given);
  const result = route.query.safeParse(given, { reportInput: true });
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) =>
    Array.isArray(given[String(issue.path[0])]) ? { ...issue, message: REPEATED } : issue,
  );
  throw invalid('query', new z.ZodError(issues));
}

/** Returns a query without the parameters of pages, which a whole list does not have. */
export function withoutPage({ limit, cursor, ...filters }: Query): Query {
  return filters;
}
