import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Db } from '../../db/connection.ts';
import { OWNER } from '../../sandbox/postgres/roles.ts';
import { type DatabaseUrls, TEMPLATE_DATABASE } from './servers.ts';

export type TestDatabase = {
  /** As the service sees it. */
  db: Db;
  url: string;
  /** As the owner of the schema, who can do what the service cannot. */
  owner: Db;
  ownerUrl: string;
  close(): Promise<void>;
};

const opened = new Set<Db>();

/** A migrated, empty database of its own. `close` it in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const database = await createDatabaseFrom(TEMPLATE_DATABASE, name);
  const { db } = database;
  opened.add(db);
  return {
    ...database,
    async close() {
      opened.delete(db);
      await database.close();
    },
  };
}

/** A database without anything in it. `close` it when the test is over. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabaseFrom('template1', `empty_${randomUUID().replaceAll('-', '')}`);
}

/** The databases this file has open: what is checked after each of its tests. */
export function openDatabases(): Db[] {
  return [...opened];
}

async function createDatabaseFrom(template: string, name: string): Promise<TestDatabase> {
  await asSuperuser((db) => db.raw(`create database ${name} template ${template} owner ${OWNER}`));
  const [url, ownerUrl] = [addressOf('service', name), addressOf('owner', name)];
  const db = connect(url, 10, 'loyalty-test');
  const owner = connect(ownerUrl, 2, 'loyalty-test-owner');
  return {
    db,
    url,
    owner,
    ownerUrl,
    async close() {
      await owner.destroy();
      await db.destroy();
      await asSuperuser((other) => other.raw(`drop database ${name} with (force)`));
    },
  };
}

/** Does what not even the owner may: to the server, or to a role. */
export async function asSuperuser(work: (db: Db) => PromiseLike<unknown>): Promise<void> {
  const db = connect(addressOf('superuser', 'postgres'), 1, 'loyalty-test-admin');
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

function addressOf(role: keyof DatabaseUrls, name: string): string {
  const url = new URL(inject('databaseUrls')[role]);
  url.pathname = `/${name}`;
  return url.href;
}
