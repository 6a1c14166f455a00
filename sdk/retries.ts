import { LoyaltyError, retryAfterOf } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { jittered, wait } from './wait.ts';

export type RetryOptions = {
  /** How often a request is sent, the first time included. Default: 4; 1 turns retries off. */
  attempts?: number;
  /** The wait before the second attempt; it doubles with each. Default: 300. */
  firstWaitMs?: number;
  /** The longest wait of our own. Default: 5,000. */
  longestWaitMs?: number;
  /** A longer `Retry-After` is not waited for: the call fails at once. Default: 20,000. */
  longestRetryAfterMs?: number;
};

const DEFAULTS = {
  attempts: 4,
  firstWaitMs: 300,
  longestWaitMs: 5_000,
  longestRetryAfterMs: 20_000,
};

/**
 * Repeats requests that failed, if that is safe: GET, PUT, PATCH and DELETE, and what has an
 * `Idempotency-Key`, which stays the same. The last failure is returned or thrown.
 */
export function withRetries(exchange: Exchange, options: RetryOptions = {}): Exchange {
  const limits = { ...DEFAULTS, ...options };

  return async (request) => {
    const isSafe = request.method !== 'POST' || request.headers.has('idempotency-key');
    for (let attempt = 1; ; attempt++) {
      const outcome = await exchange(request).catch(unlessUnreachable);
      const hasEnded = !isSafe || attempt >= limits.attempts;
      const waitMs = hasEnded ? undefined : waitAfter(outcome, attempt, limits);
      if (waitMs === undefined) {
        if (outcome instanceof LoyaltyError) throw outcome;
        return outcome;
      }
      await wait(waitMs, request.signal);
    }
  };
}

function unlessUnreachable(error: unknown): LoyaltyError {
  if (error instanceof LoyaltyError) return error;
  throw error;
}

/** How long to wait before the next attempt; undefined if there should be none. */
function waitAfter(
  outcome: Response | LoyaltyError,
  attempt: number,
  limits: typeof DEFAULTS,
): number | undefined {
  const own = Math.min(limits.firstWaitMs * 2 ** (attempt - 1), limits.longestWaitMs);
  // A download that had begun counts, where there may be a few a day.
  if (outcome instanceof LoyaltyError) return outcome.status === 0 ? jittered(own) : undefined;
  if (!isTransient(outcome)) return undefined;
  const asked = (retryAfterOf(outcome) ?? 0) * 1000;
  if (asked > limits.longestRetryAfterMs) return undefined;
  // Never before the time that was asked for.
  return asked + jittered(own);
}

/** 409 with a time: the first request under this key is still running. */
function isTransient(response: Response): boolean {
  if (response.status === 409) return response.headers.has('retry-after');
  return [408, 429, 500, 502, 503, 504].includes(response.status);
}
