import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import * as dueWork from '../../db/due-work.ts';
import { ConnectionId } from '../../domain/ids.ts';
import { required } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;
const KIND = 'read_account';
const [one, two] = [ConnectionId.parse(randomUUID()), ConnectionId.parse(randomUUID())];
beforeEach(() => db('due_work').delete());

const note = (...ids: ConnectionId[]) => dueWork.note(db, KIND, ids);
const take = (limit = 10) => dueWork.take(db, KIND, limit);
const takeOne = async () => required((await take(1))[0]);
const takenIds = async () => (await take()).map(({ id }) => id);
const passes = (seconds: number) =>
  db.raw(
    `update due_work set due_at = due_at - make_interval(secs => :seconds),
       taken_until = taken_until - make_interval(secs => :seconds)`,
    { seconds },
  );

it('is taken by one of many at once, the longest due first, and only as its own kind', async () => {
  await note(one);
  await note(two);
  expect(await dueWork.take(db, 'revoke_authorization', 10)).toEqual([]);
  expect((await takeOne()).id).toBe(one);
  const others = await Promise.all(Array.from({ length: 8 }, () => take()));
  expect(others.flat()).toMatchObject([{ id: two }]);
});

it('is noted from when it is due until it is done, also while it is taken', async () => {
  const noted = () => dueWork.isNoted(db, KIND, one);
  expect(await noted()).toBe(false);
  await note(one);
  expect(await noted()).toBe(true);
  expect(await dueWork.isNoted(db, KIND, two)).toBe(false);
  const item = await takeOne();
  expect(await noted()).toBe(true);
  await dueWork.finish(db, KIND, [item]);
  expect(await noted()).toBe(false);
});

it('is free again once who has taken it was silent for two minutes', async () => {
  await note(one);
  await takeOne();
  await passes(119);
  expect(await take()).toEqual([]);
  expect(await dueWork.isAnyDue(db)).toBe(false);
  await passes(1);
  expect(await dueWork.isAnyDue(db)).toBe(true);
  expect(await takenIds()).toEqual([one]);
});

it('is gone when it is done, unless it was noted again since it was taken', async () => {
  await note(one, two);
  const items = await take();
  await note(two);
  await dueWork.finish(db, KIND, items);
  expect(await db('due_work').pluck('subject_id')).toEqual([two]);
  expect(await takenIds()).toEqual([two]);
});

it('keeps what is noted while it is finished', async () => {
  await note(one);
  const item = await takeOne();
  const tx = await db.transaction();
  await dueWork.note(tx, KIND, [one]);
  const finishing = dueWork.finish(db, KIND, [item]);
  await tx.commit();
  await finishing;
  await passes(120);
  expect(await takenIds()).toEqual([one]);
});

it('is put off for longer after each failure, up to the longest', async () => {
  await note(one);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    const item = await takeOne();
    await dueWork.putOff(db, KIND, { item, backOff: { firstSeconds: 60, longestSeconds: 400 } });
    expect(await take()).toEqual([]);
    const { dueAt } = await db('due_work').first();
    waits.push(Math.round((Number(dueAt) - Date.now()) / 10_000) * 10);
    await passes(400);
  }
  expect(waits).toEqual([60, 120, 240, 400, 400]);
});

it('is due at once when it is noted while it is put off, or before that', async () => {
  const backOff = { firstSeconds: 60, longestSeconds: 60 };
  await note(one);
  await dueWork.putOff(db, KIND, { item: await takeOne(), backOff });
  await dueWork.noteIfMissing(db, KIND, [one]);
  expect(await take()).toEqual([]);
  await note(one);
  const item = await takeOne();
  await note(one);
  await dueWork.putOff(db, KIND, { item, backOff });
  expect(await takenIds()).toEqual([one]);
});

it('given back, it is due after the others, as if it had not been taken', async () => {
  await note(one);
  await note(two);
  await dueWork.giveBack(db, KIND, [await takeOne()]);
  expect(await db('due_work').where({ subjectId: one })).toMatchObject([{ attempts: 0 }]);
  expect(await takenIds()).toEqual([two, one]);
});

it('says for how long each kind is overdue, also what was taken by one that is gone', async () => {
  await note(one);
  await dueWork.note(db, 'update_poll_schedule', [two]);
  await takeOne();
  await passes(600);
  const late = await dueWork.overdue(db);
  expect(late).toMatchObject({ match_signup: 0, tell_of_change: 0 });
  expect(late.read_account).toBeGreaterThanOrEqual(600);
  expect(late.update_poll_schedule).toBeGreaterThanOrEqual(600);
});
