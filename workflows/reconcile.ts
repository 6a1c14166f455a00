import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  isCancellation,
  log,
  ParentClosePolicy,
  patched,
  proxyActivities,
  setCurrentDetails,
  startChild,
  upsertMemo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import {
  inviteMailStart,
  type RunStart,
  redemptionStart,
  type ScheduledOptions,
} from './starts.ts';

const {
  expireOverdueRedemptions,
  forgetBodies,
  forgetExpiredAnswers,
  forgetFingerprints,
  forgetStaleOAuth,
  listUnfollowedRedemptions,
  listOverdueInvites,
  matchNewcomers,
  reconcilePollSchedules,
  sendConnectionNotices,
  settleAccounts,
} = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 10 },
});

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

/**
 * Repairs the consequences of outages, lost starts and late timers, and deletes what is no longer
 * needed: step by step, each from what is committed in Postgres. Its Schedule never runs it twice
 * at the same time.
 */
export async function reconcile({
  searchable: searchAttributes,
}: ScheduledOptions): Promise<ReconcileSummary> {
  const redemptionsExpired = await step('expire overdue codes', expireOverdue);
  const redemptionsStarted = await step('start redemption runs', () =>
    startListed(listUnfollowedRedemptions, (row) => redemptionStart(row, searchAttributes)),
  );
  const noticesStarted = await step('start invite mails', () =>
    startListed(listOverdueInvites, (row) => inviteMailStart(row, searchAttributes)),
  );
  const pollSchedulesRepaired = await step('repair poll Schedules', reconcilePollSchedules);
  const paymentsMatched = await step('match sign-ups', matchNewcomers);
  await step('delete expired responses', forgetExpiredAnswers);
  await step('delete fingerprints', forgetFingerprints);
  await step('delete old bodies', forgetBodies);
  await step('delete stale authorizations', forgetStaleOAuth);
  if (patched('accounts')) {
    await step('tell owners of connections', sendConnectionNotices);
    await step('read accounts', settleAccounts);
  }

  const started = `${redemptionsStarted} redemptions and ${noticesStarted} invite mails started`;
  const repaired = `${pollSchedulesRepaired} poll Schedules repaired`;
  const matched = `${paymentsMatched} payments matched to sign-ups`;
  const text = `${redemptionsExpired} codes expired, ${started}, ${repaired}, ${matched}`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  return {
    redemptionsExpired,
    redemptionsStarted,
    noticesStarted,
    pollSchedulesRepaired,
    paymentsMatched,
  };
}

/** A failed step is left to the next tick, so that it does not hold up the steps after it. */
async function step(name: string, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.error('A step of reconcile failed', { event: 'reconcile_step_failed', step: name, error });
    return 0;
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
