import type { Db } from '../../db/connection.ts';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import type { ConnectionId } from '../../domain/ids.ts';
import type { PolledProvider } from '../../domain/payment.ts';
import type { PollIntervals } from '../../domain/poll-cadence.ts';
import type { Polled, PollSchedule } from '../../domain/poll-schedules.ts';
import type { DueWorker } from '../due-work/worker.ts';

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

export type PollScheduleDeps = { db: Db; pollSchedules: PollSchedules };

/** Makes the Schedules of connections that have changed as they should be. */
export function updatePollSchedule({
  db,
  pollSchedules,
}: PollScheduleDeps): DueWorker<'update_poll_schedule'> {
  return {
    kind: 'update_poll_schedule',
    batch: 100,
    // Each takes a few calls to Temporal's server, which has other things to do.
    atOnce: 5,
    backOff: { firstSeconds: 60, longestSeconds: 60 },
    async prepare(items) {
      const ids = items.map(({ id }) => id);
      const polled = new Map(
        (await pollPositions.findPolled(db, ids)).map((each) => [each.id, each]),
      );
      return items.map((item) => ({
        item,
        async run() {
          await update(pollSchedules, item.id, polled.get(item.id));
          return 'done';
        },
      }));
    },
  };
}

async function update(
  pollSchedules: PollSchedules,
  id: ConnectionId,
  connection: Polled | undefined,
): Promise<void> {
  if (connection === undefined) await pollSchedules.remove(id);
  else if (connection.needsReconnectSince !== null) await pollSchedules.pause(id);
  else await pollSchedules.ensure(connection);
}
