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
  /** The open span of each delivery, where traces are recorded. */
  traceparents: string[];
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

/** A run credits them a few hundred at a time, so that more hold no lock for longer. */
const MAX_BATCH = 1_000;
/** A third run would only make batches smaller. */
const MAX_BUSY = 2;
/** From this size on, a run is worth more events rather than another one beside it. */
const LARGE_BATCH = 50;
/** Under load runs start at most that often: one costs as much for 50 events as for 500. */
const LARGE_EVERY_MS = 150;
/** A run that takes longer waits for something other than the worker, and must not block others. */
const BUSY_MS = 250;
/** Without a worker, runs would pile up, and each would later cost as much as a full one. */
const MAX_UNFINISHED = 10;
/** When a run is first looked at: one that asks nobody is mostly done by then. */
const LOOK_AFTER_MS = 50;
/** Runs that ask are still waited for. One beyond these is counted like any other. */
const MAX_ASKING = 100;
/** Beyond this the sweep is better: it finds events in the table, so they need no memory. */
const MAX_WAITING = 20_000;

type Item = Pick<NewEvent, 'id' | 'provider' | 'correlationId' | 'traceparent'> & {
  tenantId: TenantId;
};

/**
 * Creates a dispatcher that starts runs for stored events: one event at a time when idle, batches
 * under load, because events that arrive during a run form the next batch. A second run starts
 * beside a small one once as many events wait, and beside a large one with a full batch. `ingest`
 * resolves when its batch is done. Batches that it rejects are left to the sweep, as are events
 * without a known tenant.
 *
 * A run that waits for a provider holds up no other: `isAsking` says whether a worker has found
 * that a batch has to wait. Where it cannot say, the run counts until it is done.
 */
export function createIngestDispatcher(options: {
  ingest: (batch: IngestBatch) => Promise<void>;
  isAsking: (ids: readonly EventId[]) => Promise<boolean>;
  log: Logger;
  busyMs?: number;
  gatherMs?: number;
  lookAfterMs?: number;
}): IngestDispatcher {
  const { busyMs = BUSY_MS, gatherMs = LARGE_EVERY_MS, lookAfterMs = LOOK_AFTER_MS } = options;
  const queue: Item[] = [];
  const unfinished = new Set<Promise<void>>();
  let asking = 0;
  let isDraining = false;
  const warn = createThrottledWarning(
    options.log,
    'An ingest run was not completed; its events are left to the sweep',
  );

  const hasRoom = () =>
    queue.length >= eventsForARun(slots.busy()) &&
    slots.busy().length < MAX_BUSY &&
    unfinished.size < MAX_UNFINISHED &&
    (queue.length >= MAX_BATCH || !gathering.isOn());

  const pump = () => {
    for (;;) {
      const [first] = queue;
      if (first === undefined || !(isDraining || hasRoom())) return;
      start(takeBatch(queue, first.provider));
    }
  };

  const gathering = createGathering(gatherMs, pump);
  const slots = createSlots(busyMs, pump);

  const start = (batch: IngestBatch) => {
    const { eventIds } = batch;
    if (eventIds.length >= LARGE_BATCH) gathering.begin();
    const release = slots.occupy(eventIds.length);
    const leave = () => {
      release();
      unfinished.delete(done);
      pump();
    };
    let isAsking = false;
    const isTaken = async () => asking < MAX_ASKING && (await options.isAsking(eventIds));
    const stopLooking = lookUntil(isTaken, lookAfterMs, () => {
      isAsking = true;
      asking++;
      leave();
    });
    const done = ingest(batch).then(() => {
      stopLooking();
      if (isAsking) asking--;
      leave();
    });
    unfinished.add(done);
  };

  const ingest = async (batch: IngestBatch) => {
    try {
      await options.ingest(batch);
    } catch (error) {
      warn({ event: 'ingest_not_dispatched', err: error, events: batch.eventIds.length });
    }
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

/**
 * Counts a run as busy until it is done, or for so long that it must be waiting for something else;
 * then it calls `onFree`.
 */
function createSlots(busyMs: number, onFree: () => void) {
  const sizes: number[] = [];
  return {
    /** How many events each busy run has. */
    busy: (): readonly number[] => sizes,
    /** Returns what frees the slot. */
    occupy(events: number): () => void {
      sizes.push(events);
      const release = once(() => {
        clearTimeout(timer);
        sizes.splice(sizes.indexOf(events), 1);
      });
      const timer = setTimeout(() => {
        release();
        onFree();
      }, busyMs).unref();
      return release;
    },
  };
}

/**
 * Looks, less and less often, until it is so, and then calls `then` once. A look that fails is one
 * in vain. Returns what ends it.
 */
function lookUntil(isSo: () => Promise<boolean>, firstMs: number, then: () => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout;
  const lookAfter = (ms: number) => {
    timer = setTimeout(async () => {
      const found = await isSo().catch(() => false);
      if (isOver) return;
      if (found) then();
      else lookAfter(2 * ms);
    }, ms).unref();
  };
  lookAfter(firstMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** A time in which events gather. It calls `atEnd` afterwards if somebody asked meanwhile. */
function createGathering(forMs: number, atEnd: () => void) {
  let until = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      until = performance.now() + forMs;
    },
    isOn() {
      const restMs = until - performance.now();
      if (restMs <= 0) return false;
      if (timer === undefined) {
        timer = setTimeout(() => {
          timer = undefined;
          atEnd();
        }, restMs).unref();
      }
      return true;
    },
  };
}

/** How many events have to wait for one more run. */
function eventsForARun(busy: readonly number[]): number {
  const largest = Math.max(0, ...busy);
  return largest < LARGE_BATCH ? largest : MAX_BATCH;
}

/** What is to be ingested of the events now: those whose tenant is known and whose turn it is. */
function itemsOf(events: readonly NewEvent[], stored: readonly StoredEvent[]): Item[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return stored.flatMap(({ id, tenantId }) => {
    const event = byId.get(id);
    if (tenantId === null || event === undefined || event.delaySeconds) return [];
    const { provider, correlationId, traceparent } = event;
    return [{ id, tenantId, provider, correlationId, traceparent }];
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
 * Takes as many events of a provider as one run may ingest, in their order. Skipped events keep
 * their place.
 */
function takeBatch(queue: Item[], provider: Provider): IngestBatch {
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
    traceparents: taken.flatMap((item) => item.traceparent ?? []),
  };
}
