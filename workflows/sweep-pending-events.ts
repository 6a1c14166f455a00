import {
  ChildWorkflowCancellationType,
  condition,
  isCancellation,
  log,
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  startChild,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, DueSweep, PendingBatch } from '../activities/index.ts';
import { addCounts, describeCounts, NO_COUNTS } from '../domain/ingest-counts.ts';
import { continueWithCurrentRelease } from './continue-as-new.ts';
import type { IngestSummary, ingestEvents } from './ingest-events.ts';
import { sweptIngestStart } from './starts.ts';

/** Keeps the history of a run short; the next run continues. */
const MAX_BATCHES_PER_RUN = 100;
/** How many batches are worked on at a time, so that no lease ends before its batch has begun. */
const BATCHES_AT_ONCE = 4;
/** A batch that takes longer waits for a provider: it goes on alone, and the sweep goes on too. */
const PATIENCE = '3 seconds';

const { takePendingEvents } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 10 },
});
const { probeAwayConnections } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '20 seconds',
  retry: { maximumAttempts: 1 },
});

type Begin = Pick<Activities, 'beginSweep'>;
// In the worker's own process: an idle sweep is then a single task.
const quick = proxyLocalActivities<Begin>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '200 milliseconds', maximumAttempts: 2 },
});
const steady = proxyActivities<Begin>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 8 },
});

/**
 * Ingests stored events that are due, whatever the outage was, batch by batch until none is left.
 * It never waits for a provider: providers that were away are probed beside it, and a batch that
 * takes long is left to itself. Its Schedule never runs it twice at the same time.
 */
export async function sweepPendingEvents(): Promise<IngestSummary> {
  const sweep = new Sweep();
  const due = await orElse('prepare the sweep', beginSweep(), { events: true, probes: true });
  const probing = due.probes ? probe() : Promise.resolve(0);
  if (due.events) await sweep.drain();
  // What waited for a provider that answers again.
  if ((await probing) > 0) await sweep.drain();
  return sweep.end();
}

async function beginSweep(): Promise<DueSweep> {
  try {
    return await quick.beginSweep();
  } catch (error) {
    if (isCancellation(error)) throw error;
    return steady.beginSweep();
  }
}

function probe(): Promise<number> {
  const probing = orElse('probe providers', probeAwayConnections(), 0);
  // A sweep that is cancelled before it looks at the result must not fail because of it.
  probing.catch(() => undefined);
  return probing;
}

/** A step that fails is left to the next sweep. */
async function orElse<T>(step: string, work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.error('A step of the sweep failed', { event: 'sweep_step_failed', step, error });
    return otherwise;
  }
}

class Sweep {
  readonly #open = new Set<Promise<void>>();
  #total: IngestSummary = { ...NO_COUNTS, events: 0 };
  #started = 0;
  #batches = 0;

  /** Starts a run for each batch of due events, a few at a time, until no event is due. */
  async drain(): Promise<void> {
    for (;;) {
      const groups = await takePendingEvents();
      if (groups.length === 0) break;
      for (const group of groups) {
        const ingesting = this.#ingest(group).finally(() => this.#open.delete(ingesting));
        ingesting.catch(() => undefined);
        this.#open.add(ingesting);
      }
      while (this.#open.size >= BATCHES_AT_ONCE) await Promise.race(this.#open);
      setCurrentDetails(this.#describe());
      this.#batches += 1;
      if (this.#batches >= MAX_BATCHES_PER_RUN || workflowInfo().continueAsNewSuggested) {
        await Promise.all(this.#open);
        await continueWithCurrentRelease<typeof sweepPendingEvents>();
      }
    }
    await Promise.all(this.#open);
  }

  end(): IngestSummary {
    upsertMemo({ summary: this.#describe() });
    return this.#total;
  }

  #describe(): string {
    return `${this.#total.events} events: ${describeCounts(this.#total)}`;
  }

  /** Starts a batch that outlives the sweep, and counts it if it ends soon. */
  async #ingest(group: PendingBatch): Promise<void> {
    const events = group.eventIds.length;
    const sweep = { runId: workflowInfo().originalExecutionRunId, nth: this.#started++ };
    const { workflowType, ...options } = sweptIngestStart(group, sweep);
    try {
      const child = await startChild<typeof ingestEvents>(workflowType, {
        ...options,
        parentClosePolicy: ParentClosePolicy.ABANDON,
        cancellationType: ChildWorkflowCancellationType.ABANDON,
      });
      let summary: IngestSummary | undefined;
      const ended = child.result().then((result) => {
        summary = result;
      });
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      ended.then(over, over);
      if (await condition(() => isOver, PATIENCE)) await ended;
      this.#count(summary ?? { ...NO_COUNTS, events });
    } catch (error) {
      if (isCancellation(error)) throw error;
      logFailed(group, error);
      this.#count({ ...NO_COUNTS, failed: events, events });
    }
  }

  #count(summary: IngestSummary): void {
    const total = this.#total;
    this.#total = { ...addCounts(total, summary), events: total.events + summary.events };
  }
}

function logFailed({ provider, eventIds }: PendingBatch, error: unknown): void {
  // Its events are still pending and a later sweep takes them; other batches need not wait.
  const events = eventIds.length;
  log.error('A swept batch failed', { event: 'swept_batch_failed', provider, events, error });
}
