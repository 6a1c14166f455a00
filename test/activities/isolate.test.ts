import { describe, expect, it } from 'vitest';
import { isolate } from '../../activities/isolate.ts';

/** A database error with this SQLSTATE, as pg throws it. */
const databaseError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });
const NUL_IN_TEXT = databaseError('22021');

/** Work that fails if any of its items is bad. */
function workThatRefuses(bad: readonly number[]) {
  const calls: number[][] = [];
  const work = async (items: readonly number[]) => {
    calls.push([...items]);
    if (items.some((item) => bad.includes(item))) throw NUL_IN_TEXT;
    return items.join('+');
  };
  return { work, calls };
}
const refused = async (item: number) => `${item} refused`;

describe('isolate', () => {
  it('runs the batch once when no item is refused', async () => {
    const { work, calls } = workThatRefuses([]);
    expect(await isolate([1, 2, 3], work, refused)).toEqual(['1+2+3']);
    expect(calls).toEqual([[1, 2, 3]]);
  });

  it('runs each item alone when the batch is refused, and refuses only the bad item', async () => {
    const { work, calls } = workThatRefuses([2]);
    expect(await isolate([1, 2, 3], work, refused)).toEqual(['1', '2 refused', '3']);
    expect(calls).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('runs a refused batch of one item only once', async () => {
    const { work, calls } = workThatRefuses([7]);
    expect(await isolate([7], work, refused)).toEqual(['7 refused']);
    expect(calls).toEqual([[7]]);
  });

  it('runs each item alone after an error that is no database’s, too', async () => {
    const bug = new TypeError('a bug in the decision about 2');
    const work = async (items: readonly number[]) => {
      if (items.includes(2)) throw bug;
      return items.join('+');
    };
    expect(await isolate([1, 2, 3], work, refused)).toEqual(['1', '2 refused', '3']);
  });

  it.each(['57P01', '40P01', '53300'])('throws %s, in the batch or later', async (state) => {
    const shutdown = databaseError(state);
    const work = async (items: readonly number[]) => {
      throw items.length > 1 ? NUL_IN_TEXT : shutdown;
    };
    await expect(isolate([1, 2], work, refused)).rejects.toBe(shutdown);
    await expect(isolate([1], work, refused)).rejects.toBe(shutdown);
  });
});
