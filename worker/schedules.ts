import { type Client, ScheduleAlreadyRunning, type ScheduleOptions } from '@temporalio/client';
import {
  BACKGROUND_PRIORITY,
  RECONCILE_SCHEDULE_ID,
  RECONCILE_WORKFLOW_ID,
  SWEEP_SCHEDULE_ID,
  SWEEP_WORKFLOW_ID,
  TASK_QUEUE,
  VERIFY_SCHEDULE_ID,
  VERIFY_WORKFLOW_ID,
} from '../workflows/ids.ts';
import type { reconcile } from '../workflows/reconcile.ts';
import type { ScheduledOptions } from '../workflows/search-attributes.ts';
import type { sweepPendingEvents } from '../workflows/sweep-pending-events.ts';
import type { verifyLedger } from '../workflows/verify-ledger.ts';

/**
 * Makes the service's Schedules, or brings those of an earlier version up to date. Running it again,
 * or from several workers at once, ends the same.
 */
export async function ensureSchedules(
  client: Client,
  options: { sweepIntervalSeconds: number; searchAttributes: boolean },
): Promise<void> {
  const every = `${options.sweepIntervalSeconds} seconds` as const;
  const scheduled: ScheduledOptions = { searchable: options.searchAttributes };
  const ours = (scheduleId: string, run: OurRun): OurSchedule => ({
    scheduleId,
    spec: { intervals: [{ every }] },
    // After an outage one run is enough: it takes all that was left behind.
    policies: { overlap: 'SKIP', catchupWindow: every },
    action: {
      type: 'startWorkflow',
      taskQueue: TASK_QUEUE,
      args: [scheduled],
      ...run,
    },
  });
  await ensureSchedule(
    client,
    ours(SWEEP_SCHEDULE_ID, {
      workflowType: 'sweepPendingEvents' satisfies (typeof sweepPendingEvents)['name'],
      workflowId: SWEEP_WORKFLOW_ID,
      staticSummary: 'Brings in stored events that were left behind',
      priority: BACKGROUND_PRIORITY,
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
  await ensureSchedule(client, DAILY_AUDIT);
}

type OurRun = {
  workflowType: string;
  workflowId: string;
  staticSummary: string;
  priority?: typeof BACKGROUND_PRIORITY;
};
export type OurSchedule = ScheduleOptions & Required<Pick<ScheduleOptions, 'policies'>>;
type State = { paused: boolean; note?: string };

const DAILY_AUDIT: OurSchedule = {
  scheduleId: VERIFY_SCHEDULE_ID,
  // At night where most of the shops are.
  spec: { intervals: [{ every: '1 day', offset: '3 hours' }] },
  policies: { overlap: 'SKIP', catchupWindow: '1 day' },
  action: {
    type: 'startWorkflow',
    taskQueue: TASK_QUEUE,
    workflowType: 'verifyLedger' satisfies (typeof verifyLedger)['name'],
    workflowId: VERIFY_WORKFLOW_ID,
    args: [],
    staticSummary: 'Audits the ledger: every wallet against its entries and their sources',
  },
};

/** Makes a Schedule, or brings it up to date; whether it is paused stays as it is, or as is said. */
export async function ensureSchedule(
  client: Client,
  schedule: OurSchedule,
  stateFrom: (state: State) => State = (state) => state,
): Promise<void> {
  try {
    await client.schedule.create(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId, spec, policies, action } = schedule;
    await client.schedule
      .getHandle(scheduleId)
      .update(({ state }) => ({ spec, policies, action, state: stateFrom(state) }));
  }
}
