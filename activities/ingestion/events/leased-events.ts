import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/connection.ts';
import * as leases from '../../../db/events/leases.ts';
import type { EventId } from '../../../domain/ids.ts';

/** Of a younger lease nothing has to be written: no other run can have taken the events. */
const FRESH_MS = (leases.LEASE_SECONDS * 1_000) / 2;

/**
 * The events that one attempt of a run has leased. A later attempt of the same run may take them
 * over unseen while the lease is fresh; both may then ingest them, which is harmless.
 */
export class LeasedEvents {
  readonly #db: Db;
  readonly #holder: leases.Lease;
  readonly #now: () => number;
  #held: ReadonlySet<EventId> = new Set();
  #leasedAt = 0;
  #renewing: Promise<void> | undefined;

  /** `now`: the time in milliseconds, which only ascends. */
  constructor(db: Db, run: string, now = () => performance.now()) {
    this.#db = db;
    this.#holder = { run, holder: randomUUID() };
    this.#now = now;
  }

  /** Leases those of the events that no other run has, and returns them. */
  claim(ids: readonly EventId[]): Promise<readonly EventId[]> {
    return this.#lease(() => leases.claim(this.#db, ids, this.#holder));
  }

  /** Renews the lease of those that are still open, unless it is fresh. */
  async keep(): Promise<void> {
    if (this.#now() - this.#leasedAt >= FRESH_MS || this.#renewing) await this.renew();
  }

  /**
   * Renews the lease of those that are still open; callers share a renewal that is under way, so
   * that after it the events are locked by none.
   */
  async renew(): Promise<void> {
    this.#renewing ??= this.#lease(() => leases.renew(this.#db, [...this.#held], this.#holder))
      .then(() => undefined)
      .finally(() => {
        this.#renewing = undefined;
      });
    await this.#renewing;
  }

  /** Whether the event is still leased, as far as is known. */
  has(id: EventId): boolean {
    return this.#held.has(id);
  }

  /** Ends the lease, so that the next sweep may take the events at once. */
  async release(): Promise<void> {
    await leases.release(this.#db, [...this.#held], this.#holder);
  }

  async #lease(write: () => Promise<EventId[]>): Promise<readonly EventId[]> {
    // It began by the database's clock, which was asked later than this.
    const leasedAt = this.#now();
    const ids = await write();
    this.#held = new Set(ids);
    this.#leasedAt = leasedAt;
    return ids;
  }
}
