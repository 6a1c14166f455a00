import type { Db } from '../../../db/connection.ts';
import * as leases from '../../../db/events/leases.ts';
import * as waiting from '../../../db/events/waiting.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import type { EventId } from '../../../domain/ids.ts';
import type { IngestCounts } from '../../../domain/ingest-counts.ts';
import type { Metrics } from '../../../gateways/telemetry/metrics.ts';
import { limitedTo } from '../../../gateways/timing.ts';
import type { AccessTokenDeps } from '../../connections/token-refresh.ts';
import type { IngestPolicy } from '../decide/ingest-policy.ts';
import { Crediting } from './crediting.ts';
import { type FetchedReports, fetchReports } from './fetch-reports.ts';
import { LeasedEvents } from './leased-events.ts';

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
/** Several times per half of a lease, and per heartbeat timeout of the activity. */
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
  const leased = new LeasedEvents(db, run);
  const claimed = await leased.claim(ids);
  const crediting = new Crediting(deps, leased);
  const keeping = setInterval(() => {
    heartbeat();
    // While Postgres is away for a moment, the lease outlasts it.
    leased.keep().catch(() => undefined);
  }, HEARTBEAT_MS);
  try {
    heartbeat();
    const fetched = await fetchReports(deps, claimed, {
      signal: limitedTo(BUDGET_MS, signal),
      onResolved: (id, resolved) => crediting.add(id, resolved),
    });
    await crediting.finish();
    // One that is still open was locked meanwhile: it has to be asked about again.
    fetched.left.push(...crediting.skipped);
    deps.metrics.ingestFailed('webhook', fetched.failures.length + fetched.early.length);
    // The lease has to outlive the wait of the run.
    if (!isAllCredited(fetched)) await leased.renew();
    const result = await settle(db, heldOf(fetched, leased), isRepeated);
    if (signal?.aborted || !isRepeated) await leased.release();
    signal?.throwIfAborted();
    const failed = crediting.counts.failed + result.failed;
    return { ...result, counts: { ...crediting.counts, failed } };
  } finally {
    clearInterval(keeping);
  }
}

function isAllCredited(fetched: FetchedReports): boolean {
  return Object.values(fetched).every((events) => events.length === 0);
}

/** What was fetched of events that this attempt still holds. */
function heldOf(fetched: FetchedReports, held: LeasedEvents): FetchedReports {
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
