import { ApplicationFailure } from '@temporalio/common';
import {
  isCancellation,
  log,
  proxyActivities,
  setCurrentDetails,
  upsertMemo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

// Each goes on until nothing is left or its own time is over, and says that it is alive.
const activities = proxyActivities<Activities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '10 seconds', maximumInterval: '2 minutes', maximumAttempts: 5 },
});

type Step = { name: string; work: () => Promise<number> };

const DELETIONS: readonly Step[] = [
  { name: 'delete expired responses', work: () => activities.deleteExpiredResponses() },
  { name: 'delete fingerprints', work: () => activities.deleteFingerprints() },
  { name: 'delete old bodies', work: () => activities.deleteOldBodies() },
  { name: 'delete stale authorizations', work: () => activities.deleteStaleAuthorizations() },
  { name: 'delete records of invite mails', work: () => activities.deleteInviteMailRecords() },
  { name: 'delete counts of rate limits', work: () => activities.deleteRateLimitCounts() },
  { name: 'delete old rehearsals', work: () => activities.deleteOldRehearsals() },
  { name: 'delete old days', work: () => activities.deleteOldTruthDays() },
  { name: 'delete events of tenants', work: () => activities.deleteTenantEvents() },
];

/** What a tick does only where something tells of a change, or not at all. */
const COMPARISONS: readonly Step[] = [
  { name: 'compare waiting events', work: () => activities.compareWaitingEvents() },
  { name: 'disable failing endpoints', work: () => activities.disableFailingEndpoints() },
  { name: 'note unusual movements', work: () => activities.noteUnusualMovements() },
  { name: 'add up balances', work: () => activities.addUpBalances() },
  { name: 'add up awards', work: () => activities.addUpAwards() },
];

/**
 * Deletes what is no longer needed, compares poll Schedules and waiting events with the
 * connections, looks for unusual movements, and adds up balances and awards. It may take long, and
 * nothing urgent waits for it. The steps run at the same time. A failed step is left to the next
 * run; this one then fails in the end and names it, and is not recorded as completed. Its Schedule
 * never runs it twice at the same time.
 */
export async function maintain(): Promise<{ deleted: number; schedulesDiffer: number }> {
  const failed: string[] = [];
  const take = async ({ name, work }: Step): Promise<number> => {
    try {
      return await work();
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.error('A step of maintenance failed', {
        event: 'maintain_step_failed',
        step: name,
        error,
      });
      failed.push(name);
      return 0;
    }
  };
  const steps = [...DELETIONS, ...COMPARISONS];
  const comparison = { name: 'compare poll Schedules', work: activities.comparePollSchedules };
  const [schedulesDiffer, ...counts] = await Promise.all([take(comparison), ...steps.map(take)]);
  const deleted = counts.slice(0, DELETIONS.length).reduce((sum, count) => sum + count, 0);
  const text = `${deleted} rows deleted, ${schedulesDiffer} poll Schedules differ`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  if (failed.length > 0) {
    const message = `These steps failed, and the next run takes them again: ${failed.join(', ')}.`;
    throw ApplicationFailure.nonRetryable(message, 'MaintainStepsFailed');
  }
  await activities.recordMaintenance();
  return { deleted, schedulesDiffer };
}
