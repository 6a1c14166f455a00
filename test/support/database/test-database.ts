import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Db } from '../../../db/connection.ts';
import { OWNER } from '../../../sandbox/postgres/roles.ts';
import { openDatabases } from './open-databases.ts';
import { type DatabaseUrls, TEMPLATE_DATABASE } from './postgres.ts';

export type TestDatabase = {
  /** Connected as the service's role. */
  db: Db;
  url: string;
  /** Connected as the owner of the schema, which may do what the service may not. */
  owner: Db;
  ownerUrl: string;
  close(): Promise<void>;
};

export type VerifiedDatabase = TestDatabase & {
  /** Verifies the ledger a last time, before a test breaks it on purpose. */
  endVerification(): Promise<void>;
};

/** Creates a migrated database without rows. To be closed, which verifies its ledger. */
export async function createTestDatabase(): Promise<VerifiedDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const database = await createDatabaseFrom(TEMPLATE_DATABASE, name);
  const { db } = database;
  openDatabases.add(db);
  const endVerification = async () => {
    // Files without a database need not load what verifies one.
    const { expectWhole } = await import('./ledger-check.ts');
    if (openDatabases.delete(db)) await expectWhole(db);
  };
  return {
    ...database,
    endVerification,
    async close() {
      try {
        await endVerification();
      } finally {
        await database.close();
      }
    },
  };
}

/** Creates a migrated database whose ledger is not verified: its rows need not be whole. */
export async function createUnverifiedDatabase(): Promise<TestDatabase> {
  return createDatabaseFrom(TEMPLATE_DATABASE, `free_${randomUUID().replaceAll('-', '')}`);
}

/** Creates a database without tables. `close` it at the end of the test. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabaseFrom('template1', `empty_${randomUUID().replaceAll('-', '')}`);
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

/** Runs work as superuser, for changes to the server or to a role. */
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
