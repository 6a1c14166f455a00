import type { Provider } from '../../domain/payment.ts';
import type { ProviderError } from '../../gateways/providers/shared/error.ts';

// What ends a poll besides an error of the provider.

/** Another run holds the lease by now, or the merchant has disconnected. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  readonly isTransient = true;
}

/** By the provider's limit, customers of a page were not read; the page is listed again. */
export class CustomersUnavailable extends Error {
  override readonly name = 'CustomersUnavailable';
  readonly isTransient = true;
  override readonly cause: ProviderError;

  constructor(provider: Provider, count: number, cause: ProviderError) {
    super(`The customers of ${count} payments cannot be read at ${provider} for now.`);
    this.cause = cause;
  }
}

/** The provider is away, and must not be asked yet. */
export class Paused extends Error {
  override readonly name = 'Paused';
  readonly isTransient = true;
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
