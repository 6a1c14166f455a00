import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  isCancellation,
  log,
  ParentClosePolicy,
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
 * The server lets a run have 2,000 children open. A tick starts fewer and leaves the rest to the
 * next one.
 */
const MAX_BATCHES_PER_RUN = 10;
/** Points come back first: this many batches of codes are expired in a tick. */
const MAX_EXPIRED_BATCHES = 40;

/**
 * Repairs what an outage, a lost start or a late timer has left, and tidies up: one step after the
 * other, each from what is committed in Postgres. Its Schedule never runs it twice at once.
 */
export async function reconcile({
  searchable: searchAttributes,
}: ScheduledOptions): Promise<ReconcileSummary> {
  const redemptionsExpired = await step('overdue codes', expireOverdue);
  const redemptionsStarted = await step('redemptions', () =>
    startListed(listUnfollowedRedemptions, (row) => redemptionStart(row, searchAttributes)),
  );
  const noticesStarted = await step('notices', () =>
    startListed(listOverdueInvites, (row) => inviteMailStart(row, searchAttributes)),
  );
  const pollSchedulesRepaired = await step('poll Schedules', reconcilePollSchedules);
  const paymentsMatched = await step('newcomers', matchNewcomers);
  await step('expired answers', forgetExpiredAnswers);
  await step('fingerprints', forgetFingerprints);
  await step('old bodies', forgetBodies);
  await step('stale authorizations', forgetStaleOAuth);

  const started = `${redemptionsStarted} redemptions and ${noticesStarted} notices started`;
  const repaired = `${pollSchedulesRepaired} poll Schedules repaired`;
  const matched = `${paymentsMatched} payments matched with newcomers`;
  const words = `${redemptionsExpired} codes expired, ${started}, ${repaired}, ${matched}`;
  setCurrentDetails(words);
  upsertMemo({ summary: words });
  return {
    redemptionsExpired,
    redemptionsStarted,
    noticesStarted,
    pollSchedulesRepaired,
    paymentsMatched,
  };
}

/** A step that fails is left to the next tick; the steps after it must not wait for that. */
async function step(what: string, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.error('A step of reconcile failed', { what, error });
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

/** Starts a run for each row that `list` returns, batch by batch, and returns how many are new. */
async function startListed<Row extends { id: string }>(
  list: (after: Row['id'] | null) => Promise<Row[]>,
  startOf: (row: Row) => RunStart,
): Promise<number> {
  let started = 0;
  let after: Row['id'] | null = null;
  for (let batch = 0; batch < MAX_BATCHES_PER_RUN; batch++) {
    const rows: Row[] = await list(after);
    const starts = await Promise.all(rows.map((row) => startUnlessKnown(startOf(row))));
    started += starts.filter((isNew) => isNew).length;
    after = rows.at(-1)?.id ?? null;
    if (after === null) break;
  }
  return started;
}

/** Starts a run that outlives this one; returns whether there was none by its id. */
async function startUnlessKnown({ workflowType, ...options }: RunStart): Promise<boolean> {
  try {
    const parentClosePolicy = ParentClosePolicy.ABANDON;
    await startChild(workflowType, { ...options, parentClosePolicy });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
