import { proxyActivities, setCurrentDetails, sleep, upsertMemo } from '@temporalio/workflow';
import type { Activities, PollResult } from '../activities/index.ts';
import type { ConnectionId } from '../domain/ids.ts';
import { POLLING_QUEUE } from './ids.ts';

/** How often a run asks a silent provider before it leaves the rest to the Schedule's next tick. */
const MAX_ROUNDS = 3;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

const NOTHING_DONE = { payments: 0, news: 0, pages: 0, errors: 0 };

const { pollPayments } = proxyActivities<Activities>({
  taskQueue: POLLING_QUEUE,
  // Enough for all pages of a run, including the look-ups of the customers they name.
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '2 seconds', maximumInterval: '1 minute', maximumAttempts: 3 },
});

/**
 * Ingests what a connection has sold since its last run, up to the page limit of one run.
 * When the provider limits the rate, it continues as soon as the provider allows. Its Schedule
 * never runs it twice at the same time.
 */
export async function pollConnection(connectionId: ConnectionId): Promise<PollResult> {
  let result = await pollPayments(connectionId, NOTHING_DONE);
  for (let round = 1; result.status === 'interrupted' && round < MAX_ROUNDS; round++) {
    setCurrentDetails(`Waiting for the provider after ${describe(result)}.`);
    const backOffMs = Math.min(FIRST_WAIT_MS * 2 ** round, LONGEST_WAIT_MS);
    await sleep(Math.max(result.retryAfterMs, backOffMs));
    const { payments, news, pages, errors } = result;
    result = await pollPayments(connectionId, { payments, news, pages, errors });
  }
  const text = `${result.status}: ${describe(result)}`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  return result;
}

function describe({ payments, news, pages, errors }: PollResult): string {
  const failed = errors > 0 ? `, ${counted(errors, 'error')}` : '';
  return `${payments} listed, ${news} new, on ${counted(pages, 'page')}${failed}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
