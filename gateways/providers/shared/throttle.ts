import { createHash } from 'node:crypto';
import { ProviderError } from './error.ts';
import {
  type CallShares,
  keepUnits,
  type Limit,
  partOf,
  type Shared,
  type Usage,
} from './shared-limits.ts';

// Calls wait in queues, one per access token. A queue is due when its limit and its pause allow
// another call. Queues that are due take turns (round robin), within a limit for all together.
//
//   run('a', call) --> queue a: 3 waiting --.
//   run('b', call) --> queue b: 1 waiting --+--> round robin --> running --> provider
//   run('c', call) --> queue c: paused    --'
//                      limit per queue           total limit
//
// Where other processes call the same provider, both limits are shared with them: what this one may
// use of a limit is asked for while calls wait (`shared-limits.ts`).
//
// `dispatch` starts calls until no queue is due. It runs again when a call is added, when one ends,
// and by a timer at the time when the next queue is due.

export type Throttle = {
  /**
   * Makes a call when the queue of that name is due. Throws what the call throws, and ProviderError
   * 429 at once while the provider's pause for the queue is longer than calls may wait. A signal
   * that aborts while the call waits takes it out of the queue; this throws the signal's reason.
   */
  run<T>(queueName: string, call: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

type Waiter = { start: () => void; reject: (reason: unknown) => void };
type Queue = Usage & {
  /** What names it to other processes, without the token. */
  sharedName: string;
  waiting: Waiter[];
  pausedUntil: number;
  /** Consecutive 429 responses without a Retry-After. */
  refusals: number;
};

const SECOND_MS = 1_000;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Calls do not wait out a longer pause: the caller has a longer deadline and can do other work. */
const MAX_WAIT_MS = 5_000;

/**
 * Runs calls to a provider within a limit per queue and a total limit; queues take turns. After a
 * 429 its queue pauses for as long as the provider asked, else for 1 s, doubled with each
 * consecutive 429: calling too early would lengthen the pause. With `shares` the limits hold for
 * all processes together that name the same provider.
 */
export function createThrottle(limits: {
  perQueue: Limit;
  total: Limit;
  shares?: { provider: string; among: CallShares } | undefined;
}): Throttle {
  const { shares } = limits;
  const queues = new Map<string, Queue>();
  const unused = { running: 0, endedAt: [], units: shares ? 0 : null, unitsEnd: 0 };
  const total: Usage = { ...unused, endedAt: [] };
  const units = shares && keepUnits(shares.among, listShared, { onChange, onFailure });
  let timer: NodeJS.Timeout | undefined;

  const dispatch = () => {
    clearTimeout(timer);
    for (;;) {
      const next = nextDue(queues, limits.perQueue);
      if (next === undefined) return;
      const delayMs = Math.max(next.delayMs, limitDelayMs(total, limits.total));
      if (delayMs > 0) {
        // An infinite delay needs no timer: it lasts until a call ends, which dispatches again.
        if (Number.isFinite(delayMs)) timer = setTimeout(dispatch, Math.ceil(delayMs)).unref();
        return;
      }
      const { name, queue } = next;
      // Moved to the back of the map, so that the other queues come first.
      queues.delete(name);
      queues.set(name, queue);
      for (const usage of [queue, total]) usage.running++;
      queue.waiting.shift()?.start();
    }
  };

  function onChange(): void {
    dispatch();
  }
  function onFailure(): void {
    const error = new ProviderError('Whether a call is allowed is not known now.', null);
    for (const queue of queues.values()) {
      for (const { reject } of queue.waiting.splice(0)) reject(error);
    }
  }
  /** What is to be said of the limits to other processes. */
  function listShared(): Shared[] {
    const each = [...queues.values()].map((queue) => ({
      name: `${shares?.provider}/${queue.sharedName}`,
      limit: limits.perQueue,
      usage: queue,
      waiting: queue.waiting.length,
    }));
    const waiting = each.reduce((sum, queue) => sum + queue.waiting, 0);
    const all = { name: `${shares?.provider}`, limit: limits.total, usage: total, waiting };
    return [all, ...each].filter(
      ({ usage, waiting }) => waiting + usage.running + (usage.units ?? 0) > 0,
    );
  }

  return {
    async run(queueName, call, signal) {
      const queue = queues.get(queueName) ?? emptyQueue(queueName, unused);
      queues.set(queueName, queue);
      const turn = turnIn(queue, signal);
      dispatch();
      units?.look();
      await turn;
      try {
        const result = await call();
        if (pauseLeftMs(queue) === 0) queue.refusals = 0;
        return result;
      } catch (error) {
        if (error instanceof ProviderError && error.status === 429) pause(queue, error);
        throw error;
      } finally {
        for (const usage of [queue, total]) recordEnd(usage);
        dispatch();
        units?.look();
      }
    },
  };
}

/** Waits in a queue until it is the caller's turn. */
function turnIn(queue: Queue, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((start, reject) => {
    signal?.throwIfAborted();
    if (pauseLeftMs(queue) > MAX_WAIT_MS) throw pausedError(queue);
    const leave = () => {
      queue.waiting = queue.waiting.filter((each) => each !== waiter);
      reject(signal?.reason);
    };
    const settle = (settled: () => void) => {
      signal?.removeEventListener('abort', leave);
      settled();
    };
    const waiter: Waiter = {
      start: () => settle(start),
      reject: (reason) => settle(() => reject(reason)),
    };
    signal?.addEventListener('abort', leave, { once: true });
    queue.waiting.push(waiter);
  });
}

function emptyQueue(name: string, unused: Usage): Queue {
  const sharedName = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return { ...unused, endedAt: [], sharedName, waiting: [], pausedUntil: 0, refusals: 0 };
}

/** The queue with waiting calls that is due first, if any, and in how long. Drops idle queues. */
function nextDue(queues: Map<string, Queue>, limit: Limit) {
  let next: { name: string; queue: Queue; delayMs: number } | undefined;
  for (const [name, queue] of queues) {
    const delayMs = Math.max(limitDelayMs(queue, limit), pauseLeftMs(queue));
    if (queue.waiting.length === 0) {
      if (isIdle(queue)) queues.delete(name);
      continue;
    }
    if (delayMs < (next?.delayMs ?? Number.POSITIVE_INFINITY)) next = { name, queue, delayMs };
  }
  return next;
}

/** Whether a queue without waiting calls has nothing to remember: no pause, call or unit. */
function isIdle(queue: Queue): boolean {
  const { running, endedAt, units } = queue;
  return pauseLeftMs(queue) === 0 && running + endedAt.length + (units ?? 0) === 0;
}

function recordEnd(usage: Usage): void {
  usage.running--;
  usage.endedAt.push(performance.now());
}

/** Milliseconds until the limit allows another call; infinite while a running one has to end. */
function limitDelayMs(usage: Usage, limit: Limit): number {
  const { concurrency, perSecond } = partOf(limit, usage);
  const now = performance.now();
  usage.endedAt = usage.endedAt.filter((time) => time > now - SECOND_MS);
  if (usage.running >= Math.min(concurrency, perSecond)) return Number.POSITIVE_INFINITY;
  // With this end and all later ones, the running calls fill the rate until it is a second old.
  const blocking = usage.endedAt.at(usage.running - perSecond);
  return blocking === undefined ? 0 : blocking + SECOND_MS - now;
}

function pauseLeftMs(queue: Queue): number {
  return Math.max(0, queue.pausedUntil - performance.now());
}

function pause(queue: Queue, { retryAfterMs }: ProviderError): void {
  // Calls that were already running when the pause began were refused for the same reason.
  if (retryAfterMs === undefined && pauseLeftMs(queue) > 0) return;
  const backoffMs = Math.min(MIN_PAUSE_MS * 2 ** queue.refusals, MAX_PAUSE_MS);
  if (retryAfterMs === undefined) queue.refusals++;
  queue.pausedUntil = Math.max(queue.pausedUntil, performance.now() + (retryAfterMs ?? backoffMs));
  if (pauseLeftMs(queue) <= MAX_WAIT_MS) return;
  for (const { reject } of queue.waiting.splice(0)) reject(pausedError(queue));
}

function pausedError(queue: Queue): ProviderError {
  const message = 'The provider asked for a pause. Call again when it is over.';
  return new ProviderError(message, 429, { retryAfterMs: Math.ceil(pauseLeftMs(queue)) });
}
