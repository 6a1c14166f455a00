import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/connection.ts';
import * as pollLeases from '../../db/connections/poll-leases.ts';
import type { ConnectionId } from '../../domain/ids.ts';
import { coveredPollsAfter, findingOf, NO_SIGHTINGS } from '../../domain/poll-cadence.ts';
import { MAX_PAGES_PER_RUN } from '../../domain/polling.ts';
import { InvalidPayload, ProviderError } from '../../gateways/providers/shared/error.ts';
import { isAway, recordAway } from '../connections/availability.ts';
import { ReconnectNeeded } from '../connections/token-refresh.ts';
import type { IngestionDeps } from '../ingestion/index.ts';
import { safeErrorText } from '../safe-error-text.ts';
import { CustomersUnavailable, LeaseLost, Paused } from './poll-errors.ts';
import { ingestPages } from './poll-pages.ts';
import type { PollCounts, PollRun, RunProgress } from './poll-run.ts';

/** How a run ended. */
export type PollStatus =
  /** Every location was ingested to its end, by this run or by it and those before. */
  | 'done'
  /** The run used up its pages; the next run continues. */
  | 'capped'
  /** Another run holds the connection. */
  | 'busy'
  /** The connection is no longer polled. */
  | 'gone'
  /** The provider asks to be called later. */
  | 'interrupted'
  /** The provider refuses for another reason. */
  | 'failed'
  /** The merchant has to connect again. */
  | 'needs_reconnect';

export type PollResult = PollCounts & {
  status: PollStatus;
  /** How long the provider asked us to wait; 0 when it did not say. */
  retryAfterMs: number;
};

/** The progress of a run, as heartbeats carry it: no personal data. */
export type PollProgress = PollCounts & RunProgress['at'];

export type PollOptions = {
  /** Names the run, so that its second attempt takes over the lease of the first. */
  run: string;
  /** What earlier attempts of this run have done. */
  done?: PollCounts;
  heartbeat?: (progress: PollProgress) => void;
  signal?: AbortSignal;
};

/** Several times per lease, and per heartbeat timeout of the activity. */
const HEARTBEAT_MS = 8_000;

/**
 * Ingests the payments of a connection since it was last polled, at most 25 pages, and
 * stores the position after each page. One run at a time polls a connection. A provider's error
 * ends the run and is recorded on the connection, never thrown; the next run continues from there.
 */
export async function pollConnection(
  deps: IngestionDeps,
  connectionId: ConnectionId,
  options: PollOptions,
): Promise<PollResult> {
  const { payments = 0, pages = 0 } = options.done ?? {};
  try {
    const result = await poll(deps, connectionId, options);
    // Earlier attempts counted their own share.
    const counts = { payments: result.payments - payments, pages: result.pages - pages };
    deps.metrics.polled(result.status, counts);
    return result;
  } catch (error) {
    const isCancelled = options.signal?.aborted === true;
    deps.metrics.polled(isCancelled ? 'cancelled' : 'failed', { payments: 0, pages: 0 });
    throw error;
  }
}

async function poll(
  deps: IngestionDeps,
  connectionId: ConnectionId,
  { run: name, done, heartbeat = () => undefined, signal }: PollOptions,
): Promise<PollResult> {
  const lease = { connectionId, holder: randomUUID() };
  const taken = await pollLeases.takeLease(deps.db, lease, name);
  const before = done ?? { payments: 0, news: 0, pages: 0, errors: 0 };
  if (taken === 'busy' || taken === 'gone') return { ...before, retryAfterMs: 0, status: taken };

  const lost = new AbortController();
  const progress: RunProgress = {
    ...before,
    at: { locationId: null, updatedAt: null, id: null },
    trouble: null,
    sightings: NO_SIGHTINGS,
  };
  const run: PollRun = {
    deps,
    lease,
    taken,
    progress,
    maxPages: MAX_PAGES_PER_RUN,
    signal: signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]),
    heartbeat: () => heartbeat({ ...progress.at, ...countsOf(progress) }),
  };
  const keeping = keepAlive(deps.db, run, () => lost.abort(new LeaseLost()));
  try {
    const status = await ingestPages(run);
    await release(run, { error: progress.trouble, as: status });
    return { ...countsOf(progress), retryAfterMs: 0, status };
  } catch (error) {
    if (signal?.aborted) await release(run, { error: undefined, as: 'cancelled' });
    signal?.throwIfAborted();
    return await endOf(run, lost.signal.aborted ? lost.signal.reason : error);
  } finally {
    clearInterval(keeping);
  }
}

