import { describe, expect, it } from 'vitest';
import { runTogether } from '../../worker/run-together.ts';

/** A worker as far as this is concerned: it runs until it is told, and then takes a moment. */
function aWorker(told: string[], name: string) {
  return {
    async runUntil<R>(end: Promise<R> | (() => Promise<R>)): Promise<R> {
      const result = await (typeof end === 'function' ? end() : end);
      await Promise.resolve();
      told.push(name);
      return result;
    },
  };
}
const broken = { runUntil: () => Promise.reject(new Error('The worker broke down.')) };
const never = new Promise<void>(() => undefined);

describe('runTogether', () => {
  it('runs all until the end, and each finishes', async () => {
    const told: string[] = [];
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const running = runTogether([aWorker(told, 'one'), aWorker(told, 'other')], ended);
    expect(told).toEqual([]);
    end();
    await running;
    expect(told.sort()).toEqual(['one', 'other']);
  });

  it('stops the others when one breaks down, and throws its error', async () => {
    const told: string[] = [];
    const workers = [aWorker(told, 'one'), broken, aWorker(told, 'other')];
    await expect(runTogether(workers, never)).rejects.toThrow('The worker broke down.');
    expect(told.sort()).toEqual(['one', 'other']);
  });
});
