import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/connection.ts';
import * as leases from '../../../db/events/leases.ts';
import * as waiting from '../../../db/events/waiting.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import type { EventId } from '../../../domain/ids.ts';
import {
  addCounts,
  countsOf,
  type IngestCounts,
  NO_COUNTS,
} from '../../../domain/ingest-counts.ts';
import type { Metrics } from '../../../gateways/telemetry/metrics.ts';
import { limitedTo } from '../../../gateways/timing.ts';
import type { AccessTokenDeps } from '../../connections/token-refresh.ts';
import type { IngestPolicy } from '../decide/ingest-policy.ts';
import { type FetchedReports, fetchReports } from './fetch-reports.ts';
import { ingestEvents } from './ingest-events.ts';
import type { Resolved } from './read-events.ts';

export type IngestionDeps = AccessTokenDeps & { ingestPolicy: IngestPolicy; metrics: Metrics };

export type IngestResult = {
  counts: IngestCounts;
  /** Events that need an answer from their provider, for the first time or again. */
  needProvider: EventId[];
  /** How long the provider asked us to wait; 0 when it did not say. */
  retryAfterMs: number;
};

export type Attempt = {
  /** Names the run, so that its next attempt takes over the events of this one. */
  run: string;
  /** Ends the attempt; its events are then free at once. */
  signal?: AbortSignal;
  /** Called every few seconds, as a sign of life. */
  heartbeat?: () => void;
  /** Whether the run asks again about `needProvider`; if not, these events are free at once. */
  isRepeated?: boolean;
};

/** How long providers are asked; the rest is left to the next call. */
const BUDGET_MS = 45_000;
/**
 * How many answers are kept before they are credited, and how often those that are kept are: as
 * many as sales that need no answer, and so soon that a buyer does not notice.
 */
const CREDIT_EACH = 500;
const CREDIT_EVERY_MS = 50;
/** Several times per lease, and per heartbeat timeout of the activity. */
const HEARTBEAT_MS = 5_000;
/** A run waits no longer than this for a provider, which is less than a lease; the sweep does. */
const LONGEST_WAIT_MS = 20_000;

/**
 * Fetches from providers what these events do not carry themselves, and ingests them as the answers
 * come. Events that may succeed in a moment stay in `needProvider`, leased to the run; those whose
 * provider is away for longer wait for their connection, and count as no attempt. A second call
 * fetches only for events that are still open and that no other run works on.
 */
export async function ingestWithProvider(
  deps: IngestionDeps,
  ids: readonly EventId[],
  { run, signal, heartbeat = () => undefined, isRepeated = true }: Attempt,
): Promise<IngestResult> {
  const { db } = deps;
  const lease = { run, holder: randomUUID() };
  const claimed = await leases.claim(db, ids, lease);
  const budget = limitedTo(BUDGET_MS, signal);
  const crediting = new Crediting(deps, lease);
  // A sale must not wait for another merchant of its batch whose calls are slow.
  const flushing = setInterval(() => crediting.flush(), CREDIT_EVERY_MS);
  const keeping = setInterval(() => {
    heartbeat();
    // While Postgres is away for a moment, the lease outlasts it.
    leases.renew(db, claimed, lease).catch(() => undefined);
  }, HEARTBEAT_MS);
  try {
    heartbeat();
    const fetched = await fetchReports(deps, claimed, {
      signal: budget,
      onResolved: (id, resolved) => crediting.add(id, resolved),
    });
    clearInterval(flushing);
    await crediting.finish();
    deps.metrics.ingestFailed('webhook', fetched.failures.length + fetched.early.length);
    const held = new Set(await leases.renew(db, claimed, lease));
    const result = await settle(db, heldOf(fetched, held), isRepeated);
    if (signal?.aborted || !isRepeated) await leases.release(db, claimed, lease);
    signal?.throwIfAborted();
    const failed = crediting.counts.failed + result.failed;
    return { ...result, counts: { ...crediting.counts, failed } };
  } finally {
    clearInterval(flushing);
    clearInterval(keeping);
  }
}

/** What was fetched of events that this attempt still holds. */
function heldOf(fetched: FetchedReports, held: ReadonlySet<EventId>): FetchedReports {
  const ours = <T extends { id: EventId }>(events: T[]) => events.filter(({ id }) => held.has(id));
  return {
    failures: ours(fetched.failures),
    early: ours(fetched.early),
    doubtful: ours(fetched.doubtful),
    away: ours(fetched.away),
    left: fetched.left.filter((id) => held.has(id)),
  };
}

/** Records why events are still open, and says which of them the run asks about again. */
async function settle(
  db: Db,
  { failures, early, doubtful, away, left }: FetchedReports,
  isRepeated: boolean,
): Promise<Pick<IngestResult, 'needProvider' | 'retryAfterMs'> & { failed: number }> {
  const soon = away.filter(({ waitMs }) => waitMs <= LONGEST_WAIT_MS);
  const later = away.filter(({ waitMs }) => waitMs > LONGEST_WAIT_MS);
  await webhookEvents.recordFailures(db, failures);
  await webhookEvents.recordFailures(db, early, isRepeated ? leases.LEASE_SECONDS : 0);
  await waiting.recordDoubts(db, doubtful, isRepeated);
  await waiting.park(db, soon, isRepeated);
  await waiting.park(db, later, false);
  return {
    needProvider: [...early, ...doubtful, ...soon].map(({ id }) => id).concat(left),
    retryAfterMs: Math.max(0, ...soon.map(({ waitMs }) => waitMs)),
    failed: failures.length + later.length,
  };
}

/** Ingests events a few at a time, as what was asked about them is answered. */
class Crediting {
  readonly #deps: IngestionDeps;
  readonly #lease: leases.Lease;
  #answered = new Map<EventId, Resolved>();
  #flushed: Promise<void> = Promise.resolve();
  /** The outcomes so far. */
  counts: IngestCounts = NO_COUNTS;

  constructor(deps: IngestionDeps, lease: leases.Lease) {
    this.#deps = deps;
    this.#lease = lease;
  }

  async add(id: EventId, resolved: Resolved): Promise<void> {
    this.#answered.set(id, resolved);
    if (this.#answered.size >= CREDIT_EACH) await this.#credit();
  }

  /** Ingests what is kept, later than what it was called for before. `finish` throws its error. */
  flush(): void {
    this.#flushed = this.#flushed.then(() => this.#credit());
    this.#flushed.catch(() => undefined);
  }

  /** Ingests what is left. An event that another attempt has taken over is left to that one. */
  async finish(): Promise<void> {
    await this.#flushed;
    await this.#credit();
  }

  async #credit(): Promise<void> {
    const { db, metrics, ingestPolicy } = this.#deps;
    const answered = this.#answered;
    this.#answered = new Map();
    if (answered.size === 0) return;
    const held = await leases.renew(db, [...answered.keys()], this.#lease);
    const done = await ingestEvents(db, held, answered, ingestPolicy);
    metrics.paymentsIngested('webhook', done.decided);
    metrics.ingestFailed('webhook', done.failures.length);
    const failed = done.failures.length + done.held.length;
    this.counts = addCounts(this.counts, { ...countsOf(done.decided), failed });
  }
}
