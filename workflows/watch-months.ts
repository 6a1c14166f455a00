import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { TenantId } from '../domain/ids.ts';
import { expiryStart, noticesStart } from './expiry-start.ts';
import { type StartedDue, startDue } from './start-due.ts';

const { listDueMonths } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 10 },
});

/**
 * Starts the runs that take the months that have ended on their shops' clocks, and those that tell
 * what will expire. Its Schedule never runs it twice at the same time.
 */
export async function watchMonths(): Promise<StartedDue<TenantId>> {
  return startDue(async (after: TenantId | null) => {
    const { take, tell, next } = await listDueMonths(after);
    return { starts: [...take.map(expiryStart), ...tell.map(noticesStart)], next };
  });
}
