import { describe, expect, it } from 'vitest';
import { runTogether } from '../../worker/run-together.ts';

/** A worker that runs until the end, and then takes a moment to finish. */
function aWorker(finished: string[], name: string) {
  return {
    async runUntil<R>(end: Promise<R> | (() => Promise<R>)): Promise<R> {
      const result = await (typeof end === 'function' ? end() : end);
      await Promise.resolve();
      finished.push(name);
      return result;
    },
  };
}
const broken = { runUntil: () => Promise.reject(new Error('The worker failed.')) };
const never = new Promise<void>(() => undefined);

describe('runTogether', () => {
  it('runs all until the end, and lets each finish', async () => {
    const finished: string[] = [];
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const running = runTogether([aWorker(finished, 'one'), aWorker(finished, 'other')], ended);
    expect(finished).toEqual([]);
    end();
    expect(await running).toEqual([]);
    expect(finished.sort()).toEqual(['one', 'other']);
  });

  it('returns the error of a worker that is cut off after the end', async () => {
    const finished: string[] = [];
    const late = {
      async runUntil<R>(end: Promise<R> | (() => Promise<R>)): Promise<R> {
        await (typeof end === 'function' ? end() : end);
        throw new Error('It took too long.');
      },
    };
    const left = await runTogether([late, aWorker(finished, 'other')], Promise.resolve());
    expect(left).toEqual([new Error('It took too long.')]);
    expect(finished).toEqual(['other']);
  });

  it('stops the others when one fails, and throws its error', async () => {
    const finished: string[] = [];
    const workers = [aWorker(finished, 'one'), broken, aWorker(finished, 'other')];
    await expect(runTogether(workers, never)).rejects.toThrow('The worker failed.');
    expect(finished.sort()).toEqual(['one', 'other']);
  });
});
