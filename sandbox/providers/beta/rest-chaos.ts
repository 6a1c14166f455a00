import type { ChaosDial } from '../shared/chaos.ts';
import { REAL_LIMITS, tooMany } from './limits.ts';
import type { Payment, Token } from './model.ts';
import { BetaError } from './refusal.ts';

const SERVER_ERRORS = [500, 502, 503, 504] as const;
/** So many calls a new token is good for: as given, the real provider's never expire. */
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

  /** The error to answer the request with instead of the truth, 5xx or 429. */
  refusal(method: string, path: string): BetaError | undefined {
    const about = `${method} ${path}`;
    if (this.#dial.hits('serverError', about)) {
      const drawn = Math.floor(this.#dial.draw('which error', about) * SERVER_ERRORS.length);
      return new BetaError(SERVER_ERRORS[drawn] ?? SERVER_ERRORS[0]);
    }
    if (!this.#dial.hits('tooMany', about)) return undefined;
    const { perSecondOverall, concurrentOverall, retryAfterSeconds } = REAL_LIMITS;
    return this.#dial.draw('which limit', about) < 0.5
      ? tooMany('crossTokenLimit', perSecondOverall)
      : tooMany('crossTokenConcurrentLimit', concurrentOverall, retryAfterSeconds);
  }

  /**
   * Whether a token ends with this call; never within its first calls.
   *
   * Only one that can be refreshed does: of the others nothing would ever come back.
   */
  expires({ accessToken, merchantId, refresh }: Token): boolean {
    if (refresh === undefined) return false;
    const left = this.#callsLeft.get(accessToken) ?? 0;
    if (left > 0) this.#callsLeft.set(accessToken, left - 1);
    return left === 0 && this.#dial.hits('expiredToken', merchantId);
  }

  /** Lets a token that was just given by OAuth work for a while. */
  spare(accessToken: string): void {
    this.#callsLeft.set(accessToken, CALLS_OF_A_NEW_TOKEN);
  }

  /** Whether a payment that was just created is not found yet; only the first to ask is told so. */
  hides({ id, createdTime }: Payment, nowMs: number): boolean {
    if (this.#asked.has(id)) return false;
    this.#asked.add(id);
    return nowMs - createdTime <= FRESH_MS && this.#dial.hits('notFoundFirst', id);
  }
}
