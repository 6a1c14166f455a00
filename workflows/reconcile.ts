import { ApplicationFailure } from '@temporalio/common';
import {
  isCancellation,
  log,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, Repair, UnfollowedRedemption } from '../activities/index.ts';
import type { RedemptionId } from '../domain/ids.ts';
import { deliveryStart } from './delivery-start.ts';
import { reconciledRedemptionsStart } from './redemption-starts.ts';
import { rehearsalStart } from './rehearsal-start.ts';
import { startDetached } from './start-detached.ts';
import { inviteMailStart, type RunStart } from './starts.ts';

const retry = {
  initialInterval: '1 second',
  maximumInterval: '30 seconds',
  maximumAttempts: 10,
} as const;

const {
  expireOverdueRedemptions,
  listDueDeliveries,
  listUnfollowedRedemptions,
  listOverdueInvites,
  listOverdueRehearsals,
} = proxyActivities<Activities>({ startToCloseTimeout: '30 seconds', retry });

// It goes through many rows and calls, and says so as it does: one mail may take half a minute.
const { doDueWork } = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '45 seconds',
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
  dueWorkDone: number;
};

/**
 * The server allows a run 2,000 open children. A tick starts fewer and leaves the rest to the next
 * tick.
 */
const MAX_BATCHES_PER_RUN = 10;
/** How many batches of codes a tick expires: many, because refunding points is the urgent part. */
const MAX_EXPIRED_BATCHES = 40;

/** Each repairs from what is committed in Postgres, and needs no other. */
const STEPS: Readonly<Record<Repair, () => Promise<number>>> = {
  'expire overdue codes': expireOverdue,
  'start redemption runs': followListed,
  'start invite mails': () => startListed(listOverdueInvites, inviteMailStart),
  'start rehearsals': () => startListed(listOverdueRehearsals, rehearsalStart),
  'deliver events': () => startListed(listDueDeliveries, ({ id }) => deliveryStart(id)),
  'do due work': () => doDueWork(),
};

/**
 * Repairs the consequences of outages, lost starts and late timers, where something is due. The
 * steps run at the same time, so that none waits for another. A failed step is left to the next
 * tick; the run then fails in the end and names it. Its Schedule never runs it twice at the same
 * time.
 */
export async function reconcile(): Promise<ReconcileSummary> {
  const failed: string[] = [];
  const {
    'expire overdue codes': redemptionsExpired = 0,
    'start redemption runs': redemptionsStarted = 0,
    'start invite mails': noticesStarted = 0,
    'do due work': dueWorkDone = 0,
  } = await takeSteps(failed);

  const started = `${redemptionsStarted} redemptions and ${noticesStarted} invite mails started`;
  const text = `${redemptionsExpired} codes expired, ${started}, ${dueWorkDone} due tasks done`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  if (failed.length > 0) {
    const message = `These steps failed, and the next run takes them again: ${failed.join(', ')}.`;
    throw ApplicationFailure.nonRetryable(message, 'ReconcileStepsFailed');
  }
  return { redemptionsExpired, redemptionsStarted, noticesStarted, dueWorkDone };
}

/** Returns the count of each step that is due, and adds those that fail to `failed`. */
async function takeSteps(failed: string[]): Promise<Partial<Record<Repair, number>>> {
  const counts: Partial<Record<Repair, number>> = {};
  const take = async (step: Repair): Promise<void> => {
    try {
      counts[step] = await STEPS[step]();
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.error('A step of reconcile failed', { event: 'reconcile_step_failed', step, error });
      failed.push(step);
    }
  };
  await Promise.all((await listDueRepairs()).map(take));
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
    const rows: UnfollowedRedemption[] = await listUnfollowedRedemptions(after);
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
