import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Logger } from '../gateways/telemetry/logger.ts';
import { erasuresStart } from '../workflows/erasures-start.ts';
import { watchMonthsStart } from '../workflows/expiry-start.ts';
import { healingStart } from '../workflows/healing-start.ts';
import {
  ERASURES_SCHEDULE_ID,
  EXPIRY_SCHEDULE_ID,
  GAPS_SCHEDULE_ID,
  MAINTAIN_SCHEDULE_ID,
  RECONCILE_SCHEDULE_ID,
  STATEMENTS_SCHEDULE_ID,
  SWEEP_SCHEDULE_ID,
  TASK_QUEUE,
  TIERS_SCHEDULE_ID,
  TRUTH_SCHEDULE_ID,
  VERIFY_SCHEDULE_ID,
} from '../workflows/ids.ts';
import { maintainStart, type RunStart, statementsStart, verifyStart } from '../workflows/starts.ts';
import { watchNightsStart } from '../workflows/tiers-start.ts';
import { gapsStart, watchDaysStart } from '../workflows/truth-start.ts';

export type OurSchedule = Required<Pick<ScheduleOptions, 'scheduleId' | 'spec' | 'policies'>> & {
  run: RunStart;
  note?: string;
};

type State = { paused: boolean; note?: string };

/**
 * To be raised with every change of what is below: workers of earlier releases, which may run
 * beside those of a later one, then leave the Schedules as they are. It is kept in the note.
 */
const VERSION = 1;
const notes = versionedNotes('the workers');
const NOTE = notes.write(VERSION);

export type KeptSchedules = {
  sweepIntervalSeconds: number;
  /** Whether the programmes of shops are applied, by default; else no Schedule is made for them. */
  hasProgrammes?: boolean | undefined;
};

/** Keeps the service's Schedules while workers run. */
export async function keepSchedules(
  client: Client,
  options: KeptSchedules & { log: Pick<Logger, 'warn'> },
  end: AbortSignal,
  everyMs = ENSURE_EVERY_MS,
): Promise<void> {
  for (;;) {
    const isOver = await sleep(everyMs, false, { signal: end }).catch(() => true);
    if (isOver) return;
    await ensureSchedules(client, options).catch((err: unknown) => {
      const event = 'schedules_not_ensured';
      options.log.warn({ event, err }, 'The Schedules could not be looked at');
    });
  }
}

/** One that was deleted is away for no longer than this. */
const ENSURE_EVERY_MS = 10 * 60_000;

/**
 * Creates the service's Schedules, or updates those of an earlier version; those of a later one
 * stay as they are. Running it again, or in several workers at the same time, has the same result.
 */
export async function ensureSchedules(
  client: Client,
  { sweepIntervalSeconds, hasProgrammes = true }: KeptSchedules,
): Promise<void> {
  for (const schedule of [
    healing(SWEEP_SCHEDULE_ID, healingStart('sweep', sweepIntervalSeconds)),
    healing(RECONCILE_SCHEDULE_ID, healingStart('reconcile', sweepIntervalSeconds)),
    HOURLY_MAINTENANCE,
    DAILY_VERIFICATION,
    HOURLY_STATEMENTS,
    HOURLY_ERASURES,
    ...(hasProgrammes ? [HOURLY_EXPIRY, HOURLY_TIERS, HOURLY_TRUTH, FREQUENT_GAPS] : []),
  ]) {
    await ensureKept(client, schedule);
  }
}

