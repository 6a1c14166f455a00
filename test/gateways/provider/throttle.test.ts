import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProviderError } from '../../../gateways/provider/error.ts';
import { type Allowance, createThrottle } from '../../../gateways/provider/throttle.ts';

const MANY: Allowance = { atOnce: 1_000, perSecond: 1_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => vi.useRealTimers());

/** Lets everything happen that needs no time to pass. */
const settle = () => vi.advanceTimersByTimeAsync(0);
const tooMany = (retryAfterMs?: number) =>
  new ProviderError('beta answered 429.', 429, { retryAfterMs });

type Ended = { name: string; result: string };

/** Lines whose calls last until they are told to end, and what became of each. */
function watched(limits: { perLine?: Allowance; altogether?: Allowance }) {
  const lines = createThrottle({ perLine: MANY, altogether: MANY, ...limits });
  const out: { name: string; end: () => void; fail: (error: unknown) => void }[] = [];
  const began: string[] = [];
  const ended: Ended[] = [];
  const take = (name?: string) => {
    const index = out.findIndex((call) => name === undefined || call.name === name);
    const [call] = out.splice(index, 1);
    if (index < 0 || call === undefined) throw new Error(`No call of ${name} is out.`);
    return call;
  };
  return {
    began,
    ended,
    add(name: string, count = 1) {
      for (let nth = 0; nth < count; nth++) {
        const called = lines.run(name, () => {
          began.push(name);
          return new Promise<string>((resolve, reject) => {
            out.push({ name, end: () => resolve('done'), fail: reject });
          });
        });
        called.then(
          (result) => ended.push({ name, result }),
          (error: unknown) => ended.push({ name, result: String(error) }),
        );
      }
    },
    count: () => out.length,
    async end(name?: string) {
      take(name).end();
      await settle();
    },
    async fail(error: unknown, name?: string) {
      take(name).fail(error);
      await settle();
    },
  };
}

