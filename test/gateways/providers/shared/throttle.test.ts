import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProviderError } from '../../../../gateways/providers/shared/error.ts';
import type { Limit } from '../../../../gateways/providers/shared/shared-limits.ts';
import { createThrottle } from '../../../../gateways/providers/shared/throttle.ts';

const UNLIMITED: Limit = { concurrency: 1_000, perSecond: 1_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => vi.useRealTimers());

/** Runs everything that is due without letting time pass. */
const settle = () => vi.advanceTimersByTimeAsync(0);
const tooManyRequests = (retryAfterMs?: number) =>
  new ProviderError('beta answered 429.', 429, { retryAfterMs });

type Outcome = { name: string; result: string };

/** A throttle whose calls run until the test ends them, with the outcome of each. */
function watchedThrottle(limits: { perQueue?: Limit; total?: Limit }) {
  const throttle = createThrottle({ perQueue: UNLIMITED, total: UNLIMITED, ...limits });
  const running: { name: string; end: () => void; fail: (error: unknown) => void }[] = [];
  const started: string[] = [];
  const ended: Outcome[] = [];
  const takeRunning = (name?: string) => {
    const index = running.findIndex((call) => name === undefined || call.name === name);
    const [call] = running.splice(index, 1);
    if (index < 0 || call === undefined) throw new Error(`No call of ${name} is running.`);
    return call;
  };
  return {
    started,
    ended,
    add(name: string, count = 1) {
      for (let nth = 0; nth < count; nth++) {
        const called = throttle.run(name, () => {
          started.push(name);
          return new Promise<string>((resolve, reject) => {
            running.push({ name, end: () => resolve('done'), fail: reject });
          });
        });
        called.then(
          (result) => ended.push({ name, result }),
          (error: unknown) => ended.push({ name, result: String(error) }),
        );
      }
    },
    runningCount: () => running.length,
    async end(name?: string) {
      takeRunning(name).end();
      await settle();
    },
    async fail(error: unknown, name?: string) {
      takeRunning(name).fail(error);
      await settle();
    },
  };
}

