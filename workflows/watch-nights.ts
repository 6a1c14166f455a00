import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { TenantId } from '../domain/ids.ts';
import { type StartedDue, startDue } from './start-due.ts';
import { tiersStart } from './tiers-start.ts';

const { listDueNights } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 10 },
});

/**
 * Starts the runs that decide the tiers of shops where it is night. Its Schedule never runs it
 * twice at the same time.
 */
export async function watchNights(): Promise<StartedDue<TenantId>> {
  return startDue(async (after: TenantId | null) => {
    const { due, next } = await listDueNights(after);
    return { starts: due.map(tiersStart), next };
  });
}
