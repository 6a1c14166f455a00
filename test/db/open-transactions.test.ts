import { expect, it } from 'vitest';
import { untilReadersEnd } from '../../db/open-transactions.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();
const { db, owner } = database;

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