/** Begins what heals again when it is gone. */
function healing(scheduleId: string, run: RunStart<'keepHealing'>): OurSchedule {
  const every = `${run.args[1]} seconds` as const;
  const spec = { intervals: [{ every }] };
  return { scheduleId, spec, policies: { overlap: 'SKIP', catchupWindow: every }, run };
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

const HOURLY_ERASURES: OurSchedule = {
  scheduleId: ERASURES_SCHEDULE_ID,
  // Whatever programmes are: who asked for it is erased.
  spec: { intervals: [{ every: '1 hour', offset: '17 minutes' }] },
  policies: { overlap: 'SKIP', catchupWindow: '1 hour' },
  run: erasuresStart(),
};

const HOURLY_EXPIRY: OurSchedule = {
  scheduleId: EXPIRY_SCHEDULE_ID,
  // Months end at the full hour where shops are, or at its half or quarter.
  spec: { intervals: [{ every: '1 hour', offset: '7 minutes' }] },
  policies: { overlap: 'SKIP', catchupWindow: '1 hour' },
  run: watchMonthsStart(),
};

const HOURLY_TIERS: OurSchedule = {
  scheduleId: TIERS_SCHEDULE_ID,
  // Tiers are decided from three on, where shops are.
  spec: { intervals: [{ every: '1 hour', offset: '12 minutes' }] },
  policies: { overlap: 'SKIP', catchupWindow: '1 hour' },
  run: watchNightsStart(),
};

const HOURLY_TRUTH: OurSchedule = {
  scheduleId: TRUTH_SCHEDULE_ID,
  // Days are compared from half past four on, where shops are.
  spec: { intervals: [{ every: '1 hour', offset: '33 minutes' }] },
  policies: { overlap: 'SKIP', catchupWindow: '1 hour' },
  run: watchDaysStart(),
};

const FREQUENT_GAPS: OurSchedule = {
  scheduleId: GAPS_SCHEDULE_ID,
  spec: { intervals: [{ every: '15 minutes', offset: '4 minutes' }] },
  policies: { overlap: 'SKIP', catchupWindow: '15 minutes' },
  run: gapsStart(),
};

async function ensureKept(client: Client, schedule: OurSchedule): Promise<void> {
  const handle = client.schedule.getHandle(schedule.scheduleId);
  const kept = await handle.describe().catch((error: unknown) => {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  });
  const version = notes.versionIn(kept?.state.note);
  const hasNewArgs = JSON.stringify(kept?.action.args) !== JSON.stringify(schedule.run.args);
  if (version > VERSION || (version === VERSION && !hasNewArgs)) return;
  await ensureSchedule(client, { ...schedule, note: NOTE }, (state) =>
    state.paused ? state : { ...state, note: NOTE },
  );
  if (kept === undefined || !hasNewArgs) return;
  // What an earlier interval has begun would go on for a day. The Schedule begins it again.
  const last = kept.info.recentActions.at(-1)?.action.workflow;
  if (last !== undefined) await cancelled(client, last.workflowId);
}

async function cancelled(client: Client, workflowId: string): Promise<void> {
  await client.workflow
    .getHandle(workflowId)
    .cancel()
    .catch((error: unknown) => {
      // It has ended meanwhile.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
}

/** Notes by which it is known what keeps a Schedule, and in which version it left it. */
export function versionedNotes(keeper: string) {
  const before = `Kept by ${keeper}, version `;
  return {
    write: (version: number) => `${before}${version}.`,

    /** The version in a note; 0 for any other note, such as that of an operator. */
    versionIn(note = ''): number {
      const version = note.startsWith(before) ? note.slice(before.length) : '';
      return /^\d+\.$/.test(version) ? Number.parseInt(version, 10) : 0;
    },
  };
}

/** Creates or updates a Schedule. A paused one stays paused, unless `stateFrom` changes that. */
export async function ensureSchedule(
  client: Client,
  { scheduleId, spec, policies, run, note = '' }: OurSchedule,
  stateFrom: (state: State) => State = (state) => state,
): Promise<void> {
  const action = { type: 'startWorkflow', taskQueue: TASK_QUEUE, ...run } as const;
  try {
    const { typedSearchAttributes } = run;
    await client.schedule.create({
      scheduleId,
      spec,
      policies,
      action,
      state: { note },
      ...(typedSearchAttributes !== undefined && { typedSearchAttributes }),
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule
      .getHandle(scheduleId)
      .update(({ state }) => ({ spec, policies, action, state: stateFrom(state) }));
  }
}
