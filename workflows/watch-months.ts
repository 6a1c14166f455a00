import { proxyActivities, setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import type { Activities, DueMonths } from '../activities/index.ts';
import type { TenantId } from '../domain/ids.ts';
import { expiryStart, noticesStart } from './expiry-start.ts';
import { startDetached } from './start-detached.ts';

const { listDueMonths } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 10 },
});

/** The server allows a run 2,000 open children; what is left is started by the next run. */
const MAX_STARTS = 1_000;

/**
 * Starts the runs that take the months that have ended on their shops' clocks, and those that tell
 * what will expire. Its Schedule never runs it twice at the same time.
 */
export async function watchMonths(): Promise<{ started: number }> {
  let started = 0;
  for (let after: TenantId | null = null; ; ) {
    const due: DueMonths = await listDueMonths(after);
    const starts = [...due.take.map(expiryStart), ...due.tell.map(noticesStart)];
    const isNew = await Promise.all(starts.map(startDetached));
    started += isNew.filter((each) => each).length;
    after = due.next;
    if (after === null || started >= MAX_STARTS) break;
  }
  const text = `${started} runs started`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  return { started };
}
