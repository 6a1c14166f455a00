import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Db } from '../../db/connection.ts';
import { TEMPLATE_DATABASE } from './servers.ts';

export type TestDatabase = { db: Db; url: string; close(): Promise<void> };

const opened = new Set<Db>();

/** A migrated, empty database of its own. `close` it in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await admin((db) => db.raw(`create database ${name} template ${TEMPLATE_DATABASE}`));
  const url = addressOf(name);
  const db = connect(url, 10, 'loyalty-test');
  opened.add(db);
  return {
    db,
    url,
    async close() {
      opened.delete(db);
      await db.destroy();
      await admin((other) => other.raw(`drop database ${name} with (force)`));
    },
  };
}

/** The databases this file has open: what is checked after each of its tests. */
export function openDatabases(): Db[] {
  return [...opened];
}

async function admin(work: (db: Db) => PromiseLike<unknown>): Promise<void> {
  const db = connect(addressOf('postgres'), 1, 'loyalty-test-admin');
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

function addressOf(name: string): string {
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}
