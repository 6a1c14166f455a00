import type { ProviderError } from '../../gateways/provider/error.ts';

// What ends a poll besides an error of the provider.

/** Another run holds the lease by now, or the merchant has disconnected. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  readonly isTransient = true;
}

/** Alpha limits the rate, so that customers of a page, which is listed again, were not read. */
export class CustomersUnavailable extends Error {
  override readonly name = 'CustomersUnavailable';
  readonly isTransient = true;
  override readonly cause: ProviderError;

  constructor(count: number, cause: ProviderError) {
    super(`The customers of ${count} payments cannot be read at alpha for now.`);
    this.cause = cause;
  }
}

/** Alpha is away, and must not be asked yet. */
export class Paused extends Error {
  override readonly name = 'Paused';
  readonly isTransient = true;
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
