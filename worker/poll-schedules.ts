import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import type { PollSchedules } from '../activities/polling/poll-schedules.ts';
import { ConnectionId } from '../domain/ids.ts';
import { pollIntervalMs } from '../domain/poll-cadence.ts';
import { pollOffsetMs, RECONNECT_NOTE } from '../domain/poll-schedules.ts';
import { polledConnectionId, pollScheduleId } from '../workflows/ids.ts';
import { pollStart } from '../workflows/starts.ts';
import { ensureSchedule, type OurSchedule, versionedNotes } from './schedules.ts';

/**
 * To be raised with every change of `scheduleOf` or `pollStart`: reconcile then updates the
 * Schedules of earlier releases. It is kept in the note, because a memo cannot be changed.
 */
const VERSION = 5;
const notes = versionedNotes('reconcile');

/** Temporal's minimum. */
const SHORTEST_CATCHUP_MS = 10_000;

/** Jitter is 1/20 of the interval, so that Schedules made at the same time do not fire together. */
const JITTER_PARTS = 20;

/** Manages the Schedules in Temporal that poll connections, one for each connection. */
export function createPollSchedules(
  client: Client,
  intervals: PollSchedules['intervals'],
): PollSchedules {
  return {
    intervals,

    async ensure(connection, { trigger = false } = {}) {
      const schedule = scheduleOf(
        connection,
        pollIntervalMs(connection.coveredPolls, intervals(connection.provider)),
      );
      await ensureSchedule(client, schedule, (state) =>
        state.paused && state.note !== RECONNECT_NOTE
          ? state
          : { paused: false, note: notes.write(VERSION) },
      );
      // A run that is under way may have passed what is new, so one more follows it.
      if (trigger) await client.schedule.getHandle(schedule.scheduleId).trigger('BUFFER_ONE');
    },

    async pause(id) {
      const handle = client.schedule.getHandle(pollScheduleId(id));
      await unlessGone(async () => {
        const { state } = await handle.describe();
        // An operator's pause stays theirs.
        if (!state.paused) await handle.pause(RECONNECT_NOTE);
      });
    },

    async remove(id) {
      await unlessGone(() => client.schedule.getHandle(pollScheduleId(id)).delete());
    },

    async list(onEach = () => undefined) {
      const found = [];
      for await (const { scheduleId, state, spec } of client.schedule.list()) {
        onEach();
        const id = ConnectionId.safeParse(polledConnectionId(scheduleId));
        if (!id.success) continue;
        found.push({
          connectionId: id.data,
          isPaused: state.paused,
          note: state.note || null,
          isCurrent: notes.versionIn(state.note) >= VERSION,
          intervalMs: spec?.intervals?.[0]?.every ?? null,
        });
      }
      return found;
    },
  };
}

function scheduleOf(connection: Parameters<typeof pollStart>[0], intervalMs: number): OurSchedule {
  return {
    scheduleId: pollScheduleId(connection.id),
    spec: {
      intervals: [{ every: intervalMs, offset: pollOffsetMs(connection.id, intervalMs) }],
      jitter: Math.ceil(intervalMs / JITTER_PARTS),
    },
    // A poll continues where the last one stopped, so a missed one is no loss. After an outage, all
    // connections would otherwise be polled at once.
    policies: { overlap: 'SKIP', catchupWindow: SHORTEST_CATCHUP_MS },
    run: pollStart(connection),
    note: notes.write(VERSION),
  };
}

async function unlessGone(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
