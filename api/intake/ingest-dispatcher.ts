import type { NewEvent, StoredEvent } from '../../db/events/webhook-events.ts';
import type { EventId, TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { withinMs } from '../../gateways/timing.ts';
import { createThrottledWarning } from '../background/throttled-warning.ts';

/** The stored events that one run ingests. */
export type IngestBatch = {
  provider: Provider;
  eventIds: EventId[];
  tenantIds: TenantId[];
  correlationIds: string[];
};

export type IngestDispatcher = {
  /** Dispatches stored events to be ingested, in the background. Never fails. */
  add(events: readonly NewEvent[], stored: readonly StoredEvent[]): void;
  /** How many events wait for a run. */
  waiting(): number;
  /**
   * Starts runs for all that waits, however busy it is, and resolves when they are done, at the
   * latest after `limitMs`. For a process that stops: what it leaves waits for the sweep.
   */
  drain(limitMs: number): Promise<void>;
};

const MAX_BATCH = 500;
/** A second run is worth its cost once as many events wait as the first has; a third never is. */
const MAX_BUSY = 2;
/** A run that takes longer waits for something other than the worker, and must not block others. */
const BUSY_MS = 250;
/** Without a worker, runs would pile up, and each would later cost as much as a full one. */
const MAX_UNFINISHED = 10;
/** Beyond this the sweep is better: it finds events in the table, so they need no memory. */
const MAX_WAITING = 20_000;

type Item = { id: EventId; tenantId: TenantId; provider: Provider; correlationId: string };

/**
 * Creates a dispatcher that starts runs for stored events: one event at a time when idle, batches
 * under load, because events that arrive during a run form the next batch. A run costs as much for
 * one event as for many. `ingest` resolves when its batch is done. Batches that it rejects are left
 * to the sweep, as are events without a known tenant.
 */
export function createIngestDispatcher(options: {
  ingest: (batch: IngestBatch) => Promise<void>;
  log: Logger;
  busyMs?: number;
}): IngestDispatcher {
  const { busyMs = BUSY_MS } = options;
  const queue: Item[] = [];
  /** How many events each busy run has. */
  const busy: number[] = [];
  const unfinished = new Set<Promise<void>>();
  let isDraining = false;
  const warn = createThrottledWarning(
    options.log,
    'An ingest run was not completed; its events are left to the sweep',
  );

  const hasRoom = () =>
    queue.length >= Math.max(0, ...busy) &&
    busy.length < MAX_BUSY &&
    unfinished.size < MAX_UNFINISHED;

  const pump = () => {
    while (queue.length > 0 && (isDraining || hasRoom())) {
      const dispatched = dispatch(takeBatch(queue)).finally(() => {
        unfinished.delete(dispatched);
        pump();
      });
      unfinished.add(dispatched);
    }
  };

  const dispatch = async (batch: IngestBatch) => {
    const release = occupySlot(batch.eventIds.length);
    try {
      await options.ingest(batch);
    } catch (error) {
      warn({ event: 'ingest_not_dispatched', err: error, events: batch.eventIds.length });
    }
    release();
  };

  /** Counts a run as busy until it is done, or long enough to be waiting for something else. */
  const occupySlot = (events: number) => {
    busy.push(events);
    const release = once(() => {
      clearTimeout(timer);
      busy.splice(busy.indexOf(events), 1);
    });
    const timer = setTimeout(() => {
      release();
      pump();
    }, busyMs).unref();
    return release;
  };

  return {
    add(events, stored) {
      queue.push(...itemsOf(events, stored).slice(0, MAX_WAITING - queue.length));
      pump();
    },
    waiting: () => queue.length,
    async drain(limitMs) {
      isDraining = true;
      pump();
      await withinMs(Promise.all(unfinished), limitMs).catch(() => undefined);
    },
  };
}

/** What is to be ingested of the events: those whose tenant is known. */
function itemsOf(events: readonly NewEvent[], stored: readonly StoredEvent[]): Item[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return stored.flatMap(({ id, tenantId }) => {
    const event = byId.get(id);
    if (tenantId === null || event === undefined) return [];
    const { provider, correlationId } = event;
    return [{ id, tenantId, provider, correlationId }];
  });
}

/** Returns a function that does the work when it is called first, and nothing after that. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

/**
 * Takes the first event, and as many of the same provider after it as one run may ingest with it.
 * Skipped events keep their place.
 */
function takeBatch(queue: Item[]): IngestBatch {
  const provider = queue[0]?.provider ?? 'alpha';
  const taken: Item[] = [];
  const skipped: Item[] = [];
  for (const item of queue) {
    if (taken.length === MAX_BATCH) break;
    (item.provider === provider ? taken : skipped).push(item);
  }
  queue.splice(0, taken.length + skipped.length, ...skipped);
  return {
    provider,
    eventIds: taken.map((item) => item.id),
    tenantIds: [...new Set(taken.map((item) => item.tenantId))],
    correlationIds: taken.map((item) => item.correlationId),
  };
}
