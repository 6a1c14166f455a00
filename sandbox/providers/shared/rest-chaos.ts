import type { ChaosDial } from './chaos.ts';

/** Calls for which a new token works, since real tokens never expire right after their issue. */
const CALLS_OF_A_NEW_TOKEN = 20;
/** Only a payment created this recently can be not found yet. */
const FRESH_MS = 60_000;

type Refuse<Refusal> = (dial: ChaosDial, method: string, path: string) => Refusal | undefined;

/** Chaos on the REST API: refusals, tokens that expire early, payments that are not found yet. */
export class RestChaos<Refusal extends Error> {
  readonly #dial: ChaosDial;
  readonly #refuse: Refuse<Refusal>;
  readonly #callsLeft = new Map<string, number>();
  readonly #asked = new Set<string>();

  /** `refuse` draws the provider's own 429 and 5xx errors. */
  constructor(dial: ChaosDial, refuse: Refuse<Refusal>) {
    this.#dial = dial;
    this.#refuse = refuse;
  }

  /** Returns the 429 or 5xx for this request; undefined when it is answered normally. */
  refusal(method: string, path: string): Refusal | undefined {
    return this.#refuse(this.#dial, method, path);
  }

  /** Whether a valid token expires with this call; a new token never does. */
  expires(token: { accessToken: string; merchantId: string }): boolean {
    const left = this.#callsLeft.get(token.accessToken) ?? 0;
    if (left > 0) this.#callsLeft.set(token.accessToken, left - 1);
    return left === 0 && this.#dial.hits('expiredToken', token.merchantId);
  }

  /** Marks a token as new, so that it works for a while. */
  spare(accessToken: string): void {
    this.#callsLeft.set(accessToken, CALLS_OF_A_NEW_TOKEN);
  }

  /** Whether the request does not find a new payment; only the first request for it can miss it. */
  hides(payment: { id: string; createdMs: number }, nowMs: number): boolean {
    if (this.#asked.has(payment.id)) return false;
    this.#asked.add(payment.id);
    return nowMs - payment.createdMs <= FRESH_MS && this.#dial.hits('notFoundFirst', payment.id);
  }
}
