import { describe, expect, it } from 'vitest';
import { ticksOf } from '../../web/portal/ticks.ts';

describe('ticksOf', () => {
  it.each([
    [0, [0]],
    [-5, [0]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [47, [0, 20, 40, 60]],
    [1_787, [0, 500, 1_000, 1_500, 2_000]],
    [120_000, [0, 50_000, 100_000, 150_000]],
  ])('of %d are round, few, and none twice: %j', (most, ticks) => {
    expect(ticksOf(most)).toEqual(ticks);
  });
});
