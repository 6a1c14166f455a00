import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { limitedTo, withinMs } from '../../gateways/timing.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

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

  it('rejects with the given message when it takes too long', async () => {
    await expect(withinMs(never, 5)).rejects.toThrow('There was no result within 5 ms.');
    const message = 'Temporal did not answer in time.';
    await expect(withinMs(never, 5, { message })).rejects.toThrow(message);
  });

  it('ignores a late result', async () => {
    let fail: (error: Error) => void = () => undefined;
    const late = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(withinMs(late, 5)).rejects.toThrow('no result');
    // An unhandled rejection would fail the test run.
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('rejects as soon as the signal is aborted, also before the call', async () => {
    const before = timers();
    const stop = new AbortController();
    const waiting = withinMs(never, 60_000, { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(withinMs(never, 60_000, { signal: stop.signal })).rejects.toThrow();
    expect(timers()).toBe(before);
  });
});

describe('limitedTo', () => {
  it('ends in time, also when garbage was collected meanwhile', async () => {
    const { signal } = new AbortController();
    const limit = limitedTo(200, signal);
    const ended = once(limit, 'abort');
    await collectGarbage();
    await ended;
    expect(limit.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('ends with the signal that it was given', () => {
    const stop = new AbortController();
    const limit = limitedTo(60_000, stop.signal);
    stop.abort(new Error('stopped'));
    expect(limit.reason).toEqual(new Error('stopped'));
  });
});
