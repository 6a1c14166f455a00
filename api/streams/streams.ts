import type { Changed } from '../../db/changes/payload.ts';
import type { ConsumerChange, ShopChange } from '../../db/changes/since.ts';
import type { Db } from '../../db/connection.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import type {
  FeedName,
  StreamEnd,
  StreamMetrics,
} from '../../gateways/telemetry/metrics-streams.ts';
import { createThrottledWarning } from '../background/throttled-warning.ts';
import { unavailable } from '../http/replies/errors.ts';
import { type Admission, checkAccess } from './access.ts';
import { type Connection, createConnection } from './connection.ts';
import type { Feed } from './feed.ts';
import { requireRoom } from './room.ts';
import type { StreamEvent } from './telling.ts';
import { retryMs, type StreamTiming, TIMING } from './timing.ts';
import { type Subscription, Topics } from './topics.ts';

/** Who opens a stream, and of whom or what it tells. */
export type StreamRequest = Admission & {
  /** Until when the token is accepted. */
  expiresAt: Date;
  /** The id of the last event that the client has, if it resumes. */
  lastEventId: string | undefined;
  correlationId: string;
};

/** The open streams of a process. */
export type Streams = {
  /**
   * Opens a stream. Rejects with RATE_LIMITED beyond ten of a user, and with 503 beyond the number
   * of streams of a process, while it stops, and when the database cannot be read.
   */
  open(request: StreamRequest): Promise<Pick<Connection, 'attach' | 'end'>>;
  /** Has the streams of these people and shops read what has changed, and ends those it bars. */
  touch(changed: Changed): void;
  /** Has all streams read what has changed. */
  touchAll(): void;
  /** How many streams are open. */
  count(): number;
  /** How many streams of each feed are open. */
  counts(): Record<FeedName, number>;
  /** Ends all streams and opens no more. */
  close(): Promise<void>;
};

/** What all streams may keep for clients that do not read. Beyond it, the slowest are cut off. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

type Open = {
  request: StreamRequest;
  feed: FeedName;
  openedAt: number;
  connection: Connection;
  /** Undefined until its first reading. */
  subscription: Subscription | undefined;
};

type StreamDeps = {
  db: Db;
  feeds: { consumer: Feed<UserId, ConsumerChange>; shop: Feed<TenantId, ShopChange> };
  adminEmailDomain: string;
  metrics: StreamMetrics;
  log: Logger;
  timing?: Partial<StreamTiming>;
};

/** Creates the streams of a process. Each ends when its token does, or its user's access. */
export function createStreams(deps: StreamDeps): Streams {
  return new OpenStreams(deps);
}

