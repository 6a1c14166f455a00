import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inParallel } from '../../activities/concurrency.ts';

describe('inParallel', () => {
  it('processes each item once, in order, with limited concurrency', async () => {
    const items = Array.from({ length: 20 }, (_, index) => index);
    const begun: number[] = [];
    const open = new Set<number>();
    let most = 0;
    await inParallel(items, 3, async (item) => {
      begun.push(item);
      open.add(item);
      most = Math.max(most, open.size);
      await turn();
      open.delete(item);
    });
    expect(begun).toEqual(items);
    expect(most).toBe(3);
  });

  it('resolves without items, and rejects with the error of the work', async () => {
    await inParallel([], 3, () => Promise.reject(new Error('never')));
    await expect(inParallel([1], 3, () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  });
});
