import { ScheduleNotFoundError } from '@temporalio/client';
import type { TemporalConnection } from './connection.ts';

const REMOVE_WITHIN_MS = 2_000;

/** Pauses and removes a Schedule. One that does not exist is not an error. */
export async function removeSchedule(link: TemporalConnection, scheduleId: string): Promise<void> {
  try {
    await link.call(REMOVE_WITHIN_MS, async (client) => {
      const schedule = client.schedule.getHandle(scheduleId);
      // If the removal fails, the Schedule must not start runs until reconcile removes it.
      await schedule.pause('The merchant has disconnected.');
      await schedule.delete();
    });
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
