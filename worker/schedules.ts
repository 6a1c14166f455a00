import { type Client, ScheduleAlreadyRunning, type ScheduleOptions } from '@temporalio/client';
import {
  RECONCILE_SCHEDULE_ID,
  RECONCILE_WORKFLOW_ID,
  SWEEP_SCHEDULE_ID,
  SWEEP_WORKFLOW_ID,
  TASK_QUEUE,
} from '../workflows/ids.ts';
import type { reconcile } from '../workflows/reconcile.ts';
import type { sweepPendingEvents } from '../workflows/sweep-pending-events.ts';

/**
 * Makes the service's Schedules, or brings those of an earlier version up to date. Running it again,
 * or from several workers at once, ends the same.
 */
export async function ensureSchedules(
  client: Client,
  options: { sweepIntervalSeconds: number; searchable: boolean },
): Promise<void> {
  const every = `${options.sweepIntervalSeconds} seconds` as const;
  const ours = (scheduleId: string, run: OurRun): OurSchedule => ({
    scheduleId,
    spec: { intervals: [{ every }] },
    // After an outage one run is enough: it takes all that was left behind.
    policies: { overlap: 'SKIP', catchupWindow: every },
    action: {
      type: 'startWorkflow',
      taskQueue: TASK_QUEUE,
      args: [{ searchable: options.searchable }],
      ...run,
    },
  });
  await ensureSchedule(
    client,
    ours(SWEEP_SCHEDULE_ID, {
      workflowType: 'sweepPendingEvents' satisfies (typeof sweepPendingEvents)['name'],
      workflowId: SWEEP_WORKFLOW_ID,
      staticSummary: 'Brings in stored events that were left behind',
    }),
  );
  await ensureSchedule(
    client,
    ours(RECONCILE_SCHEDULE_ID, {
      workflowType: 'reconcile' satisfies (typeof reconcile)['name'],
      workflowId: RECONCILE_WORKFLOW_ID,
      staticSummary: 'Repairs what an outage or a lost start has left',
    }),
  );
}

type OurRun = { workflowType: string; workflowId: string; staticSummary: string };
type OurSchedule = ScheduleOptions & Required<Pick<ScheduleOptions, 'policies'>>;

async function ensureSchedule(client: Client, schedule: OurSchedule): Promise<void> {
  try {
    await client.schedule.create(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId, spec, policies, action } = schedule;
    await client.schedule
      .getHandle(scheduleId)
      .update(({ state }) => ({ spec, policies, action, state }));
  }
}
