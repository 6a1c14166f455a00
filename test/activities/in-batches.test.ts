import { describe, expect, it } from 'vitest';
import { inBatches } from '../../activities/in-batches.ts';

describe('inBatches', () => {
  it.each([
    { left: 0, steps: 1, total: 0 },
    { left: 9, steps: 1, total: 9 },
    { left: 10, steps: 2, total: 10 },
    { left: 25, steps: 3, total: 25 },
    { left: 99, steps: 4, total: 40 },
  ])('processes $total of $left items in $steps steps', async (row) => {
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
