import { proxyActivities, setCurrentDetails, sleep, upsertMemo } from '@temporalio/workflow';
import type { Activities, PollResult } from '../activities/index.ts';
import type { ConnectionId } from '../domain/ids.ts';
import { POLLING_QUEUE } from './ids.ts';

/** A provider that stays away is left to the next tick of the Schedule. */
const MAX_ROUNDS = 3;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

const { pollAlphaConnection } = proxyActivities<Activities>({
  taskQueue: POLLING_QUEUE,
  // All pages of a run, each with the customers that it names.
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '2 seconds', maximumInterval: '1 minute', maximumAttempts: 3 },
});

/**
 * Brings in what an alpha connection has sold since its last run, within the pages of one run. When
 * the provider is busy it goes on as soon as the provider lets it. Its Schedule never runs it twice
 * at once.
 */
export async function pollConnection(connectionId: ConnectionId): Promise<PollResult> {
  let result = await pollAlphaConnection(connectionId, { payments: 0, pages: 0, errors: 0 });
  for (let round = 1; result.status === 'interrupted' && round < MAX_ROUNDS; round++) {
    setCurrentDetails(`Waiting for alpha after ${describe(result)}.`);
    const backOffMs = Math.min(FIRST_WAIT_MS * 2 ** round, LONGEST_WAIT_MS);
    await sleep(Math.max(result.retryAfterMs, backOffMs));
    const { payments, pages, errors } = result;
    result = await pollAlphaConnection(connectionId, { payments, pages, errors });
  }
  const words = `${result.status}: ${describe(result)}`;
  setCurrentDetails(words);
  upsertMemo({ summary: words });
  return result;
}

function describe({ payments, pages, errors }: PollResult): string {
  const failed = errors > 0 ? `, ${errors} errors` : '';
  return `${payments} payments on ${pages} pages${failed}`;
}
