import { expect, it } from 'vitest';
import { OLDEST_TRANSACTION, untilReadersEnd } from '../../db/open-transactions.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();
const { db, owner } = database;

it('finds when the oldest transaction began, and passes over other roles', async () => {
  const nowOf = async (tx: typeof db) => (await tx.raw('select now()::text as now')).rows[0].now;
  const oldest = async () =>
    (await db.raw(`select began::text from (${OLDEST_TRANSACTION}) oldest`)).rows[0].began;
  const [backup, open] = [await owner.transaction(), await db.transaction()];
  await nowOf(backup);
  const began = await nowOf(open);
  expect(await oldest()).toBe(began);
  await open.rollback();
  expect((await oldest()) > began).toBe(true);
  // Its own began now, exactly.
  const own = await db.transaction();
  const { rows } = await own.raw(`select began = now() as is_own from (${OLDEST_TRANSACTION}) o`);
  expect(rows).toEqual([{ isOwn: true }]);
  await Promise.all([own.rollback(), backup.rollback()]);
});

it('waits for the transactions that have read the table, and for no later one', async () => {
  const [reader, other] = [await db.transaction(), await db.transaction()];
  await reader('users').first('id');
  await other('payments').first('id');
  const ended = untilReadersEnd(db, 'users', 60_000);
  expect(await untilReadersEnd(db, 'users', 50)).toBe(false);

  const later = await db.transaction();
  await later('users').first('id');
  await reader.commit();
  expect(await ended).toBe(true);
  await Promise.all([later.rollback(), other.rollback()]);
});

it('does not wait for the reader of another table', async () => {
  const reader = await db.transaction();
  await reader('users').first('id');
  expect(await untilReadersEnd(db, 'tenants', 50)).toBe(true);
  await reader.rollback();
});

it('does not wait for another role, such as one that makes a backup', async () => {
  const backup = await owner.transaction();
  await backup('users').first('id');
  expect(await untilReadersEnd(db, 'users', 50)).toBe(true);
  await backup.rollback();
});
