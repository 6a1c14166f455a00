import {
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  sleep,
  upsertMemo,
} from '@temporalio/workflow';
import type { Activities, IngestResult } from '../activities/index.ts';
import type { EventId } from '../domain/ids.ts';
import { addCounts, describeCounts, type IngestCounts } from '../domain/ingest-counts.ts';
import type { Provider } from '../domain/payment.ts';
import { PROVIDER_QUEUES } from './ids.ts';

export type IngestSummary = IngestCounts & { events: number };

/** How often a run asks a silent provider before it leaves the events to the sweep. */
const MAX_ROUNDS = 8;
const FIRST_WAIT_MS = 1_000;
/** Shorter than the lease of the events; whoever waits longer is left to the sweep. */
const LONGEST_WAIT_MS = 20_000;

// In the worker's own process: one short transaction is the common case and needs no round trip.
const quick = proxyLocalActivities<Pick<Activities, 'ingestEvents'>>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds', maximumAttempts: 3 },
});

// When Postgres is down for longer, the server keeps the retries rather than the worker.
const steady = proxyActivities<Pick<Activities, 'ingestEvents'>>({
  // A batch is halved while its statements take too long, and says so between the halves.
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

type Asking = Pick<Activities, 'ingestEventsWithProvider'>;

function askingOf(provider: Provider): Asking {
  return proxyActivities<Asking>({
    taskQueue: PROVIDER_QUEUES[provider],
    startToCloseTimeout: '2 minutes',
    // Its worker may have died: the events must not wait for the end of the time above.
    heartbeatTimeout: '20 seconds',
    scheduleToCloseTimeout: '1 hour',
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
  });
}

/**
 * Ingests a batch of one provider's stored webhook events and returns how many had which outcome. A
 * provider that has to be asked and does not answer is asked again in the next minutes; after that,
 * and when it asks for a longer wait, the events are left to the sweep.
 */
export async function ingestEvents(
  eventIds: EventId[],
  provider: Provider,
): Promise<IngestSummary> {
  const { ingestEventsWithProvider } = askingOf(provider);
  const first = await ingestStored(eventIds);
  let counts = first.counts;
  let waiting = first.needProvider;
  let askAgainInMs = 0;

  for (let round = 0; waiting.length > 0 && round < MAX_ROUNDS; round++) {
    if (round > 0) {
      setCurrentDetails(
        `Waiting to ask the provider again about ${waiting.length} events, round ${round}.`,
      );
      await sleep(Math.max(askAgainInMs, Math.min(FIRST_WAIT_MS * 2 ** round, LONGEST_WAIT_MS)));
    }
    const next = await ingestEventsWithProvider(waiting);
    counts = addCounts(counts, next.counts);
    waiting = next.needProvider;
    askAgainInMs = next.retryAfterMs;
  }

  const summary = { ...counts, failed: counts.failed + waiting.length, events: eventIds.length };
  const text = describeCounts(summary);
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  return summary;
}

async function ingestStored(eventIds: EventId[]): Promise<IngestResult> {
  try {
    return await quick.ingestEvents(eventIds);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return steady.ingestEvents(eventIds);
  }
}
