import type { components } from './generated/schema.ts';

/** One problem of a request, by a code that stays the same. */
export type Issue = components['schemas']['Issue'];
/** What a program can tell apart. Later releases of the service add some. */
export type IssueCode = components['schemas']['IssueCode'];

/** What the service answered when it refused, or `UNREACHABLE` if no answer came. */
export type ErrorCode =
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'INSUFFICIENT_ROLE'
  | 'TENANT_NOT_FOUND'
  | 'TENANT_FORBIDDEN'
  | 'VALIDATION_ERROR'
  | 'NOT_FOUND'
  | 'IDEMPOTENCY_REPLAY'
  | 'RULE_REJECTED'
  | 'INSUFFICIENT_BALANCE'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'UNREACHABLE'
  /** No answer of the service: a proxy's page, for example. */
  | 'UNEXPECTED_ANSWER';

/** Every failure of a call: what the service refused, or that it could not be reached. */
export class LoyaltyError extends Error {
  override readonly name = 'LoyaltyError';
  /** The HTTP status, also of a download that broke off, or 0 if no answer came. */
  readonly status: number;
  /** The kind of error. A code that this release does not know is kept as it came. */
  readonly code: ErrorCode | (string & Record<never, never>);
  /** What exactly was refused: one rule, or each field that is not valid. */
  readonly issues: readonly Issue[];
  /** Identifies the request in the service's log; quote it when you ask for help. */
  readonly correlationId: string | undefined;
  /** When to try again, in seconds from the answer, if the service said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    {
      status = 0,
      code,
      issues = [],
      correlationId,
      retryAfterSeconds,
      cause,
    }: {
      status?: number;
      code: LoyaltyError['code'];
      issues?: readonly Issue[];
      correlationId?: string | undefined;
      retryAfterSeconds?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.correlationId = correlationId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The issue with this code, if there is one. */
  issue(code: IssueCode): Issue | undefined {
    return this.issues.find((issue) => issue.code === code);
  }

  /** Whether one of these is why the request was refused. */
  has(...codes: readonly IssueCode[]): boolean {
    return this.issues.some((issue) => codes.includes(issue.code));
  }
}

/** Whether a call failed, and, with codes, for one of these reasons. */
export function isLoyaltyError(
  error: unknown,
  ...codes: readonly IssueCode[]
): error is LoyaltyError {
  return error instanceof LoyaltyError && (codes.length === 0 || error.has(...codes));
}

/** The error of an answer that is no success, from the parsed body or its text. */
export function errorOf(response: Response, body: unknown): LoyaltyError {
  const known = isErrorBody(body) ? body : undefined;
  return new LoyaltyError(
    known?.message ?? `The service answered ${response.status}, with no body that it documents.`,
    {
      status: response.status,
      code: known?.code ?? 'UNEXPECTED_ANSWER',
      issues: known?.issues ?? [],
      correlationId: known?.requestId ?? response.headers.get('x-correlation-id') ?? undefined,
      retryAfterSeconds: retryAfterOf(response),
    },
  );
}

/** The seconds in `Retry-After`, whether they are given as such or as a date. */
export function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get('retry-after')?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

type ErrorBody = components['schemas']['Error'];

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'message' in body &&
    typeof body.message === 'string' &&
    (!('issues' in body) || Array.isArray(body.issues))
  );
}
