import { readdir } from 'node:fs/promises';
import type { Knex } from 'knex';
import type { Db, Tx } from './connection.ts';
import { grantToService } from './grants.ts';

const FOLDER = new URL('../migrations/', import.meta.url);

/** Any number will do, as long as every release knows the same. */
const LOCK_KEY = 6_402_317;

/**
 * Brings the schema up to date, lets `serviceRole` work with it where that is not its owner, and lets
 * the planner look at it. Returns the names of the migrations that ran; running it again, or several
 * times at once, changes nothing more. One that fails or is killed leaves nothing behind.
 */
export async function migrate(
  db: Db,
  { serviceRole }: { serviceRole?: string | undefined } = {},
): Promise<string[]> {
  // Knex turns off the conversion of names for itself, and in a transaction for everybody else too.
  const own = db.withUserParams({});
  const names = await own.transaction(async (tx) => {
    await waitAsLongAsItTakes(tx);
    // Knex locks a table of its own, which on an empty database several would make at once.
    await tx.raw('select pg_advisory_xact_lock(:key)', { key: LOCK_KEY });
    const [, ran]: [number, string[]] = await tx.migrate.latest({ migrationSource });
    // A new table and the service's access to it appear at the same moment.
    if (serviceRole !== undefined) await grantToService(tx, serviceRole);
    return ran;
  });
  await db.transaction(async (tx) => {
    await waitAsLongAsItTakes(tx);
    // A plan made while the tables were unknown to the planner would scan them for ever.
    await tx.raw('analyze');
  });
  return names;
}

/** The service's limit on a statement is meant for its requests, not for building an index. */
async function waitAsLongAsItTakes(tx: Tx): Promise<void> {
  await tx.raw('set local statement_timeout = 0');
}

// Names carry no file extension, so that a database migrated from sources accepts a compiled build.
const migrationSource: Knex.MigrationSource<string> = {
  async getMigrations() {
    const files = await readdir(FOLDER);
    return files.filter((file) => /^\d{4}_\w+\.[jt]s$/.test(file)).sort();
  },
  getMigrationName: (file) => file.replace(/\.[jt]s$/, ''),
  getMigration: async (file) => await import(new URL(file, FOLDER).href),
};
