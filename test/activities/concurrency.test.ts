import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inBatches, inParallel } from '../../activities/concurrency.ts';

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

  it('begins no other once one has failed', async () => {
    const begun: number[] = [];
    const working = inParallel([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      await turn();
      if (item === 1) throw new Error('bad');
    });
    await expect(working).rejects.toThrow('bad');
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(begun).toEqual([1, 2]);
  });
});

describe('inBatches', () => {
  it.each([
    { left: 0, steps: 1, total: 0 },
    { left: 9, steps: 1, total: 9 },
    { left: 10, steps: 2, total: 10 },
    { left: 25, steps: 3, total: 25 },
    { left: 99, steps: 4, total: 40 },
  ])('of $left by tens, four times at most: $total in $steps steps', async (row) => {
    let { left } = row;
    let steps = 0;
    const total = await inBatches({ batch: 10, most: 4 }, async (batch) => {
      const done = Math.min(left, batch);
      left -= done;
      steps += 1;
      return done;
    });
    expect({ total, steps }).toEqual({ total: row.total, steps: row.steps });
  });
});
