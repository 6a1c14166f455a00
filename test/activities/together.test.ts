import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { together } from '../../activities/together.ts';

describe('what is asked together', () => {
  it('in one turn is answered by one call, each with its answer; later by another', async () => {
    const calls: (readonly number[])[] = [];
    const double = together(async (items: readonly number[]) => {
      calls.push(items);
      return items.map((item) => item * 2);
    });
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    await turn();
    expect(await double(4)).toBe(8);
    expect(calls).toEqual([[1, 2, 3], [4]]);
  });

  it('is asked again while the answers before are still to come', async () => {
    const calls: number[] = [];
    let goOn = () => {};
    const first = new Promise<void>((resolve) => (goOn = resolve));
    const same = together(async (items: readonly number[]) => {
      calls.push(items.length);
      if (calls.length === 1) await first;
      return items;
    });
    const one = same(1);
    await expect.poll(() => calls).toEqual([1]);
    expect(await same(2)).toBe(2);
    goOn();
    expect(await one).toBe(1);
  });

  it('fails for all who asked with it, and for nobody else', async () => {
    let isAway = true;
    const same = together(async (items: readonly number[]) => {
      if (isAway) throw new Error('away');
      return items;
    });
    const failed = await Promise.allSettled([same(1), same(2)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    expect(await same(3)).toBe(3);
  });
});
