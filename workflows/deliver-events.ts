import {
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { TenantId } from '../domain/ids.ts';
import { continueWithCurrentRelease } from './continue-as-new.ts';
import { DELIVERY_QUEUE } from './ids.ts';
import { eventsWait } from './messages.ts';

/** Longer waits are left to reconcile, which starts a run when something is due. */
const LONGEST_WAIT_MS = 60_000;
/** When others are already delivering all that is due. */
const SHORTEST_WAIT_MS = 1_000;

const { deliverEvents: deliverRound } = proxyActivities<Pick<Activities, 'deliverEvents'>>({
  taskQueue: DELIVERY_QUEUE,
  // A round ends by itself after 20 seconds, and an attempt takes ten.
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

export type DeliverySummary = { delivered: number; failed: number };

/**
 * Delivers a tenant's events until nothing is due in the next minute. What is due, and what came of
 * it, is in Postgres: this run only goes on, so it may be lost, late or started again.
 */
export async function deliverEvents(
  tenantId: TenantId,
  before: DeliverySummary = { delivered: 0, failed: 0 },
): Promise<DeliverySummary> {
  const sum = { ...before };
  let hasNews = false;
  setHandler(eventsWait, () => {
    hasNews = true;
  });
  for (;;) {
    hasNews = false;
    const { delivered, failed, nextInMs } = await deliverRound(tenantId);
    sum.delivered += delivered;
    sum.failed += failed;
    const text = `${sum.delivered} events delivered, ${sum.failed} attempts failed`;
    setCurrentDetails(text);
    upsertMemo({ summary: text });
    const waitMs = nextInMs ?? Number.POSITIVE_INFINITY;
    if (!hasNews && waitMs > LONGEST_WAIT_MS) return sum;
    if (workflowInfo().continueAsNewSuggested) {
      await continueWithCurrentRelease<typeof deliverEvents>(tenantId, sum);
    }
    if (!hasNews && (waitMs > 0 || delivered + failed === 0)) {
      await condition(() => hasNews, Math.max(waitMs, SHORTEST_WAIT_MS));
    }
  }
}
