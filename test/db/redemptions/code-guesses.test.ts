import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../db/connection.ts';
import * as guesses from '../../../db/redemptions/code-guesses.ts';
import type { UserId } from '../../../domain/ids.ts';
import { aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

let userId: UserId;
beforeEach(async () => {
  userId = await aUser(db, { role: 'pos_operator' });
});

const record = (hmac = randomBytes(32), of = db) => guesses.recordUnknown(of, userId, hmac);
const records = async (count: number) => {
  const blocked = [];
  for (let nth = 0; nth < count; nth++) blocked.push(await record());
  return blocked.filter((isBlocked) => isBlocked).length;
};
const row = () => db('code_guesses').where({ userId }).first();

describe('recordUnknown', () => {
  it('blocks by the thirtieth different one, for a minute, and counts anew', async () => {
    expect(await records(29)).toBe(0);
    expect(await guesses.secondsBlocked(db, userId)).toBe(0);
    expect(await record()).toBe(true);
    const seconds = await guesses.secondsBlocked(db, userId);
    expect(seconds).toBeGreaterThan(55);
    expect(seconds).toBeLessThanOrEqual(60);
    const { blockedUntil } = await row();
    expect(await records(29)).toBe(0);
    expect(await row()).toMatchObject({ blockedUntil });
  });

  it('counts a repeated one once, by its latest time', async () => {
    const hmac = randomBytes(32);
    await records(28);
    for (let time = 0; time < 5; time++) expect(await record(hmac)).toBe(false);
    expect(await record()).toBe(true);
  });

  it('forgets those that are ten minutes old', async () => {
    await records(29);
    const older = `(select jsonb_object_agg(key, value::numeric - 600) from jsonb_each(codes))`;
    await db('code_guesses')
      .where({ userId })
      .update({ codes: db.raw(older) });
    expect(await record()).toBe(false);
    expect(Object.keys((await row()).codes)).toHaveLength(1);
  });

  it('blocks once when thirty are tried at once, from two processes', async () => {
    const other = connect(database.url, 5, 'loyalty-test-other');
    const tried = Array.from({ length: 30 }, (_, nth) =>
      record(randomBytes(32), nth % 2 === 0 ? db : other),
    );
    const blocked = await Promise.all(tried);
    await other.destroy();
    expect(blocked.filter((isBlocked) => isBlocked)).toHaveLength(1);
  });

  it('stores no code, only its HMAC', async () => {
    await record(Buffer.alloc(32, 7));
    expect(Object.keys((await row()).codes)).toEqual(['07'.repeat(32)]);
  });
});

describe('forget', () => {
  it('counts anew, and does not end a block', async () => {
    await records(29);
    await db.transaction((tx) => guesses.forget(tx, userId));
    expect(await records(29)).toBe(0);
    await record();
    await db.transaction((tx) => guesses.forget(tx, userId));
    expect(await guesses.secondsBlocked(db, userId)).toBeGreaterThan(0);
  });
});
