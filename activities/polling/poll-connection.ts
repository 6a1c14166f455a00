import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/connection.ts';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import type { ConnectionId } from '../../domain/ids.ts';
import { MAX_PAGES_PER_RUN } from '../../domain/polling.ts';
import { InvalidPayload, ProviderError } from '../../gateways/provider/error.ts';
import { ReconnectNeeded } from '../connections/access-tokens.ts';
import type { IngestionDeps } from '../ingestion/index.ts';
import { safeErrorText } from '../safe-error-text.ts';
import { CustomersUnavailable, ingestPages, LeaseLost, type PollRun } from './poll-pages.ts';

/**
 * How a run ended: all is brought in; its pages were used up, and the next run goes on; another run
 * has the connection; it is not to be polled; the provider wants to be asked later, or refuses; its
 * merchant has to connect again.
 */
export type PollStatus =
  | 'done'
  | 'capped'
  | 'busy'
  | 'gone'
  | 'interrupted'
  | 'failed'
  | 'needs_reconnect';

export type PollResult = {
  status: PollStatus;
  /** The payments that were brought in, and the pages on which they came. */
  payments: number;
  pages: number;
  /** The payments that could not be brought in, and the run itself when it did not get through. */
  errors: number;
  /** How long the provider wants to be left alone; 0 when it did not say. */
  retryAfterMs: number;
};

/** How far a run is: no more than what a history may hold. */
export type PollProgress = {
  locationId: string | null;
  updatedAt: string | null;
  id: string | null;
  payments: number;
  pages: number;
  errors: number;
};

export type PollOptions = {
  /** Names the run; its second attempt takes over from the first. */
  run: string;
  /** What of this run is done already, by an attempt before. */
  done?: Pick<PollProgress, 'payments' | 'pages' | 'errors'>;
  heartbeat?: (progress: PollProgress) => void;
  signal?: AbortSignal;
};

/** Several times within a lease, and within what Temporal waits for a sign of life. */
const HEARTBEAT_MS = 8_000;

/**
 * Brings in what an alpha connection has sold since it was last polled, at most 25 pages of it, and
 * keeps how far it came page by page. One run at a time has a connection. What a provider does ends
 * the run, is noted on the connection, and never throws; running it again goes on from there.
 */
export async function pollConnection(
  deps: IngestionDeps,
  connectionId: ConnectionId,
  options: PollOptions,
): Promise<PollResult> {
  const { payments = 0, pages = 0 } = options.done ?? {};
  try {
    const result = await poll(deps, connectionId, options);
    // What earlier attempts have done was counted by them.
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
  const taken = await pollPositions.takeLease(deps.db, lease, name);
  const nothing = { payments: 0, pages: 0, errors: 0, ...done, retryAfterMs: 0 };
  if (taken === 'busy' || taken === 'gone') return { ...nothing, status: taken };

  const lost = new AbortController();
  const run: PollRun = {
    deps,
    lease,
    taken,
    at: { locationId: null, updatedAt: null, id: null },
    payments: nothing.payments,
    pages: nothing.pages,
    errors: nothing.errors,
    listedBy: 'updated_at',
    maxPages: MAX_PAGES_PER_RUN,
    trouble: null,
    signal: signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]),
    beat: () => heartbeat(progressOf(run)),
  };
  const keeping = keepAlive(deps.db, run, () => lost.abort(new LeaseLost()));
  try {
    const status = await ingestPages(run);
    await pollPositions.releaseLease(deps.db, lease, run.trouble);
    return { ...resultOf(run), status };
  } catch (error) {
    if (signal?.aborted) await pollPositions.releaseLease(deps.db, lease, undefined);
    signal?.throwIfAborted();
    return await endOf(run, lost.signal.aborted ? lost.signal.reason : error);
  } finally {
    clearInterval(keeping);
  }
}

function keepAlive(db: Db, run: PollRun, lose: () => void): NodeJS.Timeout {
  return setInterval(() => {
    run.beat();
    pollPositions.keepLease(db, run.lease).then(
      (kept) => {
        if (kept === undefined) lose();
      },
      // Postgres is away for a moment; the lease is good for longer than that.
      () => undefined,
    );
  }, HEARTBEAT_MS);
}

async function endOf(run: PollRun, error: unknown): Promise<PollResult> {
  const { db } = run.deps;
  const result = resultOf(run);
  if (error instanceof LeaseLost) return { ...result, status: 'busy' };
  const failed = { ...result, errors: result.errors + 1 };
  if (error instanceof ReconnectNeeded) {
    await pollPositions.releaseLease(db, run.lease, error.message);
    return { ...failed, status: 'needs_reconnect' };
  }
  const isForeseen =
    error instanceof ProviderError ||
    error instanceof InvalidPayload ||
    error instanceof CustomersUnavailable;
  await pollPositions.releaseLease(db, run.lease, safeErrorText(error));
  if (!isForeseen) throw error;
  const isTransient = 'isTransient' in error && error.isTransient;
  const retryAfterMs = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0;
  return { ...failed, status: isTransient ? 'interrupted' : 'failed', retryAfterMs };
}

function resultOf({ payments, pages, errors }: PollRun): Omit<PollResult, 'status'> {
  return { payments, pages, errors, retryAfterMs: 0 };
}

function progressOf({ at, payments, pages, errors }: PollRun): PollProgress {
  return { ...at, payments, pages, errors };
}
