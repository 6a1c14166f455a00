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
import type { Activities, OrphanedRedemption, OverdueInvite } from '../activities/index.ts';
import type { InviteId, RedemptionId } from '../domain/ids.ts';
import { notifyWorkflowId, REDEMPTION_PRIORITY, redemptionWorkflowId } from './ids.ts';
import { notify } from './notify.ts';
import { redemption } from './redemption.ts';
import {
  notifySummary,
  REDEMPTION_SUMMARY,
  type ScheduledOptions,
  tenantAttributes,
} from './search-attributes.ts';

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
  const redemptionsStarted = await step('redemptions', () => startRedemptions(searchAttributes));
  const noticesStarted = await step('notices', () => startNotices(searchAttributes));
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

async function startRedemptions(searchAttributes: boolean): Promise<number> {
  let started = 0;
  let after: RedemptionId | null = null;
  for (let batch = 0; batch < MAX_BATCHES_PER_RUN; batch++) {
    const unfollowed: OrphanedRedemption[] = await listUnfollowedRedemptions(after);
    const starts = await Promise.all(
      unfollowed.map((item) => startRedemption(item, searchAttributes)),
    );
    started += starts.filter((isNew) => isNew).length;
    after = unfollowed.at(-1)?.id ?? null;
    if (after === null) break;
  }
  return started;
}

async function startRedemption(
  { id, tenantId }: OrphanedRedemption,
  searchAttributes: boolean,
): Promise<boolean> {
  try {
    await startChild(redemption, {
      workflowId: redemptionWorkflowId(id),
      args: [id],
      // It outlives this run by far.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      priority: REDEMPTION_PRIORITY,
      staticSummary: REDEMPTION_SUMMARY,
      ...(searchAttributes ? { typedSearchAttributes: tenantAttributes(tenantId) } : {}),
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

async function startNotices(searchAttributes: boolean): Promise<number> {
  let started = 0;
  let after: InviteId | null = null;
  for (let batch = 0; batch < MAX_BATCHES_PER_RUN; batch++) {
    const overdue: OverdueInvite[] = await listOverdueInvites(after);
    const starts = await Promise.all(overdue.map((item) => startNotice(item, searchAttributes)));
    started += starts.filter((isNew) => isNew).length;
    after = overdue.at(-1)?.id ?? null;
    if (after === null) break;
  }
  return started;
}

async function startNotice(
  { id, tenantId }: OverdueInvite,
  searchAttributes: boolean,
): Promise<boolean> {
  try {
    await startChild(notify, {
      workflowId: notifyWorkflowId('invite', id),
      args: ['invite', id],
      // It may wait for a mail server that is away.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      staticSummary: notifySummary('invite'),
      ...(searchAttributes ? { typedSearchAttributes: tenantAttributes(tenantId) } : {}),
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
