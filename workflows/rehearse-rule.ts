import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  upsertMemo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RehearsalId } from '../domain/ids.ts';
import { MAINTENANCE_QUEUE } from './ids.ts';

// On a queue of its own, so that long rehearsals do not delay work that people wait for.
const { rehearse } = proxyActivities<Activities>({
  taskQueue: MAINTENANCE_QUEUE,
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumAttempts: 3 },
});
const { endRehearsal } = proxyActivities<Activities>({ startToCloseTimeout: '30 seconds' });

/**
 * Rehearses a rule over sales of the past. However it ends, the rehearsal has ended with it, so
 * that its merchant can begin another.
 */
export async function rehearseRule(id: RehearsalId): Promise<void> {
  setCurrentDetails('Deciding sales of the past once more.');
  try {
    const done = await rehearse(id);
    upsertMemo({ summary: done === null ? 'ended before' : `${done.sales} sales` });
  } catch (error) {
    const status = isCancellation(error) ? 'cancelled' : 'failed';
    await CancellationScope.nonCancellable(() => endRehearsal(id, status));
    throw error;
  }
}