class OpenStreams implements Streams {
  readonly #deps: StreamDeps;
  readonly #timing: StreamTiming;
  readonly #consumers: Topics<UserId, ConsumerChange>;
  readonly #shops: Topics<TenantId, ShopChange>;
  readonly #open = new Set<Open>();
  readonly #ofUser = new Map<UserId, number>();
  readonly #timers: NodeJS.Timeout[];
  readonly #warn: (fields: object) => void;
  #isClosed = false;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
    this.#timing = { ...TIMING, ...deps.timing };
    this.#consumers = new Topics(deps.feeds.consumer, deps);
    this.#shops = new Topics(deps.feeds.shop, deps);
    this.#warn = createThrottledWarning(deps.log, 'Users of open streams could not be checked');
    const { tickMs, rereadEveryMs, checkEveryMs } = this.#timing;
    this.#timers = [
      setInterval(() => this.#tick(), tickMs),
      setInterval(() => this.touchAll(), rereadEveryMs),
      setInterval(() => void this.#check(), checkEveryMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  async open(request: StreamRequest): Promise<Pick<Connection, 'attach' | 'end'>> {
    if (this.#isClosed) throw unavailable('This process is stopping. Connect again shortly.');
    const ofUser = this.#ofUser.get(request.user.id) ?? 0;
    requireRoom({ ofUser, ofAll: this.#open.size }, feedOf(request));
    const opened = this.#add(request);
    const { connection } = opened;
    const subscriber = { send: (events: readonly StreamEvent[]) => this.#send(opened, events) };
    const { lastEventId, shopId, user } = request;
    try {
      const subscription =
        shopId === undefined
          ? await this.#consumers.join(user.id, subscriber, lastEventId)
          : await this.#shops.join(shopId, subscriber, lastEventId);
      opened.subscription = subscription;
      // It may have ended meanwhile.
      if (!this.#open.has(opened)) subscription.leave();
      else connection.keepAlive(subscription.id());
    } catch (error) {
      this.#remove(opened);
      throw error;
    }
    return connection;
  }

  touch({ userIds, shopIds, accessOf }: Changed): void {
    this.#consumers.touch(userIds);
    this.#shops.touch(shopIds);
    if (accessOf.length > 0) void this.#check(new Set(accessOf));
  }

  touchAll(): void {
    this.#consumers.touchAll();
    this.#shops.touchAll();
  }

  count(): number {
    return this.#open.size;
  }

  counts(): Record<FeedName, number> {
    const consumer = [...this.#open].filter(({ feed }) => feed === 'consumer').length;
    return { consumer, shop: this.count() - consumer };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const { connection } of this.#open) connection.end('draining');
    await Promise.all([this.#consumers.close(), this.#shops.close()]);
  }

  #add(request: StreamRequest): Open {
    const opened: Open = {
      request,
      feed: feedOf(request),
      openedAt: performance.now(),
      subscription: undefined,
      connection: createConnection({
        retryMs: retryMs(),
        onEnd: (reason) => this.#ended(opened, reason),
      }),
    };
    const { id } = request.user;
    this.#open.add(opened);
    this.#ofUser.set(id, (this.#ofUser.get(id) ?? 0) + 1);
    return opened;
  }

  #remove(opened: Open): void {
    if (!this.#open.delete(opened)) return;
    opened.subscription?.leave();
    const { id } = opened.request.user;
    const left = (this.#ofUser.get(id) ?? 1) - 1;
    if (left > 0) this.#ofUser.set(id, left);
    else this.#ofUser.delete(id);
  }

  #ended(opened: Open, reason: StreamEnd): void {
    this.#remove(opened);
    const { request, feed, connection, openedAt } = opened;
    this.#deps.metrics.streamEnded(feed, reason);
    this.#deps.log.info(
      {
        event: 'stream_ended',
        feed,
        reason,
        userId: request.user.id,
        tenantId: request.shopId,
        correlationId: request.correlationId,
        events: connection.sent(),
        seconds: Math.round((performance.now() - openedAt) / 1_000),
      },
      'Stream ended',
    );
  }

  #send({ connection, feed }: Open, events: readonly StreamEvent[]): void {
    for (const { event } of events) this.#deps.metrics.streamEventSent(feed, event);
    connection.send(events);
  }

  #tick(): void {
    const now = Date.now();
    const silentSince = performance.now() - this.#timing.keepAliveAfterMs;
    let unsentBytes = 0;
    for (const { request, connection, subscription } of this.#open) {
      unsentBytes += connection.unsentBytes();
      if (now >= request.expiresAt.getTime()) connection.end('token_expired');
      else if (subscription !== undefined && connection.lastWriteAt() <= silentSince) {
        connection.keepAlive(subscription.id());
      }
    }
    if (unsentBytes <= MAX_UNSENT_BYTES) return;
    const share = MAX_UNSENT_BYTES / this.#open.size;
    for (const { connection } of this.#open) {
      if (connection.unsentBytes() > share) connection.end('slow_reader');
    }
  }

  /** Ends the streams of users who may not have them any more: all, or those of and in these. */
  async #check(ids?: ReadonlySet<string>): Promise<void> {
    const { db, adminEmailDomain } = this.#deps;
    const users = [...this.#open].flatMap(({ request: { user, shopId = '' } }) =>
      ids === undefined || ids.has(user.id) || ids.has(shopId) ? user.id : [],
    );
    try {
      const mayRead = await checkAccess(db, [...new Set(users)], adminEmailDomain);
      for (const { request, connection } of this.#open) {
        if (!mayRead(request)) connection.end('access_lost');
      }
    } catch (error) {
      this.#warn({ event: 'stream_users_not_checked', err: error });
    }
  }
}

function feedOf({ shopId }: StreamRequest): FeedName {
  return shopId === undefined ? 'consumer' : 'shop';
}
