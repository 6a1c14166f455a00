/** The codes of all refusals: a closed list that clients may rely on. */
export const ERROR_CODES = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'INSUFFICIENT_ROLE',
  'TENANT_NOT_FOUND',
  'TENANT_FORBIDDEN',
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'IDEMPOTENCY_REPLAY',
  'RULE_REJECTED',
  'INSUFFICIENT_BALANCE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** One problem of a request. The path is dotted, and empty for the request as a whole. */
export type Issue = { path: string; message: string };

/** A refusal the caller can understand. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly issues: readonly Issue[] | undefined;

  constructor(code: ErrorCode, message: string, issues?: readonly Issue[]) {
    super(message);
    this.code = code;
    this.issues = issues;
  }
}
