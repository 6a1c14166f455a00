import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { z } from 'zod';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import { type Polled, type PollSchedule, pollDrift } from '../../domain/poll-schedules.ts';
import type { IngestionDeps } from '../ingestion/index.ts';
import { continues } from '../progress.ts';
import { type PollResult, pollConnection } from './poll-connection.ts';

/** The Schedules by which connections are polled, one each. */
export type PollSchedules = {
  /**
   * Creates a connection's Schedule, or updates it and resumes it if the service paused it. With
   * `trigger` a run is started at once.
   */
  ensure(
    connection: { id: ConnectionId; tenantId: TenantId },
    options?: { trigger?: boolean },
  ): Promise<void>;
  /** Pauses a Schedule until its merchant has connected again. */
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
/** How many Schedules one tick repairs, and for how long; the next one continues. */
const MAX_REPAIRS = 200;
const REPAIR_FOR_MS = 60_000;

/** The steps of polling. Each may run any number of times, also at once. */
export function createPollingActivities(deps: PollingDeps) {
  const { db, pollSchedules } = deps;
  return {
    /**
     * Ingests the payments of an alpha connection, up to the pages that the run has left. Run
     * again, it continues where it stopped; run twice at once, the second call finds the connection
     * busy.
     */
    async pollAlphaConnection(connectionId: ConnectionId, done: PollDone): Promise<PollResult> {
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
      const connection = await pollPositions.findPolled(db, connectionId);
      if (connection !== undefined) await pollSchedules.ensure(connection, { trigger: true });
    },

    /**
     * Repairs Schedules that differ from their connections, at most as many as one tick may, and
     * returns how many. Throws when some could not be repaired, after it has tried the others. A
     * second call finds nothing to repair.
     */
    async reconcilePollSchedules(): Promise<number> {
      const until = performance.now() + REPAIR_FOR_MS;
      // Schedules are listed first, so that the connection of each listed one is found after it.
      const schedules = await pollSchedules.list(continues);
      const { ensure, pause, remove } = pollDrift(await allPolled(deps), schedules);
      const repairs = [
        ...remove.map((id) => () => pollSchedules.remove(id)),
        ...pause.map((id) => () => pollSchedules.pause(id)),
        ...ensure.map((connection) => () => pollSchedules.ensure(connection)),
      ].slice(0, MAX_REPAIRS);
      const failures: unknown[] = [];
      let tried = 0;
      for (const repair of repairs) {
        if (performance.now() > until) break;
        continues();
        tried++;
        await repair().catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
      return tried;
    },
  };
}

async function allPolled({ db }: PollingDeps): Promise<Polled[]> {
  const all: Polled[] = [];
  for (;;) {
    const after = all.at(-1)?.id ?? null;
    const batch = await pollPositions.listPolled(db, { after, limit: BATCH });
    all.push(...batch);
    if (batch.length < BATCH) return all;
  }
}
