import {
  executeChild,
  isCancellation,
  log,
  proxyActivities,
  setCurrentDetails,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, PendingBatch } from '../activities/index.ts';
import { addCounts, describeCounts, NO_COUNTS } from '../domain/ingest-counts.ts';
import type { IngestSummary, ingestEvents } from './ingest-events.ts';
import { type ScheduledOptions, sweptIngestStart } from './starts.ts';

/** A sweep ends after this many batches and leaves the rest to the next tick. */
const MAX_BATCHES_PER_RUN = 50;

const { takePendingEvents } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 10 },
});

/**
 * Ingests stored events that are still pending, whatever the outage was, batch by batch until none
 * is due. Its Schedule never runs it twice at the same time.
 */
export async function sweepPendingEvents(_options?: ScheduledOptions): Promise<IngestSummary> {
  let total: IngestSummary = { ...NO_COUNTS, events: 0 };
  let started = 0;
  for (let batch = 0; batch < MAX_BATCHES_PER_RUN; batch++) {
    const groups = await takePendingEvents();
    if (groups.length === 0) break;
    const runs = groups.map((group) => ingest(group, started++));
    for (const summary of await Promise.all(runs)) {
      total = { ...addCounts(total, summary), events: total.events + summary.events };
    }
    setCurrentDetails(`Swept ${total.events} events: ${describeCounts(total)}.`);
  }
  upsertMemo({ summary: `${total.events} events: ${describeCounts(total)}` });
  return total;
}

async function ingest(group: PendingBatch, nth: number): Promise<IngestSummary> {
  const sweep = { runId: workflowInfo().runId, nth };
  const { workflowType, ...options } = sweptIngestStart(group, sweep);
  try {
    return await executeChild<typeof ingestEvents>(workflowType, options);
  } catch (error) {
    if (isCancellation(error)) throw error;
    // Its events are still pending and a later sweep takes them; other batches need not wait.
    const events = group.eventIds.length;
    const { provider } = group;
    log.error('A swept batch failed', { event: 'swept_batch_failed', provider, events, error });
    return { ...NO_COUNTS, failed: events, events };
  }
}
