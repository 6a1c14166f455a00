import {
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertMemo,
} from '@temporalio/workflow';
import type { Activities, ComparedDay, ConnectionDay } from '../activities/index.ts';
import { TRUTH_QUEUE } from './ids.ts';
import { bringIn } from './messages.ts';

const { compareDay: compare } = proxyActivities<Activities>({
  taskQueue: TRUTH_QUEUE,
  // A day of 25,000 sales is listed in 250 pages, and each that is missing is asked for.
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes', maximumAttempts: 5 },
});

/** How often, and how far apart, a provider that is away is asked for what somebody waits for. */
const ASKED_AGAIN = { most: 6, every: '10 minutes' } as const;

/**
 * Compares a day of a connection with its provider's own list. Who sends `bringIn` has what is
 * missing brought in, also while the run is under way. A provider that is away is asked again by
 * the next run, and by this one where somebody waits for it: after a while, or once they ask again.
 */
export async function compareDay(day: ConnectionDay): Promise<void> {
  let asked = 0;
  setHandler(bringIn, () => {
    asked += 1;
  });
  setCurrentDetails(`Comparing ${day.day}.`);
  for (let attempt = 1; ; attempt++) {
    const before: number = asked;
    const compared = await compare(day, before > 0);
    upsertMemo({ summary: summaryOf(compared) });
    const isAway = compared.status === 'away' && asked > 0 && attempt < ASKED_AGAIN.most;
    if (isAway) await condition(() => asked > before, ASKED_AGAIN.every);
    else if (asked === before) return;
  }
}

function summaryOf(compared: ComparedDay): string {
  if (!('missing' in compared)) return compared.status;
  const { status, missing, changed, unknown, repaired } = compared;
  const found = `${missing} missing, ${changed} changed, ${unknown} unknown`;
  return `${status}: ${found}, ${repaired} repaired`;
}
