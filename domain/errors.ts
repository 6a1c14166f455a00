/** The codes of the specification's section 7, and RATE_LIMITED. A client may rely on this list. */
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

/** One thing that is wrong with a request, and where: the path is dotted, empty for the whole. */
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
