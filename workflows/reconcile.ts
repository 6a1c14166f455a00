import { ApplicationFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  isCancellation,
  log,
  ParentClosePolicy,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  startChild,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, OrphanedRedemption, Repair } from '../activities/index.ts';
import type { RedemptionId } from '../domain/ids.ts';
import { deliveryStart } from './delivery-start.ts';
import { reconciledRedemptionsStart, redemptionStart } from './redemption-starts.ts';
import { inviteMailStart, type RunStart, type ScheduledOptions } from './starts.ts';

const retry = {
  initialInterval: '1 second',
  maximumInterval: '30 seconds',
  maximumAttempts: 10,
} as const;

const {
  disableFailingEndpoints,
  expireOverdueRedemptions,
  forgetExpiredAnswers,
  forgetFingerprints,
  forgetStaleOAuth,
  listDueDeliveries,
  listUnfollowedRedemptions,
  listOverdueInvites,
  sendConnectionNotices,
} = proxyActivities<Activities>({ startToCloseTimeout: '30 seconds', retry });

// These go through many rows or calls, and say so as they do.
const { forgetBodies, matchNewcomers, reconcilePollSchedules, settleAccounts } =
  proxyActivities<Activities>({
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '30 seconds',
    retry,
  });

type Look = Pick<Activities, 'listDueRepairs'>;
// In the worker's own process: an idle tick is then a single task.
const quick = proxyLocalActivities<Look>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumAttempts: 3 },
});
const steady = proxyActivities<Look>({ startToCloseTimeout: '30 seconds', retry });

export type ReconcileSummary = {
  redemptionsExpired: number;
  redemptionsStarted: number;
  noticesStarted: number;
  paymentsMatched: number;
  pollSchedulesRepaired: number;
};

/**
 * The server allows a run 2,000 open children. A tick starts fewer and leaves the rest to the next
 * tick.
 */
const MAX_BATCHES_PER_RUN = 10;
/** How many batches of codes a tick expires: many, because refunding points is the urgent part. */
const MAX_EXPIRED_BATCHES = 40;

type Step<Name extends string = string> = { name: Name; work: () => Promise<number> };

/** Each repairs from what is committed in Postgres, and needs no other. */
const REPAIRS: readonly Step<Repair>[] = [
  { name: 'expire overdue codes', work: expireOverdue },
  {
    name: 'start redemption runs',
    work: () =>
      patched('redemptions-in-batches')
        ? followListed()
        : startListed(listUnfollowedRedemptions, redemptionStart),
  },
  { name: 'start invite mails', work: () => startListed(listOverdueInvites, inviteMailStart) },
  { name: 'repair poll Schedules', work: () => reconcilePollSchedules() },
  { name: 'match sign-ups', work: () => matchNewcomers() },
];
/** Runs of the releases before this one also delete, which `maintain` does by now. */
const DELETIONS: readonly Step[] = [
  { name: 'delete expired responses', work: () => forgetExpiredAnswers() },
  { name: 'delete fingerprints', work: () => forgetFingerprints() },
  { name: 'delete old bodies', work: () => forgetBodies() },
  { name: 'delete stale authorizations', work: () => forgetStaleOAuth() },
];
const ACCOUNT_STEPS: readonly Step<Repair>[] = [
  { name: 'tell owners of connections', work: () => sendConnectionNotices() },
  { name: 'read accounts', work: () => settleAccounts() },
];

/** Only where they are due, which runs of earlier releases were never told. */
const DELIVERY_STEPS: readonly Step<Repair>[] = [
  {
    name: 'deliver events',
    work: () => startListed(listDueDeliveries, ({ id }) => deliveryStart(id)),
  },
  { name: 'disable failing endpoints', work: () => disableFailingEndpoints() },
];

/**
 * Repairs the consequences of outages, lost starts and late timers, where something is due. The
 * steps run at the same time, so that none waits for another. A failed step is left to the next
 * tick; the run then fails in the end and names it. Its Schedule never runs it twice at the same
 * time.
 */