describe('how many calls are out at once', () => {
  it('is what a line may have, and the next when one of them ends, in their order', async () => {
    const calls = watched({ perLine: { ...MANY, atOnce: 3 } });
    calls.add('A', 5);
    await settle();
    expect(calls.began).toHaveLength(3);
    await calls.end();
    await calls.fail(new Error('lost'));
    expect([calls.began.length, calls.count()]).toEqual([5, 3]);
    for (let nth = 0; nth < 3; nth++) await calls.end();
    expect(calls.ended.map(({ result }) => result)).toEqual([
      'done',
      'Error: lost',
      'done',
      'done',
      'done',
    ]);
  });

  it('is what all lines together may have', async () => {
    const calls = watched({ altogether: { ...MANY, atOnce: 2 } });
    calls.add('A');
    calls.add('B');
    calls.add('C');
    await settle();
    expect(calls.began).toEqual(['A', 'B']);
    await calls.end('A');
    expect(calls.began).toEqual(['A', 'B', 'C']);
  });

  it('gives each line its turn, however long another is', async () => {
    const calls = watched({ altogether: { ...MANY, atOnce: 1 } });
    calls.add('long', 6);
    await settle();
    calls.add('B', 2);
    calls.add('C', 2);
    for (let nth = 0; nth < 9; nth++) await calls.end();
    expect(calls.began.join(' ')).toBe('long long B C long B C long long long');
  });

  it('leaves nothing waiting when calls throw before they are out', async () => {
    const lines = createThrottle({ perLine: { ...MANY, atOnce: 1 }, altogether: MANY });
    const broken = Array.from({ length: 3 }, () =>
      lines.run('A', () => {
        throw new Error('broken');
      }),
    );
    const results = await Promise.allSettled(broken);
    expect(results.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    expect(await lines.run('A', async () => 'fine')).toBe('fine');
  });
});

describe('how many calls there are in a second', () => {
  it('is what a line may have, from their end on; others do not wait for it', async () => {
    const calls = watched({ perLine: { ...MANY, perSecond: 2 } });
    calls.add('A', 5);
    calls.add('B');
    await settle();
    expect(calls.began).toEqual(['A', 'A', 'B']);
    await vi.advanceTimersByTimeAsync(400);
    await calls.end('A');
    await vi.advanceTimersByTimeAsync(999);
    expect(calls.began).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(2);
    expect(calls.began).toEqual(['A', 'A', 'B', 'A']);
    await calls.end('A');
    await calls.fail(new Error('lost'), 'A');
    await vi.advanceTimersByTimeAsync(1_001);
    expect(calls.began).toHaveLength(6);
  });

  it('is what all lines together may have', async () => {
    const calls = watched({ altogether: { ...MANY, perSecond: 3 } });
    for (const name of ['A', 'B', 'C', 'D']) calls.add(name);
    await settle();
    await calls.end('A');
    expect(calls.began).toEqual(['A', 'B', 'C']);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(calls.began).toEqual(['A', 'B', 'C', 'D']);
  });

  it('counts on when the line was empty meanwhile', async () => {
    const calls = watched({ perLine: { ...MANY, perSecond: 2 } });
    calls.add('A', 2);
    await settle();
    await calls.end();
    await calls.end();
    calls.add('A');
    await settle();
    expect(calls.began).toHaveLength(2);
  });
});

describe('after a 429', () => {
  it('its line waits for as long as the provider asked, and no other does', async () => {
    const calls = watched({ perLine: { ...MANY, atOnce: 1 } });
    calls.add('A', 3);
    calls.add('B', 2);
    await settle();
    await calls.fail(tooMany(3_000), 'A');
    await calls.end('B');
    expect(calls.began).toEqual(['A', 'B', 'B']);
    calls.add('A');
    await vi.advanceTimersByTimeAsync(2_999);
    expect(calls.began).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(2);
    expect(calls.began).toEqual(['A', 'B', 'B', 'A']);
  });

  it('it waits 1 s where the provider did not say, doubled each time in a row', async () => {
    const calls = watched({ perLine: { ...MANY, atOnce: 1 } });
    calls.add('A', 6);
    await settle();
    for (const [nth, waitMs] of [1_000, 2_000, 4_000].entries()) {
      await calls.fail(tooMany());
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      expect(calls.began).toHaveLength(nth + 1);
      await vi.advanceTimersByTimeAsync(2);
      expect(calls.began).toHaveLength(nth + 2);
    }
    await calls.end();
    await calls.fail(tooMany());
    await vi.advanceTimersByTimeAsync(1_001);
    expect(calls.began).toHaveLength(6);
  });

  it('those that were out with it do not lengthen the wait', async () => {
    const calls = watched({ perLine: { ...MANY, atOnce: 3 } });
    calls.add('A', 4);
    await settle();
    for (let nth = 0; nth < 3; nth++) await calls.fail(tooMany());
    await vi.advanceTimersByTimeAsync(1_001);
    expect(calls.began).toHaveLength(4);
  });

  it('the longest wait of several is kept', async () => {
    const calls = watched({ perLine: { ...MANY, atOnce: 2 } });
    calls.add('A', 3);
    await settle();
    await calls.fail(tooMany(4_000));
    await calls.fail(tooMany(1_000));
    await vi.advanceTimersByTimeAsync(3_999);
    expect(calls.began).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2);
    expect(calls.began).toHaveLength(3);
  });

  it('a long wait is left to the callers: told at once how long, and nobody is asked', async () => {
    const calls = watched({ perLine: { ...MANY, atOnce: 1 } });
    calls.add('A', 2);
    await settle();
    await calls.fail(tooMany(60_000));
    expect(calls.ended).toHaveLength(2);

    await vi.advanceTimersByTimeAsync(20_000);
    const lines = createThrottle({ perLine: MANY, altogether: MANY });
    await lines.run('A', () => Promise.reject(tooMany(60_000))).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    const asked = vi.fn(async () => 'answer');
    const refused: unknown = await lines.run('A', asked).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 429, isTransient: true, retryAfterMs: 40_000 });
    expect(asked).not.toHaveBeenCalled();

    await vi.advanceTimersByTimeAsync(36_000);
    const last = lines.run('A', asked);
    await vi.advanceTimersByTimeAsync(4_001);
    expect(await last).toBe('answer');
  });

  it('other errors make nobody wait', async () => {
    const calls = watched({ perLine: { ...MANY, atOnce: 1 } });
    calls.add('A', 3);
    await settle();
    await calls.fail(new ProviderError('beta answered 503.', 503, { retryAfterMs: 9_000 }));
    await calls.fail(new ProviderError('beta could not be reached.', null));
    expect(calls.began).toHaveLength(3);
  });
});
