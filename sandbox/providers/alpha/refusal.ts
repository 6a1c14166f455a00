/** An error response of the simulated API. */
export class AlphaError extends Error {
  override readonly name = 'AlphaError';
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    detail: string,
    more: { field?: string | undefined; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.field = more.field;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  /** Returns the provider's usual error body. */
  toEnvelope() {
    const { code, message: detail, field } = this;
    return { errors: [{ category: categoryOf(this), code, detail, ...(field && { field }) }] };
  }

  /** Returns the other form of error body that OAuth can have. */
  toMessage() {
    if (this.status === 401) return { message: 'Not Authorized', type: 'service.not_authorized' };
    return { message: this.message, type: `service.${this.code.toLowerCase()}` };
  }
}

function categoryOf({ status, code }: AlphaError): string {
  if (code === 'TOO_MANY_REQUESTS') return 'V1_ERROR';
  if (status === 401 || status === 403) return 'AUTHENTICATION_ERROR';
  if (status === 429) return 'RATE_LIMIT_ERROR';
  return status >= 500 ? 'API_ERROR' : 'INVALID_REQUEST_ERROR';
}
