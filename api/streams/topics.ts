import { setTimeout as sleep } from 'node:timers/promises';
import { readWatermark } from '../../db/changes/since.ts';
import type { Db } from '../../db/connection.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { createThrottledWarning } from '../background/throttled-warning.ts';
import type { Feed, Rendered } from './feed.ts';
import { idOf, type Position, positionOf, type State } from './position.ts';
import { eventsOf, resetAt, type Step, type StreamEvent, stepOf } from './telling.ts';

/** An open stream, as far as its events concern it. */
export type Subscriber = { send(events: readonly StreamEvent[]): void };

/** A stream that gets the events of a person or shop, until it leaves. */
export type Subscription = {
  /** The id of the position at which the stream is when all that was sent has arrived. */
  id(): string;
  leave(): void;
};

/** How many people or shops one reading is about. */
const MAX_ASKS = 500;
/** What changes in the meantime is read together. */
const GATHER_MS = 20;
/** After a reading that failed, since the next one is likely to fail as well. */
const RETRY_MS = 1_000;

/** A person or shop who has streams open here, or is about to. */
type Topic<Key> = {
  key: Key;
  audience: string;
  /** Undefined until the first reading. */
  position: Position | undefined;
  subscribers: Set<Subscriber>;
  /** How many streams are joining. */
  joining: number;
};

type Joining<Key> = {
  topic: Topic<Key>;
  subscriber: Subscriber;
  lastEventId: string | undefined;
  done(start: Position): void;
  failed(error: unknown): void;
};

/**
 * Reads for all streams of a feed in this process, one reading at a time, whatever the reason: a
 * stream opens or resumes, something was announced, or time has passed. A person or shop with
 * several streams is read once. Of what was sent, only the position is kept.
 */