describe('the concurrency limit', () => {
  it('holds for a queue: the next call in order starts when one ends', async () => {
    const calls = watchedThrottle({ perQueue: { ...UNLIMITED, concurrency: 3 } });
    calls.add('A', 5);
    await settle();
    expect(calls.started).toHaveLength(3);
    await calls.end();
    await calls.fail(new Error('lost'));
    expect([calls.started.length, calls.runningCount()]).toEqual([5, 3]);
    for (let nth = 0; nth < 3; nth++) await calls.end();
    expect(calls.ended.map(({ result }) => result)).toEqual([
      'done',
      'Error: lost',
      'done',
      'done',
      'done',
    ]);
  });

  it('holds for all queues together', async () => {
    const calls = watchedThrottle({ total: { ...UNLIMITED, concurrency: 2 } });
    calls.add('A');
    calls.add('B');
    calls.add('C');
    await settle();
    expect(calls.started).toEqual(['A', 'B']);
    await calls.end('A');
    expect(calls.started).toEqual(['A', 'B', 'C']);
  });

  it('serves queues round robin, however long one of them is', async () => {
    const calls = watchedThrottle({ total: { ...UNLIMITED, concurrency: 1 } });
    calls.add('long', 6);
    await settle();
    calls.add('B', 2);
    calls.add('C', 2);
    for (let nth = 0; nth < 9; nth++) await calls.end();
    expect(calls.started.join(' ')).toBe('long long B C long B C long long long');
  });

  it('is released by calls that throw before they start a request', async () => {
    const throttle = createThrottle({
      perQueue: { ...UNLIMITED, concurrency: 1 },
      total: UNLIMITED,
    });
    const broken = Array.from({ length: 3 }, () =>
      throttle.run('A', () => {
        throw new Error('broken');
      }),
    );
    const results = await Promise.allSettled(broken);
    expect(results.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    expect(await throttle.run('A', async () => 'fine')).toBe('fine');
  });
});

describe('the rate limit', () => {
  it('holds for a queue, counted from the end of a call; other queues do not wait', async () => {
    const calls = watchedThrottle({ perQueue: { ...UNLIMITED, perSecond: 2 } });
    calls.add('A', 5);
    calls.add('B');
    await settle();
    expect(calls.started).toEqual(['A', 'A', 'B']);
    await vi.advanceTimersByTimeAsync(400);
    await calls.end('A');
    await vi.advanceTimersByTimeAsync(999);
    expect(calls.started).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(2);
    expect(calls.started).toEqual(['A', 'A', 'B', 'A']);
    await calls.end('A');
    await calls.fail(new Error('lost'), 'A');
    await vi.advanceTimersByTimeAsync(1_001);
    expect(calls.started).toHaveLength(6);
  });

  it('holds for all queues together', async () => {
    const calls = watchedThrottle({ total: { ...UNLIMITED, perSecond: 3 } });
    for (const name of ['A', 'B', 'C', 'D']) calls.add(name);
    await settle();
    await calls.end('A');
    expect(calls.started).toEqual(['A', 'B', 'C']);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(calls.started).toEqual(['A', 'B', 'C', 'D']);
  });

  it('still counts earlier calls after the queue was empty', async () => {
    const calls = watchedThrottle({ perQueue: { ...UNLIMITED, perSecond: 2 } });
    calls.add('A', 2);
    await settle();
    await calls.end();
    await calls.end();
    calls.add('A');
    await settle();
    expect(calls.started).toHaveLength(2);
  });
});

describe('after a 429', () => {
  it('its queue pauses for as long as the provider asked, and no other queue does', async () => {
    const calls = watchedThrottle({ perQueue: { ...UNLIMITED, concurrency: 1 } });
    calls.add('A', 3);
    calls.add('B', 2);
    await settle();
    await calls.fail(tooManyRequests(3_000), 'A');
    await calls.end('B');
    expect(calls.started).toEqual(['A', 'B', 'B']);
    calls.add('A');
    await vi.advanceTimersByTimeAsync(2_999);
    expect(calls.started).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(2);
    expect(calls.started).toEqual(['A', 'B', 'B', 'A']);
  });

  it('without a Retry-After its queue pauses for 1 s, doubled each consecutive time', async () => {
    const calls = watchedThrottle({ perQueue: { ...UNLIMITED, concurrency: 1 } });
    calls.add('A', 6);
    await settle();
    for (const [nth, waitMs] of [1_000, 2_000, 4_000].entries()) {
      await calls.fail(tooManyRequests());
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      expect(calls.started).toHaveLength(nth + 1);
      await vi.advanceTimersByTimeAsync(2);
      expect(calls.started).toHaveLength(nth + 2);
    }
    await calls.end();
    await calls.fail(tooManyRequests());
    await vi.advanceTimersByTimeAsync(1_001);
    expect(calls.started).toHaveLength(6);
  });

  it('calls that were already running do not lengthen the pause', async () => {
    const calls = watchedThrottle({ perQueue: { ...UNLIMITED, concurrency: 3 } });
    calls.add('A', 4);
    await settle();
    for (let nth = 0; nth < 3; nth++) await calls.fail(tooManyRequests());
    await vi.advanceTimersByTimeAsync(1_001);
    expect(calls.started).toHaveLength(4);
  });

  it('the longest of several pauses counts', async () => {
    const calls = watchedThrottle({ perQueue: { ...UNLIMITED, concurrency: 2 } });
    calls.add('A', 3);
    await settle();
    await calls.fail(tooManyRequests(4_000));
    await calls.fail(tooManyRequests(1_000));
    await vi.advanceTimersByTimeAsync(3_999);
    expect(calls.started).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2);
    expect(calls.started).toHaveLength(3);
  });

  it('a long pause fails calls at once with the time left, without a request', async () => {
    const calls = watchedThrottle({ perQueue: { ...UNLIMITED, concurrency: 1 } });
    calls.add('A', 2);
    await settle();
    await calls.fail(tooManyRequests(60_000));
    expect(calls.ended).toHaveLength(2);

    await vi.advanceTimersByTimeAsync(20_000);
    const throttle = createThrottle({ perQueue: UNLIMITED, total: UNLIMITED });
    await throttle.run('A', () => Promise.reject(tooManyRequests(60_000))).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    const request = vi.fn(async () => 'answer');
    const refused: unknown = await throttle.run('A', request).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 429, isTransient: true, retryAfterMs: 40_000 });
    expect(request).not.toHaveBeenCalled();

    await vi.advanceTimersByTimeAsync(36_000);
    const last = throttle.run('A', request);
    await vi.advanceTimersByTimeAsync(4_001);
    expect(await last).toBe('answer');
  });

  it('other errors cause no pause', async () => {
    const calls = watchedThrottle({ perQueue: { ...UNLIMITED, concurrency: 1 } });
    calls.add('A', 3);
    await settle();
    await calls.fail(new ProviderError('beta answered 503.', 503, { retryAfterMs: 9_000 }));
    await calls.fail(new ProviderError('beta could not be reached.', null));
    expect(calls.started).toHaveLength(3);
  });
});

