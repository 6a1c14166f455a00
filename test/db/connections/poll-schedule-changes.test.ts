import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import * as changes from '../../../db/connections/poll-schedule-changes.ts';
import { ConnectionId } from '../../../domain/ids.ts';
import { aTenant, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { connectTo } from '../../support/leased-connection.ts';

const database = await useDatabase();
const { db } = database;
const [one, two] = [ConnectionId.parse(randomUUID()), ConnectionId.parse(randomUUID())];
beforeEach(() => db('poll_schedule_changes').delete());

const dueIds = async () => (await changes.listDue(db, 10)).map(({ id }) => id);
/** What a trigger does. */
const note = (id: ConnectionId) =>
  db.raw(
    `insert into poll_schedule_changes (connection_id) values (:id)
     on conflict (connection_id) do update
       set changed_at = excluded.changed_at, due_at = excluded.due_at`,
    { id },
  );

it('lists the longest due first, up to a limit', async () => {
  await changes.insertAll(db, [one]);
  await changes.insertAll(db, [two]);
  expect(await dueIds()).toEqual([one, two]);
  expect(await changes.listDue(db, 1)).toMatchObject([{ id: one }]);
});

it('a change that is made is gone, and one made meanwhile stays', async () => {
  await changes.insertAll(db, [one, two]);
  const due = await changes.listDue(db, 10);
  await note(two);
  for (const change of due) await changes.close(db, change);
  expect(await dueIds()).toEqual([two]);
});

it('waits for a change that is being committed, and keeps it', async () => {
  await changes.insertAll(db, [one]);
  const listed = required((await changes.listDue(db, 1))[0]);
  const tx = await db.transaction();
  await tx.raw(
    `insert into poll_schedule_changes (connection_id) values (?)
     on conflict (connection_id) do update set changed_at = excluded.changed_at`,
    [one],
  );
  const closing = changes.close(db, listed);
  await tx.commit();
  await closing;
  expect(await dueIds()).toEqual([one]);
});

it('a failed one is due again in a minute, or at once when it changes', async () => {
  await changes.insertAll(db, [one]);
  await changes.postpone(db, required((await changes.listDue(db, 1))[0]));
  expect(await dueIds()).toEqual([]);
  await changes.insertAll(db, [one]);
  expect(await dueIds()).toEqual([]);
  await note(one);
  expect(await dueIds()).toEqual([one]);
});

it('notes what changes about a connection that matters, whoever changes it', async () => {
  const id = await connectTo(db, await aTenant(db));
  const settle = async () => {
    const due = await changes.listDue(db, 10);
    for (const change of due) await changes.close(db, change);
    return due.map((change) => change.id);
  };
  expect(await settle()).toEqual([id]);
  const refused = { lastError: 'refused', needsReconnectSince: new Date() };
  const disconnected = { status: 'disconnected' };
  const works = { lastError: null, needsReconnectSince: null };
  const due: number[] = [];
  for (const values of [
    refused,
    { ...refused, needsReconnectSince: new Date() },
    { sealedAccessToken: 'new' },
    works,
    disconnected,
    disconnected,
  ]) {
    await db('pos_connections').where({ id }).update(values);
    due.push((await settle()).length);
  }
  expect(due).toEqual([1, 0, 0, 1, 1, 0]);
});
