import { type Client, ScheduleAlreadyRunning, type ScheduleOptions } from '@temporalio/client';
import {
  MAINTAIN_SCHEDULE_ID,
  RECONCILE_SCHEDULE_ID,
  STATEMENTS_SCHEDULE_ID,
  SWEEP_SCHEDULE_ID,
  TASK_QUEUE,
  VERIFY_SCHEDULE_ID,
} from '../workflows/ids.ts';
import {
  maintainStart,
  type RunStart,
  reconcileStart,
  statementsStart,
  sweepStart,
  verifyStart,
} from '../workflows/starts.ts';

export type OurSchedule = Required<Pick<ScheduleOptions, 'scheduleId' | 'spec' | 'policies'>> & {
  run: RunStart;
  note?: string;
};

type State = { paused: boolean; note?: string };

/**
 * Creates the service's Schedules, or updates those of an earlier version. Running it again, or in
 * several workers at the same time, has the same result.
 */
export async function ensureSchedules(
  client: Client,
  { sweepIntervalSeconds }: { sweepIntervalSeconds: number },
): Promise<void> {
  const every = `${sweepIntervalSeconds} seconds` as const;
  const spec = { intervals: [{ every }] };
  // After an outage one run is enough: it takes everything that is pending.
  const policies = { overlap: 'SKIP', catchupWindow: every } as const;
  await ensureSchedule(client, {
    scheduleId: SWEEP_SCHEDULE_ID,
    spec,
    policies,
    run: sweepStart(),
  });
  await ensureSchedule(client, {
    scheduleId: RECONCILE_SCHEDULE_ID,
    spec,
    policies,
    run: reconcileStart(),
  });
  await ensureSchedule(client, HOURLY_MAINTENANCE);
  await ensureSchedule(client, DAILY_VERIFICATION);
  await ensureSchedule(client, HOURLY_STATEMENTS);
}

const HOURLY_MAINTENANCE: OurSchedule = {
  scheduleId: MAINTAIN_SCHEDULE_ID,
  // Not at the full hour, when everybody's hourly jobs run.
  spec: { intervals: [{ every: '1 hour', offset: '23 minutes' }] },
  policies: { overlap: 'SKIP', catchupWindow: '1 hour' },
  run: maintainStart(),
};

const DAILY_VERIFICATION: OurSchedule = {
  scheduleId: VERIFY_SCHEDULE_ID,
  // Night-time where most of the shops are.
  spec: { intervals: [{ every: '1 day', offset: '3 hours' }] },
  policies: { overlap: 'SKIP', catchupWindow: '1 day' },
  run: verifyStart(),
};

const HOURLY_STATEMENTS: OurSchedule = {
  scheduleId: STATEMENTS_SCHEDULE_ID,
  // Statements are of a day. The first run after midnight signs, the others take what it has left.
  spec: { intervals: [{ every: '1 hour', offset: '41 minutes' }] },
  policies: { overlap: 'SKIP', catchupWindow: '1 hour' },
  run: statementsStart(),
};

/** Creates or updates a Schedule. A paused one stays paused, unless `stateFrom` changes that. */
export async function ensureSchedule(
  client: Client,
  { scheduleId, spec, policies, run, note = '' }: OurSchedule,
  stateFrom: (state: State) => State = (state) => state,
): Promise<void> {
  const action = { type: 'startWorkflow', taskQueue: TASK_QUEUE, ...run } as const;
  try {
    await client.schedule.create({ scheduleId, spec, policies, action, state: { note } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule
      .getHandle(scheduleId)
      .update(({ state }) => ({ spec, policies, action, state: stateFrom(state) }));
  }
}