describe('a signal', () => {
  it('takes a waiting call out of its queue, and lets the others go on', async () => {
    const throttle = createThrottle({
      perQueue: { ...UNLIMITED, concurrency: 1 },
      total: UNLIMITED,
    });
    const stop = new AbortController();
    const started: string[] = [];
    let end = () => {};
    const first = throttle.run('a', () => new Promise<void>((resolve) => (end = resolve)));
    const second = throttle.run('a', async () => started.push('second'), stop.signal);
    const third = throttle.run('a', async () => started.push('third'), stop.signal);
    const fourth = throttle.run('a', async () => started.push('fourth'));
    stop.abort(new Error('no time left'));
    await expect(second).rejects.toThrow('no time left');
    await expect(third).rejects.toThrow('no time left');
    end();
    await Promise.all([first, fourth]);
    expect(started).toEqual(['fourth']);
  });

  it('refuses a call at once that comes too late', async () => {
    const throttle = createThrottle({ perQueue: UNLIMITED, total: UNLIMITED });
    const call = vi.fn(async () => undefined);
    await expect(throttle.run('a', call, AbortSignal.abort())).rejects.toThrow();
    expect(call).not.toHaveBeenCalled();
  });
});

describe('limits that are shared with other processes', () => {
  it('are asked for at once by a queue that is new, however lately another one asked', async () => {
    const take = vi.fn(async (wanted: readonly { wants: number }[]) =>
      wanted.map(({ wants }) => wants),
    );
    const shares = { provider: 'alpha', among: { leaseMs: 15_000, take } };
    const limit = { concurrency: 10, perSecond: 50 };
    const throttle = createThrottle({ perQueue: limit, total: limit, shares });
    const called: string[] = [];
    for (const name of ['a', 'b', 'a']) {
      void throttle.run(name, async () => void called.push(name));
      await settle();
    }
    // The third call finds what the first one got.
    expect(called).toEqual(['a', 'b', 'a']);
    expect(take).toHaveBeenCalledTimes(2);
  });

  it('are asked for again a moment later by a queue that did not get enough', async () => {
    let free = 0;
    const take = vi.fn(async (wanted: readonly { wants: number }[]) =>
      wanted.map(({ wants }) => Math.min(wants, free)),
    );
    const shares = { provider: 'alpha', among: { leaseMs: 15_000, take } };
    const throttle = createThrottle({ perQueue: UNLIMITED, total: UNLIMITED, shares });
    let isCalled = false;
    void throttle.run('a', async () => {
      isCalled = true;
    });
    await settle();
    expect(take).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(99);
    expect(take).toHaveBeenCalledTimes(1);
    free = 1;
    await vi.advanceTimersByTimeAsync(1);
    expect(isCalled).toBe(true);
  });
});
