import { proxyActivities, setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import type { Activities, TenantDay } from '../activities/index.ts';
import { MAINTENANCE_QUEUE } from './ids.ts';

const { decideTiers: decide } = proxyActivities<Activities>({
  taskQueue: MAINTENANCE_QUEUE,
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes', maximumAttempts: 20 },
});

/** Decides which tiers the customers of a tenant have from a day on. */
export async function decideTiers(night: TenantDay): Promise<void> {
  setCurrentDetails(`Deciding the tiers of ${night.day}.`);
  const decided = await decide(night);
  const text =
    decided === undefined
      ? 'nothing to decide'
      : `${decided.changed} of ${decided.wallets} customers have another tier`;
  upsertMemo({ summary: text });
}
