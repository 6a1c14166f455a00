import type { Payment } from './model.ts';

/**
 * Lets lists show payments as they were some time ago, like an index that lags behind.
 *
 * Former versions are kept in memory only. After a restart a recently changed payment is missing
 * from lists until its newest version becomes visible.
 */
export class Visibility {
  readonly #delayMs: number;
  readonly #former = new Map<string, Payment[]>();

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Keeps a version that is about to be replaced. */
  supersede(former: Payment | undefined): void {
    if (former === undefined || this.#delayMs === 0) return;
    this.#former.set(former.id, [...(this.#former.get(former.id) ?? []), former]);
  }

  /** Returns the version of the payment that lists show now; undefined when none is visible yet. */
  shown(payment: Payment, now: Date): Payment | undefined {
    if (this.#delayMs === 0) return payment;
    const until = now.getTime() - this.#delayMs;
    return [...(this.#former.get(payment.id) ?? []), payment].findLast(
      ({ updated_at }) => Date.parse(updated_at) <= until,
    );
  }
}
