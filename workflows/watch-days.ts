import { proxyActivities, setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import type { Activities, DueDays } from '../activities/index.ts';
import type { ConnectionId } from '../domain/ids.ts';
import { TRUTH_QUEUE } from './ids.ts';
import { startDetached } from './start-detached.ts';
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

/** The server allows a run 2,000 open children; what is left is started by the next run. */
const MAX_STARTS = 1_000;

/**
 * Starts the runs that compare the days that have ended on their shops' clocks. Its Schedule never
 * runs it twice at the same time.
 */
export async function watchDays(): Promise<{ started: number }> {
  let started = 0;
  for (let after: ConnectionId | null = null; ; ) {
    const { due, next }: DueDays = await listDueDays(after);
    const isNew = await Promise.all(due.map((day) => startDetached(truthStart(day))));
    started += isNew.filter((each) => each).length;
    after = next;
    if (after === null || started >= MAX_STARTS) break;
  }
  const text = `${started} runs started`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  return { started };
}

/** Asks about accounts that are silent here. Its Schedule never runs it twice at the same time. */
export async function checkGaps(): Promise<void> {
  const { asked, gaps } = await askAboutGaps();
  upsertMemo({ summary: `${asked} asked about, ${gaps} with missed sales` });
}
