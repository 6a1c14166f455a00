import { z } from 'zod';
import { isUnavailable, refusalOf } from '../../../db/errors.ts';
import {
  ERROR_CODES,
  type ErrorCode,
  ISSUE_CODES,
  type Issue,
  type IssueCode,
  Refusal,
  type Why,
} from '../../../domain/errors.ts';
import { IdentityProviderUnavailable } from '../../../gateways/identity/issuer-keys.ts';
import { ObjectStoreUnavailable } from '../../../gateways/objects/store.ts';

/** The status of each code, on which clients rely. A code without a status does not compile. */
export const statusOf = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  INSUFFICIENT_ROLE: 403,
  TENANT_FORBIDDEN: 403,
  TENANT_NOT_FOUND: 404,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 400,
  IDEMPOTENCY_REPLAY: 409,
  RULE_REJECTED: 422,
  INSUFFICIENT_BALANCE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
} as const satisfies Record<ErrorCode, number>;

/** What exactly was refused, for a program. */
export const IssueCodeSchema = z.enum(Object.keys(ISSUE_CODES)).meta({
  id: 'IssueCode',
  description: Object.entries(ISSUE_CODES)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n'),
});

const ErrorIssue = z
  .object({
    path: z.string().describe('The field, dotted; empty for the request as a whole.'),
    code: IssueCodeSchema,
    message: z.string().describe('What is wrong and what to do, for a developer to read.'),
    params: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .optional()
      .describe('The numbers, times and names that the refusal depends on, by name.'),
  })
  .meta({ id: 'Issue', description: 'One problem of a request, by a code that stays the same.' });

/** The body of every error response. */
export const ErrorEnvelope = z
  .object({
    code: z.string().describe(`The kind of error: ${ERROR_CODES.join(', ')}; later others, too.`),
    message: z.string().describe('What happened and what to do, for a developer to read.'),
    requestId: z.string().describe('Quote it when you ask for help.'),
    issues: z
      .array(ErrorIssue)
      .optional()
      .describe('What exactly was refused: the fields that are not valid, or one rule.'),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' });

const OUR_FAULT = 'Something went wrong on our side. If it happens again, report the requestId.';

type Headers = Readonly<Record<string, string>>;

/** A refusal whose status is not the usual one of its code, or that needs headers. */
export class HttpRefusal extends Refusal {
  readonly status: number;
  readonly headers: Headers;

  constructor(
    code: ErrorCode,
    message: string,
    status: number,
    { headers = {}, why }: { headers?: Headers; why?: Why } = {},
  ) {
    super(code, message, why);
    this.status = status;
    this.headers = headers;
  }
}

/** Builds the 503 refusal of a request that may succeed later, with the time to wait. */
export function unavailable(message: string): HttpRefusal {
  return new HttpRefusal('INTERNAL_ERROR', message, 503, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}

/** Builds the refusal of input that its schema rejects, with every issue found. */
export function invalid(what: string, error: z.ZodError): Refusal {
  return new Refusal(
    'VALIDATION_ERROR',
    `The ${what} is not valid. Correct the listed issues.`,
    issuesOf(error),
  );
}

/** Lists what is wrong and where, one entry per issue of the schema. */
function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    if (issue.code === 'unrecognized_keys') {
      const message = 'There is no such field. Check its name.';
      return issue.keys.map((key) => ({
        path: dotted([...issue.path, key]),
        code: 'unknown_field',
        message,
      }));
    }
    const { path, message } = issue;
    return [{ path: dotted(path), code: codeOf(issue), message }];
  });
}

/** A caller chooses the name of an unknown field, so it may be as long as the body. */
const MAX_PATH_LENGTH = 200;

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, MAX_PATH_LENGTH);
}

function codeOf(issue: z.core.$ZodIssue): IssueCode {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : 'wrong_type';
    case 'too_small':
    case 'too_big':
    case 'not_multiple_of':
    case 'invalid_format':
    case 'invalid_value':
      return issue.code;
    default:
      return 'invalid';
  }
}

export type Failure = {
  status: number;
  code: ErrorCode;
  message: string;
  issues?: readonly Issue[] | undefined;
  headers: Headers;
  /** Whether the error is a bug, which is reported as one. */
  unexpected: boolean;
};

/** How long a caller should wait before trying again. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Maps a thrown error to the failure that the caller is told. An unexpected error becomes a 500
 * whose message reveals nothing about it.
 */
export function failureOf(error: unknown): Failure {
  const refusal = error instanceof Refusal ? error : refusalOf(error);
  if (refusal) return refused(refusal);
  if (error instanceof IdentityProviderUnavailable) {
    return refused(unavailable('The identity provider cannot be reached. Try again shortly.'));
  }
  if (error instanceof ObjectStoreUnavailable) {
    return refused(unavailable('The object store cannot be used. Try again shortly.'));
  }
  if (isUnavailable(error)) {
    return refused(unavailable('The database cannot be used at the moment. Try again shortly.'));
  }
  return {
    ...refused(new Refusal('INTERNAL_ERROR', OUR_FAULT)),
    unexpected: true,
  };
}

/** Builds the response body of a failure. */
export function envelopeOf({ code, message, issues }: Failure, requestId: string) {
  return { code, message, requestId, ...(issues && { issues }) };
}

function refused(refusal: Refusal): Failure {
  const { code, message, issues } = refusal;
  const challenge: Headers = code === 'UNAUTHORIZED' ? { 'WWW-Authenticate': 'Bearer' } : {};
  const special = refusal instanceof HttpRefusal ? refusal : undefined;
  return {
    status: special?.status ?? statusOf[code],
    code,
    message,
    issues,
    headers: { ...challenge, ...special?.headers },
    unexpected: false,
  };
}
