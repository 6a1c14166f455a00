/** A failed call to a provider. It leaves out the provider's text, which may hold personal data. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number | null;
  /** The provider's error code, such as `RATE_LIMITED`; null when the response has none. */
  readonly code: string | null;
  /** Whether the same call may succeed later. */
  readonly isTransient: boolean;
  /** How long the provider asked us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, status: number | null, details: ProviderErrorDetails = {}) {
    super(message);
    this.status = status;
    this.code = details.code ?? null;
    this.isTransient = details.isTransient ?? isTransient(status);
    this.retryAfterMs = details.retryAfterMs;
  }
}

export type ProviderErrorDetails = {
  code?: string | null;
  retryAfterMs?: number | undefined;
  /** Overrides what the status implies. */
  isTransient?: boolean;
};

function isTransient(status: number | null): boolean {
  return status === null || status === 408 || status === 429 || status >= 500;
}

/** A provider's body that does not have the expected shape; a retry would get the same body. */
export class InvalidPayload extends Error {
  override readonly name = 'InvalidPayload';
}
