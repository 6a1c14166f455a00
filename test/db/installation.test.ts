import { afterAll, describe, expect, it } from 'vitest';
import { connect, type Db } from '../../db/connection.ts';
import * as installation from '../../db/installation.ts';
import { migrate } from '../../db/schema/migrate.ts';
import { type Installation, installationOf } from '../../domain/installation.ts';
import {
  createEmptyDatabase,
  createUnverifiedDatabase,
} from '../support/database/test-database.ts';

const database = await createUnverifiedDatabase();
afterAll(() => database.close());

const SAYS = /of another installation \(test\), and this process is for (sandbox|production)/;

async function opened<T>(
  url: string,
  ours: Installation,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const db = connect({ url, installation: ours }, 2, 'loyalty-test');
  return work(db).finally(() => db.destroy());
}

describe('a database of the tests', () => {
  it.each(['sandbox', 'production'] as const)('refuses each connection for %s', async (ours) => {
    await opened(database.url, ours, async (db) => {
      await expect(db.raw('select 1')).rejects.toThrow(SAYS);
      await expect(installation.requireAtStart(db)).rejects.toThrow(SAYS);
    });
  });

  it('takes those of tests, and those that say nothing', async () => {
    await opened(database.url, 'test', (db) => installation.requireAtStart(db));
    expect(await installation.find(database.db)).toBe('test');
  });

  it('is not migrated for another, and not made another’s', async () => {
    await expect(migrate(database.owner, { installation: 'production' })).rejects.toThrow(SAYS);
    expect(await migrate(database.owner, { installation: 'test' })).toEqual([]);
    await database.owner.transaction((tx) => installation.write(tx, 'production'));
    expect(await installation.find(database.db)).toBe('test');
    const change = database.db('installation').update({ kind: 'production' });
    await expect(change).rejects.toThrow('permission denied');
  });
});

it('a new database is of production unless it is said, one without a schema of none', async () => {
  const empty = await createEmptyDatabase();
  try {
    await opened(empty.url, 'production', async (db) => {
      await expect(db.raw('select 1')).rejects.toThrow('run npm run migrate first');
      await migrate(empty.owner, { serviceRole: new URL(empty.url).username });
      await installation.requireAtStart(db);
    });
    await opened(empty.url, 'sandbox', async (db) => {
      await expect(installation.requireAtStart(db)).rejects.toThrow('(production)');
    });
  } finally {
    await empty.close();
  }
});

it('a database that does not answer is left to the requests', async () => {
  const away = 'postgres://ada@127.0.0.1:9/none';
  await opened(away, 'production', (db) => installation.requireAtStart(db));
});

it.each([
  ['sandbox', 'sandbox'],
  ['test', 'test'],
  ['production', 'production'],
  ['staging', 'production'],
  ['development', 'production'],
])('NODE_ENV=%s is of %s', (environment, kind) => {
  expect(installationOf(environment)).toBe(kind);
});
