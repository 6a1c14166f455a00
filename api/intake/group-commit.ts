import type { Db } from '../../db/connection.ts';
import { isDataError } from '../../db/errors.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import { currentTraceparent } from '../../gateways/telemetry/spans.ts';
import { unavailable } from '../http/replies/errors.ts';
import type { IngestDispatcher } from './ingest-dispatcher.ts';

export type EventStore = {
  /** Stores a delivery durably and dispatches it to be ingested. Rejects when it is not stored. */
  store(event: webhookEvents.NewEvent): Promise<void>;
};

/** More rows per statement no longer make storing cheaper. */
const MAX_GROUP = 100;
/** A statement carries bodies as hex, so a group takes several times its size in memory. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;
/** One group commits while the next one gathers; more flushes would only make groups smaller. */
const MAX_FLUSHES = 2;
/** What may wait in memory to be stored. Deliveries beyond it are refused, and are sent again. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

type Waiting = {
  event: webhookEvents.NewEvent;
  resolve: () => void;
  reject: (error: unknown) => void;
};

/**
 * Creates a store that commits deliveries in groups: those that arrive while one group is being
 * written form the next. Nothing waits on purpose, so a single delivery is stored without delay.
 */
export function createEventStore(options: {
  db: Db;
  dispatcher: Pick<IngestDispatcher, 'add'>;
}): EventStore {
  const { db, dispatcher } = options;
  const waiting: Waiting[] = [];
  let heldBytes = 0;
  let flushes = 0;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled || flushes >= MAX_FLUSHES || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void flush(takeGroup(waiting));
      schedule();
    });
  };

  const flush = async (group: Waiting[]) => {
    flushes++;
    await storeGroup(db, group, dispatcher);
    for (const { event } of group) heldBytes -= event.body.length;
    flushes--;
    schedule();
  };

  return {
    store: (event) =>
      new Promise((resolve, reject) => {
        if (heldBytes + event.body.length > MAX_HELD_BYTES) {
          reject(unavailable('Too many events wait to be stored. Send this one again later.'));
          return;
        }
        heldBytes += event.body.length;
        waiting.push({ event: { ...event, traceparent: currentTraceparent() }, resolve, reject });
        schedule();
      }),
  };
}

/** Takes the oldest deliveries, as many as one statement should store. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let size = 0;
  let bytes = 0;
  for (const { event } of waiting.slice(0, MAX_GROUP)) {
    bytes += event.body.length;
    if (size > 0 && bytes > MAX_GROUP_BYTES) break;
    size++;
  }
  return waiting.splice(0, size);
}

/** Never rejects: each delivery of the group is resolved or rejected by itself. */
async function storeGroup(
  db: Db,
  group: Waiting[],
  dispatcher: Pick<IngestDispatcher, 'add'>,
): Promise<void> {
  const events = group.map(({ event }) => event);
  try {
    const stored = await webhookEvents.insert(db, events);
    dispatcher.add(events, stored);
    for (const { resolve } of group) resolve();
  } catch (error) {
    // A delivery that Postgres cannot store must not fail the others of its group. While Postgres
    // is unreachable, trying each by itself would only wait just as long again.
    if (group.length > 1 && isDataError(error)) {
      for (const item of group) await storeGroup(db, [item], dispatcher);
    } else {
      for (const { reject } of group) reject(error);
    }
  }
}
