import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type Db, oneSession } from '../connection.ts';
import { grantToService } from './grants.ts';
import { limitLockWaits, type Progress, retryOnLockTimeout } from './lock-retry.ts';

/*
 * What a migration may do. The release before goes on serving while it runs, and for a while after:
 * expand first, and contract only what no release that still runs uses, so one release later.
 *
 * - New tables, nullable columns, columns with a constant default. Old code writes without them, so
 *   new code must read a row that it wrote. What is taken away needs `Contracts: …` in the file's
 *   comment, saying since which release nobody uses it.
 * - Nothing that takes long while it holds a table's lock. Constraints are added `not valid` and
 *   validated by a later file that does only that. A table that has rows gets its index by
 *   `create index concurrently`, in a file that says `export const config = { transaction: false }`,
 *   each statement by itself and after a `drop index concurrently if exists` of what a killed run
 *   has left. Rows are changed by the service, a batch at a time, not by a migration.
 *
 * test/architecture/migration-rules.ts looks for what it can of this.
 */

const FOLDER = new URL('../../migrations/', import.meta.url);

/** Any number will do, as long as every release knows the same. */
const LOCK_KEY = 6_402_317;
const ASK_AGAIN_MS = 250;

export type MigrateOptions = {
  /** Whom to let work with the schema, where that is not its owner. */
  serviceRole?: string | undefined;
  tell?: Progress;
  /** Where migrations are, in the order in which they run; ours unless it says otherwise. */
  folders?: readonly URL[];
  /** For how long locks are asked for; five minutes unless it says otherwise. */
  patienceMs?: number;
};

/**
 * Brings the schema up to date while others work with it, lets `serviceRole` work with it, and lets
 * the planner look at it. Returns the names of the migrations that ran; running it again, or several
 * times at once, changes nothing more. One that fails or is killed leaves nothing of itself behind,
 * or what it clears away when it runs again; those before it stay. Throws when a lock cannot be had.
 */
export async function migrate(db: Db, options: MigrateOptions = {}): Promise<string[]> {
  const { serviceRole, tell = () => undefined, folders = [FOLDER], patienceMs } = options;
  const migrationSource = sourceOf(folders);
  // The lock is the session's, since an index that is built concurrently cannot be in a transaction.
  const session = oneSession(db);
  const names: string[] = [];
  try {
    for (;;) {
      await untilAlone(session, tell);
      await limitLockWaits(session, true);
      const step = { session, migrationSource, serviceRole };
      const ran = await retryOnLockTimeout({ session, db, tell, patienceMs }, () => runNext(step));
      if (ran === undefined) break;
      names.push(ran);
    }
    // It waits behind others, but nobody behind it.
    await limitLockWaits(session, false);
    // A plan made while the tables were unknown to the planner would scan them for ever.
    await session.raw('analyze');
    await session.raw('select pg_advisory_unlock_all()');
  } finally {
    await session.destroy();
  }
  return names;
}

type Source = Knex.MigrationSource<URL>;
type Config = { transaction?: boolean };
type Step = { session: Db; migrationSource: Source; serviceRole: string | undefined };

/** Runs the next migration and returns its name; undefined when there was none. */
async function runNext({ session, migrationSource, serviceRole }: Step) {
  const { next, isDone } = await session.transaction(async (tx) => {
    const [, [next]]: [unknown, URL[]] = await tx.migrate.list({ migrationSource });
    const isDone = next === undefined || !(await isWithoutTransaction(migrationSource, next));
    if (next !== undefined && isDone) await tx.migrate.up({ migrationSource });
    // A new table and the service's access to it appear at the same moment.
    if (serviceRole !== undefined) await grantToService(tx, serviceRole);
    return { next, isDone };
  });
  if (!isDone) {
    // Nobody waits behind one who builds an index concurrently, which waits for old transactions.
    await limitLockWaits(session, false);
    await session.migrate.up({ migrationSource });
  }
  return next && migrationSource.getMigrationName(next);
}

async function isWithoutTransaction(source: Source, file: URL): Promise<boolean> {
  const migration: Knex.Migration & { config?: Config } = await source.getMigration(file);
  return migration.config?.transaction === false;
}

/**
 * Waits until nobody else migrates. It asks again and again: one that waited inside a statement
 * would be waited for by an index that is built concurrently.
 */
async function untilAlone(session: Db, tell: Progress): Promise<void> {
  // The service's limit on a statement is meant for its requests, not for building an index.
  await session.raw('set statement_timeout = 0');
  for (let asked = 0; ; asked++) {
    const { rows } = await session.raw<{ rows: { mine: boolean }[] }>(
      // Knex turns the conversion of names off.
      'select pg_try_advisory_lock(:key) as mine',
      { key: LOCK_KEY },
    );
    if (rows[0]?.mine) break;
    if (asked === 0) tell('Waiting for somebody else who migrates.');
    await sleep(ASK_AGAIN_MS);
  }
  // Knex has a lock of its own, in a row. Held by nobody who lives: a killed run has left it.
  await session.migrate.forceFreeMigrationsLock();
}

// Names carry no file extension, so that a database migrated from sources accepts a compiled build.
function sourceOf(folders: readonly URL[]): Source {
  return {
    async getMigrations() {
      const found = await Promise.all(folders.map(filesIn));
      return found.flat();
    },
    getMigrationName: (file) => basename(file.pathname).replace(/\.[jt]s$/, ''),
    getMigration: async (file) => await import(file.href),
  };
}

async function filesIn(folder: URL): Promise<URL[]> {
  const files = await readdir(folder);
  const migrations = files.filter((file) => /^\d{4}_\w+\.[jt]s$/.test(file)).sort();
  return migrations.map((file) => new URL(file, folder));
}
