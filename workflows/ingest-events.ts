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

export type IngestSummary = IngestCounts & { events: number };

/** How often a run asks a provider that does not answer; then its events are left to the sweep. */
const MAX_ROUNDS = 8;
/** As many events as a provider is asked about in one activity, well within its time. */
const EVENTS_PER_ACTIVITY = 100;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

// In the worker's own process: one short transaction, the common case, at the price of no round trip.
const quick = proxyLocalActivities<Pick<Activities, 'creditEvents'>>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds', maximumAttempts: 3 },
});

// When Postgres is away for longer, the server keeps the attempts rather than the worker.
const steady = proxyActivities<Pick<Activities, 'creditEvents'>>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

const { creditEventsWithProvider } = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

/**
 * Brings in a hand-over of stored webhook events and says what became of them. Where the provider has
 * to be asked and does not answer, it is asked again here; what still fails then is the sweep's.
 */
export async function ingestEvents(eventIds: EventId[]): Promise<IngestSummary> {
  const first = await creditEvents(eventIds);
  let counts = first.counts;
  let waiting = first.needProvider;
  let askAgainInMs = 0;

  for (let round = 0; waiting.length > 0 && round < MAX_ROUNDS; round++) {
    if (round > 0) {
      setCurrentDetails(
        `Waiting for the provider to tell of ${waiting.length} events, round ${round}.`,
      );
      await sleep(Math.max(askAgainInMs, Math.min(FIRST_WAIT_MS * 2 ** round, LONGEST_WAIT_MS)));
    }
    const asked = waiting;
    waiting = [];
    askAgainInMs = 0;
    for (let start = 0; start < asked.length; start += EVENTS_PER_ACTIVITY) {
      const next = await creditEventsWithProvider(asked.slice(start, start + EVENTS_PER_ACTIVITY));
      counts = addCounts(counts, next.counts);
      waiting = [...waiting, ...next.needProvider];
      askAgainInMs = Math.max(askAgainInMs, next.retryAfterMs);
    }
  }

  const summary = { ...counts, failed: counts.failed + waiting.length, events: eventIds.length };
  const words = describeCounts(summary);
  setCurrentDetails(words);
  upsertMemo({ summary: words });
  return summary;
}

async function creditEvents(eventIds: EventId[]): Promise<IngestResult> {
  try {
    return await quick.creditEvents(eventIds);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return steady.creditEvents(eventIds);
  }
}
