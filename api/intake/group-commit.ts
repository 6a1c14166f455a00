import type { Db } from '../../db/connection.ts';
import { isFaultOfData } from '../../db/errors.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import { unavailable } from '../http/errors.ts';
import type { IngestDispatcher } from './ingest-dispatcher.ts';

export type EventStore = {
  /** Stores a delivery for good, and hands it over to be ingested. Throws when it is not stored. */
  store(event: webhookEvents.NewEvent): Promise<void>;
};

/** More rows in one statement no longer make it cheaper. */
const MAX_GROUP = 100;
/** A statement spells bodies in hex, so that a group takes several times its size of memory. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;
/** One group commits while the next one gathers; more would only make groups smaller. */
const MAX_FLUSHES = 2;
/** What may be held until it is stored. Beyond it deliveries are refused: they are sent again. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

type Waiting = {
  event: webhookEvents.NewEvent;
  resolve: () => void;
  reject: (error: unknown) => void;
};

/**
 * Commits deliveries in groups: whatever arrives while one group is being written is the next one.
 * Nothing waits on purpose, so that a single delivery is as quick as it can be.
 */
export function createEventStore(options: { db: Db; dispatcher: IngestDispatcher }): EventStore {
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
          reject(unavailable('Too many events are waiting to be stored. Send it again later.'));
          return;
        }
        heldBytes += event.body.length;
        waiting.push({ event, resolve, reject });
        schedule();
      }),
  };
}

/** Takes what came first, as much of it as one statement should store. */
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

/** Never rejects: each delivery of the group is told by itself what became of it. */
async function storeGroup(db: Db, group: Waiting[], dispatcher: IngestDispatcher): Promise<void> {
  const events = group.map(({ event }) => event);
  try {
    const stored = await webhookEvents.insert(db, events);
    dispatcher.add(events, stored);
    for (const { resolve } of group) resolve();
  } catch (error) {
    // A delivery that Postgres cannot hold must not take the others of its group along; but while
    // Postgres is away each of them would only wait for as long again.
    if (group.length > 1 && isFaultOfData(error)) {
      for (const item of group) await storeGroup(db, [item], dispatcher);
    } else {
      for (const { reject } of group) reject(error);
    }
  }
}
