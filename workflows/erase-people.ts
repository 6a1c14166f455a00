import { proxyActivities, setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

const { eraseDue } = proxyActivities<Activities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '2 minutes',
  retry: { initialInterval: '10 seconds', maximumInterval: '2 minutes', maximumAttempts: 5 },
});

/**
 * Erases the people whose time has come. What it leaves undone, the next run does. Its Schedule
 * never runs it twice at the same time.
 */
export async function erasePeople(): Promise<{ erased: number }> {
  const erased = await eraseDue();
  const text = `${erased} people erased`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  return { erased };
}
