import type { ChaosDial } from '../shared/chaos.ts';
import { ApiError } from '../shared/refusal.ts';
import type { Payment } from './model.ts';

const SERVER_ERRORS = [
  [500, 'INTERNAL_SERVER_ERROR'] as const,
  [502, 'BAD_GATEWAY'] as const,
  [503, 'SERVICE_UNAVAILABLE'] as const,
  [504, 'GATEWAY_TIMEOUT'] as const,
] as const;
/** So many calls a new token is good for: the real provider's never expire as they are given. */
const CALLS_OF_A_NEW_TOKEN = 20;
/** Only what was created this recently can still be missing where it is read. */
const FRESH_MS = 60_000;

/** What the dial does to the API: refusals, tokens that expire early, payments not there yet. */
export class RestChaos {
  readonly #dial: ChaosDial;
  readonly #callsLeft = new Map<string, number>();
  readonly #asked = new Set<string>();

  constructor(dial: ChaosDial) {
    this.#dial = dial;
  }

  /** The error to answer this request with instead of the truth, 429 or 5xx. */
  refusal(method: string, path: string): ApiError | undefined {
    const about = `${method} ${path}`;
    if (this.#dial.hits('tooMany', about)) {
      const code = path.startsWith('/oauth2/') ? 'TOO_MANY_REQUESTS' : 'RATE_LIMITED';
      const isTold = this.#dial.draw('retryAfter', about) < 0.5;
      return new ApiError(429, code, 'Too many requests.', {
        retryAfterSeconds: isTold ? 1 : undefined,
      });
    }
    if (!this.#dial.hits('serverError', about)) return undefined;
    const drawn = Math.floor(this.#dial.draw('whichError', about) * SERVER_ERRORS.length);
    const [status, code] = SERVER_ERRORS[drawn] ?? SERVER_ERRORS[0];
    return new ApiError(status, code, 'Something went wrong.');
  }

  /** Whether a token that is good ends with this call; never within its first calls. */
  expires(token: { accessToken: string; merchantId: string }): boolean {
    const left = this.#callsLeft.get(token.accessToken) ?? 0;
    if (left > 0) this.#callsLeft.set(token.accessToken, left - 1);
    return left === 0 && this.#dial.hits('expiredToken', token.merchantId);
  }

  /** Lets a token that was just given by OAuth work for a while. */
  spare(accessToken: string): void {
    this.#callsLeft.set(accessToken, CALLS_OF_A_NEW_TOKEN);
  }

  /** Whether a payment that was just created is not found yet; only the first one to ask is told. */
  hides(payment: Payment, now: Date): boolean {
    if (this.#asked.has(payment.id)) return false;
    this.#asked.add(payment.id);
    const isFresh = now.getTime() - Date.parse(payment.created_at) <= FRESH_MS;
    return isFresh && this.#dial.hits('notFoundFirst', payment.id);
  }
}
