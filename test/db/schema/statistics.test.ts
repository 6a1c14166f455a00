import { describe, expect, it } from 'vitest';
import { updateStatistics } from '../../../db/schema/statistics.ts';
import { aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db, owner } = database;

async function rowsOf(table: string): Promise<number> {
  const { rows } = await owner.raw<{ rows: { reltuples: number }[] }>(
    'select reltuples from pg_class where oid = :table::regclass',
    { table },
  );
  return rows[0]?.reltuples ?? 0;
}

describe('the statistics of a table', () => {
  it('without rows are unknown, so that Postgres expects some', async () => {
    expect(await rowsOf('wallets')).toBe(-1);
    await owner.raw('analyze');
    expect(await rowsOf('wallets')).toBe(0);
    await updateStatistics(owner);
    expect(await rowsOf('wallets')).toBe(-1);
  });

  it('with rows are up to date', async () => {
    await aUser(db);
    await updateStatistics(owner);
    expect(await rowsOf('users')).toBe(1);
  });
});
