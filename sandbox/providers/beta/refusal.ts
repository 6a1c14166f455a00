import { STATUS_CODES } from 'node:http';

/** An error response of the simulated API. */
export class BetaError extends Error {
  override readonly name = 'BetaError';
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    body: Readonly<Record<string, string>> = { message: `${status} ${STATUS_CODES[status]}` },
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Builds the provider's 404: `{"message":"Not Found","details":"Order not found"}`. */
export function notFound(what: 'Payment' | 'Order' | 'Customer'): BetaError {
  return new BetaError(404, { message: 'Not Found', details: `${what} not found` });
}
