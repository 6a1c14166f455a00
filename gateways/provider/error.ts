/** The provider's own message never enters: what it says may hold personal data. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number | null;
  /** The provider's word for what was wrong, of a fixed vocabulary; null when it gave none. */
  readonly code: string | null;
  /** Whether asking again later may help. */
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
  /** Where the status alone does not tell. */
  isTransient?: boolean;
};

function isTransient(status: number | null): boolean {
  return status === null || status === 408 || status === 429 || status >= 500;
}

/** A body that is not what its provider sends: trying again gets the same body. */
export class InvalidPayload extends Error {
  override readonly name = 'InvalidPayload';
}
