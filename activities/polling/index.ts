import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { z } from 'zod';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import * as changes from '../../db/connections/poll-schedule-changes.ts';
import type { ConnectionId } from '../../domain/ids.ts';
import type { PolledProvider } from '../../domain/payment.ts';
import type { PollIntervals } from '../../domain/poll-cadence.ts';
import { type Polled, type PollSchedule, pollDrift } from '../../domain/poll-schedules.ts';
import { inParallel } from '../concurrency.ts';
import type { IngestionDeps } from '../ingestion/index.ts';
import { continues } from '../progress.ts';
import { type PollResult, pollConnection } from './poll-connection.ts';

/** The Schedules by which connections are polled, one each. */
export type PollSchedules = {
  intervals(provider: PolledProvider): PollIntervals;
  /**
   * Creates a connection's Schedule, or updates it and resumes it if the service paused it. With
   * `trigger` a run is started at once.
   */
  ensure(
    connection: Pick<Polled, 'id' | 'tenantId' | 'provider' | 'coveredPolls'>,
    options?: { trigger?: boolean },
  ): Promise<void>;
  /** Pauses a Schedule, if it exists and is not paused, until its merchant has connected again. */
  pause(id: ConnectionId): Promise<void>;
  /** Removes a Schedule, if it exists. */
  remove(id: ConnectionId): Promise<void>;
  /**
   * Lists all of them; one that was just created or removed may be missing or still listed. Calls
   * `onEach` with each.
   */
  list(onEach?: () => void): Promise<PollSchedule[]>;
};

export type PollingDeps = IngestionDeps & { pollSchedules: PollSchedules };

/** What a run has done so far. */
const PollDone = z.object({ payments: z.int(), pages: z.int(), errors: z.int() });
type PollDone = z.infer<typeof PollDone>;

/** How many connections are read at a time. */
const BATCH = 500;
/** How long one tick repairs Schedules; the next one continues. */
const REPAIR_FOR_MS = 60_000;
const REPAIR_BATCH = 100;
/** Each takes a few calls to Temporal's server, which has other things to do. */
const REPAIRS_AT_ONCE = 5;

/** The steps of polling. Each may run any number of times, also at once. */
export function createPollingActivities(deps: PollingDeps) {
  const { db, pollSchedules } = deps;
  return {
    /**
     * Ingests the payments of a connection, up to the pages that the run has left. Run
     * again, it continues where it stopped; run twice at once, the second call finds the connection
     * busy.
     */
    async pollPayments(connectionId: ConnectionId, done: PollDone): Promise<PollResult> {
      const { workflowExecution, heartbeatDetails } = activityInfo();
      // The last heartbeat of an earlier attempt, which may be of another release.
      const before = PollDone.safeParse(heartbeatDetails);
      return pollConnection(deps, connectionId, {
        run: workflowExecution?.runId ?? connectionId,
        done: before.data ?? done,
        heartbeat,
        signal: cancellationSignal(),
      });
    },

    /**
     * Creates a connection's Schedule and starts its first run, if the connection is polled. A
     * second call finds the Schedule and polls once more.
     */
    async startPolling(connectionId: ConnectionId): Promise<void> {
      const [connection] = await pollPositions.findPolled(db, [connectionId]);
      if (connection !== undefined) await pollSchedules.ensure(connection, { trigger: true });
    },

    /**
     * Brings the Schedules of connections that have changed up to date, for up to a minute, and
     * returns how many. Throws when some could not be, after it has tried the others; those are due
     * again in a minute. A second call finds nothing to do.
     */
    async reconcilePollSchedules(): Promise<number> {
      const until = performance.now() + REPAIR_FOR_MS;
      const done: Repairs = { repaired: 0, failures: [] };
      while (performance.now() < until) {
        const due = await changes.listDue(db, REPAIR_BATCH);
        await repairAll(deps, due, { done, until });
        if (due.length < REPAIR_BATCH) break;
      }
      if (done.failures.length > 0) throw done.failures[0];
      return done.repaired;
    },

    /**
     * Compares all Schedules with all connections, makes those due for repair that differ, and
     * returns how many. It finds what no change has told, such as a new configuration, or a
     * Schedule that was deleted by hand. A second call adds none that is still due.
     */
    async comparePollSchedules(): Promise<number> {
      // Schedules are listed first, so that the connection of each listed one is found after it.
      const schedules = await pollSchedules.list(continues);
      const drift = pollDrift(await allPolled(deps), schedules, pollSchedules.intervals);
      for (let start = 0; start < drift.length; start += BATCH) {
        continues();
        await changes.insertAll(db, drift.slice(start, start + BATCH));
      }
      return drift.length;
    },
  };
}

type Repairs = { repaired: number; failures: unknown[] };

/** Repairs the Schedules of connections that have changed, until the time is over. */
async function repairAll(
  { db, pollSchedules }: PollingDeps,
  due: readonly changes.ScheduleChange[],
  { done, until }: { done: Repairs; until: number },
): Promise<void> {
  const ids = due.map(({ id }) => id);
  const polled = await pollPositions.findPolled(db, ids);
  await inParallel(due, REPAIRS_AT_ONCE, async (change) => {
    continues();
    if (performance.now() > until) return;
    try {
      await repair(pollSchedules, change.id, polled);
      await changes.close(db, change);
      done.repaired += 1;
    } catch (error) {
      done.failures.push(error);
      await changes.postpone(db, change);
    }
  });
}

/** Makes one connection's Schedule as it should be. */
async function repair(
  pollSchedules: PollSchedules,
  id: ConnectionId,
  polled: readonly Polled[],
): Promise<void> {
  const connection = polled.find((each) => each.id === id);
  if (connection === undefined) await pollSchedules.remove(id);
  else if (connection.needsReconnectSince !== null) await pollSchedules.pause(id);
  else await pollSchedules.ensure(connection);
}

async function allPolled({ db }: PollingDeps): Promise<Polled[]> {
  const all: Polled[] = [];
  for (;;) {
    continues();
    const after = all.at(-1)?.id ?? null;
    const batch = await pollPositions.listPolled(db, { after, limit: BATCH });
    all.push(...batch);
    if (batch.length < BATCH) return all;
  }
}