export async function reconcile(_options?: ScheduledOptions): Promise<ReconcileSummary> {
  const failed: string[] = [];
  const [
    redemptionsExpired = 0,
    redemptionsStarted = 0,
    noticesStarted = 0,
    pollSchedulesRepaired = 0,
    paymentsMatched = 0,
  ] = await takeSteps(failed);

  const started = `${redemptionsStarted} redemptions and ${noticesStarted} invite mails started`;
  const repaired = `${pollSchedulesRepaired} poll Schedules repaired`;
  const matched = `${paymentsMatched} payments matched to sign-ups`;
  const text = `${redemptionsExpired} codes expired, ${started}, ${repaired}, ${matched}`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  if (failed.length > 0) {
    const message = `These steps failed, and the next run takes them again: ${failed.join(', ')}.`;
    throw ApplicationFailure.nonRetryable(message, 'ReconcileStepsFailed');
  }
  return {
    redemptionsExpired,
    redemptionsStarted,
    noticesStarted,
    pollSchedulesRepaired,
    paymentsMatched,
  };
}

/** Returns the count of each step, and adds the names of those that fail to `failed`. */
async function takeSteps(failed: string[]): Promise<number[]> {
  const take = async ({ name, work }: Step): Promise<number> => {
    try {
      return await work();
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.error('A step of reconcile failed', {
        event: 'reconcile_step_failed',
        step: name,
        error,
      });
      failed.push(name);
      return 0;
    }
  };
  if (patched('only-due-repairs')) {
    const due = await listDueRepairs();
    const steps = [...REPAIRS, ...ACCOUNT_STEPS, ...DELIVERY_STEPS];
    return Promise.all(steps.map((step) => (due.includes(step.name) ? take(step) : 0)));
  }
  if (patched('deletions-apart')) return Promise.all([...REPAIRS, ...ACCOUNT_STEPS].map(take));
  const before = [...REPAIRS, ...DELETIONS];
  if (patched('reconcile-steps-at-once')) {
    const steps = patched('accounts') ? [...before, ...ACCOUNT_STEPS] : before;
    return Promise.all(steps.map(take));
  }
  const counts: number[] = [];
  for (const step of before) counts.push(await take(step));
  return counts;
}

async function listDueRepairs(): Promise<Repair[]> {
  try {
    return await quick.listDueRepairs();
  } catch (error) {
    if (isCancellation(error)) throw error;
    return steady.listDueRepairs();
  }
}

async function expireOverdue(): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_EXPIRED_BATCHES; batch++) {
    const expired = await expireOverdueRedemptions();
    if (expired === 0) break;
    total += expired;
  }
  return total;
}

/** Starts a run for each page of redemptions that none follows; returns how many they are. */
async function followListed(): Promise<number> {
  const { originalExecutionRunId: runId } = workflowInfo();
  let started = 0;
  let after: RedemptionId | null = null;
  for (let nth = 0; nth < MAX_BATCHES_PER_RUN; nth++) {
    const rows: OrphanedRedemption[] = await listUnfollowedRedemptions(after);
    after = rows.at(-1)?.id ?? null;
    if (after === null) break;
    await startDetached(reconciledRedemptionsStart(rows, { runId, nth }));
    started += rows.length;
  }
  return started;
}

/** Starts a run for each row of `list`, batch by batch; returns how many were not there yet. */
async function startListed<Row extends { id: string }>(
  list: (after: Row['id'] | null) => Promise<Row[]>,
  startOf: (row: Row) => RunStart,
): Promise<number> {
  let started = 0;
  let after: Row['id'] | null = null;
  for (let batch = 0; batch < MAX_BATCHES_PER_RUN; batch++) {
    const rows: Row[] = await list(after);
    const starts = await Promise.all(rows.map((row) => startDetached(startOf(row))));
    started += starts.filter((isNew) => isNew).length;
    after = rows.at(-1)?.id ?? null;
    if (after === null) break;
  }
  return started;
}

/** Starts a run that outlives this one. Returns false when its id is taken. */
async function startDetached({ workflowType, ...options }: RunStart): Promise<boolean> {
  try {
    const parentClosePolicy = ParentClosePolicy.ABANDON;
    await startChild(workflowType, { ...options, parentClosePolicy });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
