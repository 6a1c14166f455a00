import { describe, expect, it } from 'vitest';
import { isolate, throwIfUnwell } from '../../activities/isolate.ts';
import { connect } from '../../db/connection.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();

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

  it('halves a batch that is refused, and refuses only the bad item', async () => {
    const { work, calls } = workThatRefuses([2]);
    expect(await isolate([1, 2, 3, 4], work, refused)).toEqual(['1', '2 refused', '3+4']);
    expect(calls).toEqual([[1, 2, 3, 4], [1, 2], [1], [2], [3, 4]]);
  });

  it('finds one bad item of 500 with nineteen calls', async () => {
    const { work, calls } = workThatRefuses([77]);
    await isolate(
      Array.from({ length: 500 }, (_, nth) => nth),
      work,
      refused,
    );
    expect(calls.length).toBeLessThanOrEqual(19);
  });

  it('asks to leave out what is held after a wait for a lock, and then halves', async () => {
    const calls: { items: readonly number[]; leavesHeld: boolean }[] = [];
    const work = async (items: readonly number[], leavesHeld: boolean) => {
      calls.push({ items, leavesHeld });
      if (!leavesHeld || items.includes(2)) throw databaseError('55P03');
      return items.join('+');
    };
    expect(await isolate([1, 2], work, refused)).toEqual(['1', '2 refused']);
    expect(calls).toEqual([
      { items: [1, 2], leavesHeld: false },
      { items: [1, 2], leavesHeld: true },
      { items: [1], leavesHeld: true },
      { items: [2], leavesHeld: true },
    ]);
  });

  it('halves a batch that takes longer than a statement may', async () => {
    const work = async (items: readonly number[]) => {
      if (items.length > 2) throw databaseError('57014');
      return items.join('+');
    };
    expect(await isolate([1, 2, 3, 4], work, refused)).toEqual(['1+2', '3+4']);
  });

  it('runs a refused batch of one item only once', async () => {
    const { work, calls } = workThatRefuses([7]);
    expect(await isolate([7], work, refused)).toEqual(['7 refused']);
    expect(calls).toEqual([[7]]);
  });

  it('isolates the item at fault after an error that is no database’s, too', async () => {
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

describe('throwIfUnwell', () => {
  it('throws a cancelled statement’s error while the database answers nothing else', async () => {
    const cancelled = databaseError('57014');
    const db = connect(database.url, 1, 'loyalty-test');
    try {
      await db.transaction(async () => {
        await expect(throwIfUnwell(db, cancelled)).rejects.toBe(cancelled);
        await throwIfUnwell(db, NUL_IN_TEXT);
      });
      await throwIfUnwell(db, cancelled);
    } finally {
      await db.destroy();
    }
  });
});
