import type { Db } from '../db/connection.ts';
import * as webhookEvents from '../db/webhook-events.ts';
import { unavailable } from './errors.ts';
import type { HandOver } from './hand-over.ts';

export type EventIntake = {
  /** Stores a delivery for good, and hands it over to be ingested. Throws when it is not stored. */
  store(event: webhookEvents.NewEvent): Promise<void>;
};

/** More rows in one statement no longer make it cheaper. */
const MAX_GROUP = 100;
/** One group commits while the next one gathers; more would only make groups smaller. */
const MAX_FLUSHES = 2;
/** What may wait to be stored. Beyond it deliveries are refused, and their provider tries again. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

type Waiting = {
  event: webhookEvents.NewEvent;
  resolve: () => void;
  reject: (error: unknown) => void;
};

/**
 * Commits deliveries in groups: whatever arrives while one group is being written is the next one.
 * Nothing waits on purpose, so that a single delivery is as quick as it can be.
 */
export function createEventIntake(options: { db: Db; handOver: HandOver }): EventIntake {
  const { db, handOver } = options;
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let flushes = 0;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled || flushes >= MAX_FLUSHES || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void flush(waiting.splice(0, MAX_GROUP));
      schedule();
    });
  };

  const flush = async (group: Waiting[]) => {
    flushes++;
    for (const { event } of group) waitingBytes -= event.body.length;
    await storeGroup(db, group, handOver);
    flushes--;
    schedule();
  };

  return {
    store: (event) =>
      new Promise((resolve, reject) => {
        if (waitingBytes + event.body.length > MAX_WAITING_BYTES) {
          reject(unavailable('Too many events are waiting to be stored. Send it again later.'));
          return;
        }
        waitingBytes += event.body.length;
        waiting.push({ event, resolve, reject });
        schedule();
      }),
  };
}

/** Never rejects: each delivery of the group is told by itself what became of it. */
async function storeGroup(db: Db, group: Waiting[], handOver: HandOver): Promise<void> {
  try {
    const stored = await webhookEvents.insert(
      db,
      group.map(({ event }) => event),
    );
    for (const { resolve } of group) resolve();
    handOver.add(
      group.map(({ event }) => event),
      stored,
    );
  } catch (error) {
    // A delivery that Postgres cannot hold must not take the others of its group along.
    if (group.length === 1) for (const { reject } of group) reject(error);
    else for (const item of group) await storeGroup(db, [item], handOver);
  }
}
