import type { oas31, ZodOpenApiResponseObject } from 'zod-openapi';
import type { ErrorCode, IssueCode } from '../../domain/errors.ts';
import { ErrorEnvelope } from '../http/replies/errors.ts';
import type { Route } from '../http/route.ts';
import { documentedErrors, ownIssues, usualIssues } from './documented-errors.ts';
import { INVALID_FIELDS, isFieldIssue, statusOfIssue } from './issue-examples.ts';
import { refusalHeaders } from './response-headers.ts';

/** Names for what a code means at another status than its usual one. */
const NAMES: Readonly<Record<string, string>> = {
  'INTERNAL_ERROR 503': 'Unavailable',
  'VALIDATION_ERROR 413': 'TooLarge',
  'VALIDATION_ERROR 415': 'UnsupportedMediaType',
  'IDEMPOTENCY_REPLAY 409': 'StillRunning',
  'IDEMPOTENCY_REPLAY 422': 'KeyOfAnotherRequest',
};

/** Builds the error responses of a route, by status. */
export type DescribeRefusals = (route: Route) => Record<string, ZodOpenApiResponseObject>;

/**
 * Creates the descriptions of one document's errors. Those that operations have in common are
 * components; one with issues of the route's own is described in place, with an example of each.
 */
export function createRefusals(): DescribeRefusals {
  const shared = new Map<string, ZodOpenApiResponseObject>();
  const describe = (route: Route, status: number, codes: readonly ErrorCode[]) => {
    const own = ownIssues(route).filter((issue) => statusOfIssue(issue) === status);
    const usual = usualIssues(route).filter((issue) => statusOfIssue(issue) === status);
    const response: ZodOpenApiResponseObject = {
      description: `${codes.join(' or ')}.`,
      headers: refusalHeaders(status),
      content: {
        'application/json': { schema: ErrorEnvelope, ...examplesOf([...own, ...usual]) },
      },
    };
    if (own.length > 0) return response;
    const name = nameOf(route, status, codes);
    const known = shared.get(name) ?? { ...response, id: name };
    shared.set(name, known);
    return known;
  };
  return (route) =>
    Object.fromEntries(
      [...documentedErrors(route)].map(([status, codes]) => [
        status,
        describe(route, status, codes),
      ]),
    );
}

/** A name says everything that a shared response depends on: its codes, and who checks what. */
function nameOf(route: Route, status: number, codes: readonly ErrorCode[]): string {
  return codes.map((code) => NAMES[`${code} ${status}`] ?? usualName(route, code)).join('Or');
}

function usualName({ access, path, method }: Route, code: ErrorCode): string {
  const isToken = access !== 'signed-webhook' && access !== 'cron-secret';
  switch (code) {
    case 'UNAUTHORIZED':
      if (!isToken) return 'Unauthentic';
      if (path.startsWith('/admin/')) return 'UnauthorizedAdministrator';
      return access === 'any-token' ? 'InvalidToken' : 'Unauthorized';
    case 'VALIDATION_ERROR':
      if (access === 'signed-webhook') return 'InvalidEvent';
      return method === 'GET' ? 'InvalidQuery' : 'InvalidRequest';
    default:
      return code
        .toLowerCase()
        .replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
  }
}

function examplesOf(issues: readonly IssueCode[]): { examples?: oas31.ExamplesObject } {
  const names = issues.map((issue) => (isFieldIssue(issue) ? INVALID_FIELDS : issue));
  if (names.length === 0) return {};
  const references = [...new Set(names)].map((name) => [
    name,
    { $ref: `#/components/examples/${name}` },
  ]);
  return { examples: Object.fromEntries(references) };
}
