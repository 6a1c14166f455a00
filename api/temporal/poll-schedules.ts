import { ScheduleNotFoundError } from '@temporalio/client';
import { clientOf } from './client.ts';
import type { TemporalConnection } from './connection.ts';

const REMOVE_WITHIN_MS = 2_000;

/** Pauses and removes a Schedule; one that is gone already is none to remove. */
export async function removeSchedule(
  link: TemporalConnection,
  namespace: string,
  scheduleId: string,
): Promise<void> {
  try {
    await link.call(REMOVE_WITHIN_MS, async (connection) => {
      const schedule = clientOf(connection, namespace).schedule.getHandle(scheduleId);
      // Should the removal fail, it does not tick meanwhile.
      await schedule.pause('The merchant has disconnected.');
      await schedule.delete();
    });
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
