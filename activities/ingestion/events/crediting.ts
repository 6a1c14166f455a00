import type { Db } from '../../../db/connection.ts';
import type { EventId } from '../../../domain/ids.ts';
import {
  addCounts,
  countsOf,
  type IngestCounts,
  NO_COUNTS,
} from '../../../domain/ingest-counts.ts';
import type { Metrics } from '../../../gateways/telemetry/metrics.ts';
import type { IngestPolicy } from '../decide/ingest-policy.ts';
import { ingestEvents } from './ingest-events.ts';
import type { LeasedEvents } from './leased-events.ts';
import type { Resolved } from './read-events.ts';

type CreditingDeps = {
  db: Db;
  ingestPolicy: IngestPolicy;
  metrics: Pick<Metrics, 'paymentsIngested' | 'ingestFailed'>;
};

/** As many as a transaction takes of sales that need no answer. */
const MOST = 500;
/** Answers gather for so long before they are credited, while others are still to come. */
const GATHER_MS = 20;

/**
 * Ingests events as what was asked about them is answered, so that a sale waits for no slower one:
 * those that are answered while others are being credited are credited next, up to 500 together.
 */
export class Crediting {
  readonly #deps: CreditingDeps;
  readonly #leased: LeasedEvents;
  readonly #answered = new Map<EventId, Resolved>();
  #going: Promise<void> | undefined;
  #goOn = () => {};
  #isLast = false;
  /** The outcomes so far. */
  counts: IngestCounts = NO_COUNTS;
  /** What was answered of events that were closed, or locked by another transaction. */
  readonly skipped: EventId[] = [];

  constructor(deps: CreditingDeps, leased: LeasedEvents) {
    this.#deps = deps;
    this.#leased = leased;
  }

  /** Has an event ingested soon. What fails is thrown by `finish`, and nothing is ingested then. */
  add(id: EventId, resolved: Resolved): void {
    this.#answered.set(id, resolved);
    if (this.#answered.size >= MOST) this.#goOn();
    this.#going ??= this.#creditAll();
    this.#going.catch(() => undefined);
  }

  /** Ingests what is left. An event that another attempt has taken over is left to that one. */
  async finish(): Promise<void> {
    this.#isLast = true;
    this.#goOn();
    await this.#going;
  }

  async #creditAll(): Promise<void> {
    while (this.#answered.size > 0) {
      await this.#gathered();
      await this.#credit();
    }
    this.#going = undefined;
  }

  #gathered(): Promise<void> {
    if (this.#isLast || this.#answered.size >= MOST) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      this.#goOn = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #credit(): Promise<void> {
    const { db, metrics, ingestPolicy } = this.#deps;
    const taken = new Map([...this.#answered].slice(0, MOST));
    for (const id of taken.keys()) this.#answered.delete(id);
    await this.#leased.keep();
    const held = [...taken.keys()].filter((id) => this.#leased.has(id));
    const done = await ingestEvents(db, held, taken, ingestPolicy);
    metrics.paymentsIngested('webhook', done.decided);
    metrics.ingestFailed('webhook', done.failures.length);
    this.skipped.push(...done.skipped);
    const failed = done.failures.length + done.held.length;
    this.counts = addCounts(this.counts, { ...countsOf(done.decided), failed });
  }
}
