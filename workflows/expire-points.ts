import { proxyActivities, setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import type { Activities, TenantMonth } from '../activities/index.ts';
import { MAINTENANCE_QUEUE, NOTICES_QUEUE } from './ids.ts';

// Each goes on where it was, and says that it is alive.
const longWork = {
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes', maximumAttempts: 20 },
} as const;
const { tellExpiry: tellMonth } = proxyActivities<Activities>({
  ...longWork,
  taskQueue: NOTICES_QUEUE,
});
const { expirePoints: takeMonths } = proxyActivities<Activities>({
  ...longWork,
  taskQueue: MAINTENANCE_QUEUE,
});

/** Takes the points of a tenant's customers that are due by the end of a month. */
export async function expirePoints(month: TenantMonth): Promise<void> {
  setCurrentDetails(`Taking what was due by the end of ${month.month}.`);
  const taken = await takeMonths(month);
  const sum = (of: 'points' | 'wallets') => taken.reduce((total, each) => total + each[of], 0);
  upsertMemo({ summary: `${sum('points')} points of ${sum('wallets')} wallets expired` });
}

/** Mails a tenant's customers which of their points the end of a month will take. */
export async function tellExpiry(month: TenantMonth): Promise<void> {
  setCurrentDetails(`Telling what will expire at the end of ${month.month}.`);
  const done = await tellMonth(month);
  upsertMemo({ summary: `${done?.told ?? 0} told, ${done?.waiting ?? 0} wait` });
}