function keepAlive(db: Db, run: PollRun, lose: () => void): NodeJS.Timeout {
  return setInterval(() => {
    run.heartbeat();
    pollLeases.renewLease(db, run.lease).then(
      (kept) => {
        if (kept === undefined) lose();
      },
      // Postgres is unreachable for a moment; the lease outlasts that.
      () => undefined,
    );
  }, HEARTBEAT_MS);
}

/** How a poll ended, and the error to record: null clears it, undefined leaves what is there. */
type End = { error: string | null | undefined; as: 'done' | 'capped' | 'failed' | 'cancelled' };

/** Releases the lease. Records how the poll ended, and how many polls webhooks have covered. */
async function release(run: PollRun, { error, as }: End): Promise<void> {
  const coveredPolls = as === 'cancelled' ? run.taken.coveredPolls : await coverageAfter(run, as);
  const end = { error, isComplete: as === 'done', coveredPolls };
  await pollLeases.releaseLease(run.deps.db, run.lease, end);
}

async function coverageAfter({ deps, taken, progress }: PollRun, as: End['as']): Promise<number> {
  const { connection, lastPolledAt, polledFrom, coveredPolls } = taken;
  const { sightings } = progress;
  const since = lastPolledAt ?? polledFrom;
  const hasEvents =
    sightings.known > 0 && (await pollLeases.hasEventSince(deps.db, connection, since));
  const finding = findingOf(sightings, { isComplete: as === 'done', hasEvents });
  return coveredPollsAfter(coveredPolls, finding);
}

async function endOf(run: PollRun, error: unknown): Promise<PollResult> {
  const result = { ...countsOf(run.progress), retryAfterMs: 0 };
  if (error instanceof LeaseLost) return { ...result, status: 'busy' };
  const failed = { ...result, errors: result.errors + 1 };
  if (error instanceof ReconnectNeeded) {
    await release(run, { error: error.message, as: 'failed' });
    return { ...failed, status: 'needs_reconnect' };
  }
  if (error instanceof Paused) {
    // The connection says why already.
    await release(run, { error: undefined, as: 'failed' });
    return { ...failed, status: 'interrupted', retryAfterMs: error.retryAfterMs };
  }
  const isExpected =
    error instanceof ProviderError ||
    error instanceof InvalidPayload ||
    error instanceof CustomersUnavailable;
  await release(run, { error: safeErrorText(error), as: 'failed' });
  if (!isExpected) throw error;
  const isTransient = 'isTransient' in error && error.isTransient;
  const away = awayIn(error);
  const retryAfterMs = away === undefined ? 0 : await pauseFor(run, away);
  return { ...failed, status: isTransient ? 'interrupted' : 'failed', retryAfterMs };
}

/** The error by which the provider is away. */
function awayIn(error: unknown): ProviderError | undefined {
  if (error instanceof CustomersUnavailable) return error.cause;
  return isAway(error) ? error : undefined;
}

/** Records that the provider is away, which all callers respect, and returns for how long. */
async function pauseFor({ deps, lease }: PollRun, error: ProviderError): Promise<number> {
  const { waitMs } = await recordAway(deps, { id: lease.connectionId }, error);
  return waitMs;
}

function countsOf({ payments, news, pages, errors }: RunProgress): PollCounts {
  return { payments, news, pages, errors };
}
