/** The provider's own message never enters: what it says may hold personal data. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number | null;
  /** Whether asking again later may help. */
  readonly isTransient: boolean;
  /** How long the provider asked us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, status: number | null, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.isTransient = status === null || status === 408 || status === 429 || status >= 500;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A body that is not what its provider sends: trying again gets the same body. */
export class InvalidPayload extends Error {
  override readonly name = 'InvalidPayload';
}
