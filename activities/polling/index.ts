import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { z } from 'zod';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import { type Polled, type PollSchedule, pollDrift } from '../../domain/poll-schedules.ts';
import type { IngestionDeps } from '../ingestion/index.ts';
import { type PollResult, pollConnection } from './poll-connection.ts';

/** The Schedules by which connections are polled, one each. */
export type PollSchedules = {
  /**
   * Makes a connection's Schedule, or brings it up to date and resumes it if we have paused it.
   * With `trigger` its first run is started at once.
   */
  ensure(
    connection: { id: ConnectionId; tenantId: TenantId },
    options?: { trigger?: boolean },
  ): Promise<void>;
  /** Pauses a Schedule until its merchant has connected again. */
  pause(id: ConnectionId): Promise<void>;
  /** Removes a Schedule; one that is gone already is none to remove. */
  remove(id: ConnectionId): Promise<void>;
  /** All of them, save those that were made or removed a moment ago. */
  list(): Promise<PollSchedule[]>;
};

export type PollingDeps = IngestionDeps & { pollSchedules: PollSchedules };

/** What of a run is done already. */
const PollDone = z.object({ payments: z.int(), pages: z.int(), errors: z.int() });
type PollDone = z.infer<typeof PollDone>;

/** As many connections as are read at a time, and as many Schedules as one tick repairs. */
const BATCH = 500;
const MAX_REPAIRS = 200;

/** The steps of polling (contract 5). Each may run any number of times, also at once. */
export function createPollingActivities(deps: PollingDeps) {
  const { db, pollSchedules } = deps;
  return {
    /**
     * Brings in what an alpha connection has sold, up to the pages that the run has left. Run again
     * it goes on where it stopped, and a second one at the same time finds it busy.
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
     * Makes a connection's Schedule and starts its first run, unless it is not to be polled. A
     * second run finds the Schedule there and polls once more.
     */
    async startPolling(connectionId: ConnectionId): Promise<void> {
      const connection = await pollPositions.findPolled(db, connectionId);
      if (connection !== undefined) await pollSchedules.ensure(connection, { trigger: true });
    },

    /**
     * Makes the Schedules fit the connections, as far as one tick goes, and says how many it has
     * changed. A second run finds nothing to change.
     */
    async reconcilePollSchedules(): Promise<number> {
      // In this order: a Schedule that is listed belongs to a connection that was there before.
      const schedules = await pollSchedules.list();
      const { ensure, pause, remove } = pollDrift(await allPolled(deps), schedules);
      const repairs = [
        ...remove.map((id) => () => pollSchedules.remove(id)),
        ...pause.map((id) => () => pollSchedules.pause(id)),
        ...ensure.map((connection) => () => pollSchedules.ensure(connection)),
      ].slice(0, MAX_REPAIRS);
      for (const repair of repairs) await repair();
      return repairs.length;
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
