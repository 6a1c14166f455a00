import { describe, expect, it } from 'vitest';
import { withinMs } from '../../gateways/timing.ts';

const never = new Promise<never>(() => undefined);
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('withinMs', () => {
  it('resolves and rejects as the promise does, and leaves no timer behind', async () => {
    const before = timers();
    expect(await withinMs(Promise.resolve('done'), 60_000)).toBe('done');
    const failure = new Error('failed');
    await expect(withinMs(Promise.reject(failure), 60_000)).rejects.toBe(failure);
    expect(timers()).toBe(before);
  });

  it('rejects when it takes too long, in the words that were given', async () => {
    await expect(withinMs(never, 5)).rejects.toThrow('There was no result within 5 ms.');
    const message = 'Temporal did not answer in time.';
    await expect(withinMs(never, 5, { message })).rejects.toThrow(message);
  });

  it('ignores what the promise does afterwards', async () => {
    let fail: (error: Error) => void = () => undefined;
    const late = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(withinMs(late, 5)).rejects.toThrow('no result');
    // Unhandled, this would fail the run of the tests.
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('rejects as soon as the signal is aborted, also before it began', async () => {
    const before = timers();
    const stop = new AbortController();
    const waiting = withinMs(never, 60_000, { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(withinMs(never, 60_000, { signal: stop.signal })).rejects.toThrow();
    expect(timers()).toBe(before);
  });
});
