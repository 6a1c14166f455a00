import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCallShares } from '../../db/call-shares.ts';
import { useDatabase } from '../support/fixtures.ts';

const { db } = await useDatabase();

/** Processes that share ten units. */
function processes(count: number) {
  const name = randomUUID();
  const each = Array.from({ length: count }, () => createCallShares(db));
  const take = async (nth: number, wants: number, keeps = 0) =>
    (await each[nth]?.take([{ name, size: 10, keeps, wants }]))?.[0];
  return { name, take };
}

describe('the units of a limit', () => {
  it('are all of the only process that wants them', async () => {
    const { take } = processes(1);
    expect([await take(0, 4), await take(0, 10), await take(0, 15)]).toEqual([4, 10, 10]);
  });

  it('are divided evenly once the first has given back what it does not use', async () => {
    const { take } = processes(2);
    expect(await take(0, 10)).toBe(10);
    expect(await take(1, 10)).toBe(0);
    // It begins no call that would be its sixth, and still has what its seven use.
    expect(await take(0, 10, 7)).toBe(5);
    expect(await take(1, 10)).toBe(3);
    expect(await take(0, 10, 2)).toBe(5);
    expect(await take(1, 10, 3)).toBe(5);
  });

  it('that one does not want are the others’', async () => {
    const { take } = processes(3);
    expect([await take(0, 1), await take(1, 10), await take(2, 10)]).toEqual([1, 9, 0]);
    expect([await take(1, 10, 4), await take(2, 10)]).toEqual([6, 3]);
  });

  it('are one each at least while there are any, also for more processes than units', async () => {
    const { take } = processes(12);
    const had = [];
    for (let nth = 0; nth < 12; nth++) had.push(await take(nth, 1));
    expect(had).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
    expect(await take(0, 0)).toBe(0);
    expect(await take(11, 1)).toBe(1);
  });

  it('of a killed process are free when its lease ends', async () => {
    const { name, take } = processes(2);
    await take(0, 10);
    expect(await take(1, 10)).toBe(0);
    await db('call_shares').where({ name }).update({ endsAt: db.fn.now() });
    expect(await take(1, 10)).toBe(10);
  });

  it('are never more than there are, however many ask at the same moment', async () => {
    const { name, take } = processes(8);
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 8 }, (_, nth) => take(nth, (nth * 7 + round) % 11)));
      const units: number[] = await db('call_shares').where({ name }).pluck('units');
      expect(units.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(10);
    }
  });

  it('of several limits are taken at once, in the order in which they are asked for', async () => {
    const shares = createCallShares(db);
    const [b, a] = [`b${randomUUID()}`, `a${randomUUID()}`];
    const wanted = [
      { name: b, size: 5, keeps: 0, wants: 2 },
      { name: a, size: 10, keeps: 0, wants: 7 },
    ];
    expect(await shares.take(wanted)).toEqual([2, 7]);
  });
});

describe('a process that always has calls waiting', () => {
  it('gives others their part as its calls end', async () => {
    const { take } = processes(4);
    expect(await take(0, 10)).toBe(10);
    for (const nth of [1, 2, 3]) expect(await take(nth, 10)).toBe(0);
    // All ten are in use; it may begin a call again once six of them have ended.
    expect(await take(0, 10, 10)).toBe(4);
    expect(await take(0, 10, 4)).toBe(4);
    expect([await take(1, 10), await take(2, 10), await take(3, 10)]).toEqual([2, 2, 2]);
  });
});
