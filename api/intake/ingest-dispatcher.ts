import type { NewEvent, StoredEvent } from '../../db/events/webhook-events.ts';
import type { EventId, TenantId } from '../../domain/ids.ts';
import { MAX_TENANTS_PER_RUN } from '../../domain/ingest-counts.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';

/** Stored events that one run is to bring in. */
export type IngestBatch = {
  provider: Provider;
  eventIds: EventId[];
  tenantIds: TenantId[];
  correlationIds: string[];
};

export type IngestDispatcher = {
  /** Hands stored events over to be ingested, in the background. Never fails. */
  add(events: readonly NewEvent[], stored: readonly StoredEvent[]): void;
  /** How many events wait for a run. */
  waiting(): number;
};

const MAX_BATCH = 500;
/** One run keeps the worker busy; a second is worth its price only when it would be a full one. */
const MAX_BUSY = 2;
/** A run that takes longer waits for something else than the worker, and others should not wait. */
const BUSY_MS = 250;
/** With every worker away runs would pile up, each to be worked off later at a full run's price. */
const MAX_UNFINISHED = 10;
/** Beyond this the sweep is the better way: what it finds in the table need not be in memory. */
const MAX_WAITING = 20_000;

type Item = { id: EventId; tenantId: TenantId; provider: Provider; correlationId: string };

/**
 * Passes stored events on in batches: one by one when idle, more at a time under load, since what
 * comes while a batch is under way is the next one: a run costs as much for one event as for many. `ingest` resolves when its batch is done.
 * What it rejects is left to the sweep, as is what no tenant is known for.
 */
export function createIngestDispatcher(options: {
  ingest: (batch: IngestBatch) => Promise<void>;
  log: Logger;
  busyMs?: number;
}): IngestDispatcher {
  const { busyMs = BUSY_MS } = options;
  const queue: Item[] = [];
  let busy = 0;
  let unfinished = 0;

  const pump = () => {
    while (
      queue.length > busy * (MAX_BATCH - 1) &&
      busy < MAX_BUSY &&
      unfinished < MAX_UNFINISHED
    ) {
      void pass(takeBatch(queue));
    }
  };

  const pass = async (batch: IngestBatch) => {
    unfinished++;
    const letGo = holdBusy();
    try {
      await options.ingest(batch);
    } catch (error) {
      const events = batch.eventIds.length;
      options.log.warn({ err: error, events }, 'Events are left to the sweep');
    }
    unfinished--;
    letGo();
    pump();
  };

  /** Counts a run as busy until it is done, or is found to be waiting for something else. */
  const holdBusy = () => {
    let isHeld = true;
    const letGo = () => {
      if (isHeld) busy--;
      isHeld = false;
      clearTimeout(timer);
    };
    busy++;
    const timer = setTimeout(() => {
      letGo();
      pump();
    }, busyMs).unref();
    return letGo;
  };

  return {
    add(events, stored) {
      const byId = new Map(events.map((event) => [event.id, event]));
      for (const { id, tenantId } of stored) {
        const event = byId.get(id);
        if (tenantId === null || event === undefined || queue.length >= MAX_WAITING) continue;
        const { provider, correlationId } = event;
        queue.push({ id, tenantId, provider, correlationId });
      }
      pump();
    },
    waiting: () => queue.length,
  };
}

/**
 * Takes the first event, and as many after it as one run may bring in with it: of the same provider
 * and of no more tenants than a search attribute can name. What is passed over keeps its place.
 */
function takeBatch(queue: Item[]): IngestBatch {
  const provider = queue[0]?.provider ?? 'alpha';
  const tenantIds = new Set<TenantId>();
  const taken: Item[] = [];
  const passedOver: Item[] = [];
  for (const item of queue) {
    if (taken.length === MAX_BATCH) break;
    const isNamed = tenantIds.has(item.tenantId) || tenantIds.size < MAX_TENANTS_PER_RUN;
    if (item.provider !== provider || !isNamed) {
      passedOver.push(item);
      continue;
    }
    tenantIds.add(item.tenantId);
    taken.push(item);
  }
  queue.splice(0, taken.length + passedOver.length, ...passedOver);
  return {
    provider,
    eventIds: taken.map((item) => item.id),
    tenantIds: [...tenantIds],
    correlationIds: taken.map((item) => item.correlationId),
  };
}