export class Topics<Key extends string, Each extends State> {
  readonly #feed: Feed<Key, Each>;
  readonly #db: Db;
  readonly #warn: (fields: object) => void;
  readonly #topics = new Map<Key, Topic<Key>>();
  readonly #due = new Set<Topic<Key>>();
  readonly #joining: Joining<Key>[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(feed: Feed<Key, Each>, { db, log }: { db: Db; log: Logger }) {
    this.#feed = feed;
    this.#db = db;
    this.#warn = createThrottledWarning(log, 'Open streams could not be read; it is tried again');
  }

  /**
   * Sends a stream what changes from now on or, with the id of an event, since that one. An id that
   * is unknown or too old is answered by the event `reset`, and what changed since then is not
   * sent. Rejects when the database cannot be read.
   */
  async join(
    key: Key,
    subscriber: Subscriber,
    lastEventId: string | undefined,
  ): Promise<Subscription> {
    // Known from now on: what is announced during its first reading is read after that.
    const topic = this.#topics.get(key) ?? this.#add(key);
    topic.joining++;
    try {
      const start = await new Promise<Position>((done, failed) => {
        this.#joining.push({ topic, subscriber, lastEventId, done, failed });
        this.#wake();
      });
      return this.#subscriptionOf(topic, subscriber, start);
    } finally {
      topic.joining--;
      this.#removeUnused(topic);
    }
  }

  /** Has the streams of these people or shops read again, of those that are open here. */
  touch(keys: Iterable<Key>): void {
    for (const key of keys) {
      const topic = this.#topics.get(key);
      if (topic !== undefined) this.#due.add(topic);
    }
    if (this.#due.size > 0) this.#wake();
  }

  /** Has all streams read again. */
  touchAll(): void {
    this.touch(this.#topics.keys());
  }

  /** Stops reading, and resolves when nothing is being read. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    const error = new Error('The streams of this process are closed.');
    for (const { failed } of this.#joining.splice(0)) failed(error);
  }

  #add(key: Key): Topic<Key> {
    const subscribers = new Set<Subscriber>();
    const audience = `${this.#feed.name} ${key}`;
    const topic = { key, audience, position: undefined, subscribers, joining: 0 };
    this.#topics.set(key, topic);
    return topic;
  }

  #subscriptionOf(topic: Topic<Key>, subscriber: Subscriber, start: Position): Subscription {
    return {
      id() {
        // The others may not have been read since before this one began.
        const { position = start } = topic;
        return idOf(topic.audience, position.readAtMs > start.readAtMs ? position : start);
      },
      leave: () => {
        topic.subscribers.delete(subscriber);
        this.#removeUnused(topic);
      },
    };
  }

  #removeUnused(topic: Topic<Key>): void {
    if (topic.joining > 0 || topic.subscribers.size > 0) return;
    this.#topics.delete(topic.key);
    this.#due.delete(topic);
  }

  #wake(): void {
    if (this.#running !== undefined || this.#isClosed) return;
    this.#running = this.#readWhileDue().finally(() => {
      this.#running = undefined;
    });
  }

  async #readWhileDue(): Promise<void> {
    while (!this.#isClosed && (this.#joining.length > 0 || this.#due.size > 0)) {
      const joining = this.#joining.splice(0, MAX_ASKS);
      // One that is new is read by the stream that joins.
      const known = [...this.#due].filter(({ position }) => position !== undefined);
      const due = known.slice(0, MAX_ASKS - joining.length);
      for (const topic of due) this.#due.delete(topic);
      try {
        await this.#read(due, joining);
        await sleep(GATHER_MS, undefined, { ref: false });
      } catch (error) {
        for (const topic of due) if (this.#topics.has(topic.key)) this.#due.add(topic);
        for (const { failed } of joining) failed(error);
        this.#warn({ event: 'streams_not_read', err: error, feed: this.#feed.name });
        if (!this.#isClosed) await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  async #read(due: readonly Topic<Key>[], joining: readonly Joining<Key>[]): Promise<void> {
    const { sinceMicros, nowMs: readAtMs } = await readWatermark(this.#db);
    const wanted = [
      ...due.map((topic) => ({ topic, from: topic.position })),
      ...joining.map(({ topic, lastEventId }) => {
        const id = lastEventId;
        const from = id === undefined ? undefined : positionOf(topic.audience, id, readAtMs);
        return { topic, from };
      }),
    ];
    const asks = wanted.map(({ topic: { key }, from }) => {
      return { key, sinceMicros: from?.sinceMicros ?? sinceMicros };
    });
    const lists = await this.#feed.listChanges(this.#db, asks);
    const steps = wanted.map(({ topic, from }, nth) =>
      stepOf(topic.audience, from, { states: lists[nth] ?? [], sinceMicros, readAtMs }),
    );
    const rendered = await this.#render(wanted, steps);

    // Nothing is awaited from here on, so that no stream misses an event or gets one twice.
    for (const [nth, step] of steps.entries()) {
      const topic = wanted[nth]?.topic;
      const newcomer = joining[nth - due.length];
      if (topic === undefined) continue;
      const events = eventsOf(step, rendered);
      if (newcomer === undefined) {
        topic.position = step.next;
        if (events.length > 0) for (const each of topic.subscribers) each.send(events);
        continue;
      }
      const { subscriber, lastEventId, done } = newcomer;
      const isLost = lastEventId !== undefined && step.from === undefined;
      topic.position ??= step.next;
      topic.subscribers.add(subscriber);
      if (isLost || events.length > 0) subscriber.send(isLost ? [resetAt(step)] : events);
      done(step.next);
    }
  }
  async #render(
    wanted: readonly { topic: Topic<Key> }[],
    steps: readonly Step<Each>[],
  ): Promise<ReadonlyMap<string, Rendered>> {
    const fresh = steps.flatMap((step) => step.fresh);
    if (fresh.length === 0) return new Map();
    const keys = wanted.filter((_, nth) => (steps[nth]?.fresh.length ?? 0) > 0);
    return this.#feed.render(this.#db, [...new Set(keys.map(({ topic }) => topic.key))], fresh);
  }
}
