import { proxyActivities, upsertMemo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ConnectionId } from '../domain/ids.ts';
import { TRUTH_QUEUE } from './ids.ts';
import { type StartedDue, startDue } from './start-due.ts';
import { truthStart } from './truth-start.ts';

const { listDueDays } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 10 },
});
const { checkGaps: askAboutGaps } = proxyActivities<Activities>({
  taskQueue: TRUTH_QUEUE,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes', maximumAttempts: 3 },
});

/**
 * Starts the runs that compare the days that have ended on their shops' clocks. Its Schedule never
 * runs it twice at the same time.
 */
export async function watchDays(): Promise<StartedDue<ConnectionId>> {
  return startDue(async (after: ConnectionId | null) => {
    const { due, next } = await listDueDays(after);
    return { starts: due.map(truthStart), next };
  });
}

/** Asks about accounts that are silent here. Its Schedule never runs it twice at the same time. */
export async function checkGaps(): Promise<void> {
  const { asked, gaps } = await askAboutGaps();
  upsertMemo({ summary: `${asked} asked about, ${gaps} with missed sales` });
}
