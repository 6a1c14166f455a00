import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { z } from 'zod';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import * as dueWork from '../../db/due-work.ts';
import type { ConnectionId } from '../../domain/ids.ts';
import { type Polled, pollDrift } from '../../domain/poll-schedules.ts';
import type { IngestionDeps } from '../ingestion/index.ts';
import { continues } from '../progress.ts';
import { type PollResult, pollConnection } from './poll-connection.ts';
import type { PollCounts } from './poll-run.ts';
import type { PollSchedules } from './poll-schedules.ts';

export type PollingDeps = IngestionDeps & { pollSchedules: PollSchedules };

/** What a run has done so far. */
const PollDone = z.object({
  payments: z.int(),
  news: z.int(),
  pages: z.int(),
  errors: z.int(),
}) satisfies z.ZodType<PollCounts>;

/** How many connections are read at a time. */
const BATCH = 500;
/** The steps of polling. Each may run any number of times, also at once. */
export function createPollingActivities(deps: PollingDeps) {
  const { db, pollSchedules } = deps;
  return {
    /**
     * Ingests the payments of a connection, up to the pages that the run has left. Run
     * again, it continues where it stopped; run twice at once, the second call finds the connection
     * busy.
     */
    async pollPayments(connectionId: ConnectionId, done: PollCounts): Promise<PollResult> {
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
        await dueWork.noteIfMissing(db, 'update_poll_schedule', drift.slice(start, start + BATCH));
      }
      return drift.length;
    },
  };
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
