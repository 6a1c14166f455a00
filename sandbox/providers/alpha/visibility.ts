import type { Payment } from './model.ts';

/**
 * What lists show of payments: their state of a while ago, as an index that lags behind would.
 *
 * Former versions are kept in memory only. After a restart a payment that was just changed is
 * missing until its newest version shows.
 */
export class Visibility {
  readonly #delayMs: number;
  readonly #former = new Map<string, Payment[]>();

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Remembers a version that is about to be replaced. */
  supersede(former: Payment | undefined): void {
    if (former === undefined || this.#delayMs === 0) return;
    this.#former.set(former.id, [...(this.#former.get(former.id) ?? []), former]);
  }

  /** The version of the payment that a list shows now; undefined when none does yet. */
  shown(payment: Payment, now: Date): Payment | undefined {
    if (this.#delayMs === 0) return payment;
    const until = now.getTime() - this.#delayMs;
    return [...(this.#former.get(payment.id) ?? []), payment].findLast(
      ({ updated_at }) => Date.parse(updated_at) <= until,
    );
  }
}
