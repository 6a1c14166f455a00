import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../../domain/installation.ts';
import { type Db, oneSession } from '../connection.ts';
import * as installation from '../installation.ts';
import { grantToService } from './grants.ts';
import { limitSessionWaits, type ReportProgress, retryOnLockTimeout } from './lock-retry.ts';
import {
  configOf,
  MIGRATIONS,
  type MigrationSource,
  sourceOf,
  stateOf,
} from './migration-files.ts';
import { type MigrationStep, type StepWatch, watchSteps } from './progress.ts';
import type { Watched } from './session-watch.ts';
import { updateStatistics } from './statistics.ts';

/*
 * What a migration may do. The previous release serves while it runs, and for a while after: expand
 * first, and contract one release later, only what no running release uses any more.
 *
 * - New tables, nullable columns, columns with a constant default. Old code writes rows without
 *   them, so new code must be able to read such rows. A migration that removes something needs
 *   `Contracts: …` in the file's comment, which says since which release it is unused.
 * - Nothing that holds a table's lock for long. Constraints are added `not valid` and validated by
 *   a later file that does only that. A table with rows gets its index by
 *   `create index concurrently`, in a file that says
 *   `export const config = { transaction: false }`, each statement on its own and after a
 *   `drop index concurrently if exists` of what a killed run has left. Rows are changed by the
 *   service, in batches, not by a migration.
 * - Foreign keys go one by one, since each drop locks two tables: in a file that says
 *   `export const config = { transaction: false, lockWaits: 'limited' }`, whose statements are each
 *   a `drop constraint if exists`, so that a run that is repeated passes those that are done. Where
 *   the service locks the other table first, so does the statement, in the same transaction.
 *
 * test/architecture/migration-rules.ts checks what it can of this.
 */

/** An arbitrary number, the same in every release. */
const LOCK_KEY = 6_402_317;
const ASK_AGAIN_MS = 250;

export type MigrateOptions = {
  /** The role that gets access to the schema, if it is not the schema's owner. */
  serviceRole?: string | undefined;
  /** What the database has to be for; a new one is made for production where nothing is said. */
  installation?: Installation;
  tell?: ReportProgress;
  /** Gets what it does, twice a second. */
  onStep?: ((step: MigrationStep) => void) | undefined;
  /** Gets how long each migration took, its waits for locks included. */
  onMigrated?: (name: string, seconds: number) => void;
  /** The folders of migrations, in the order in which they run; `migrations/` by default. */
  folders?: readonly URL[];
  /** How long locks are retried; five minutes by default. */
  patienceMs?: number;
};

/**
 * Migrates the schema while others use it, grants `serviceRole` its privileges, and updates the
 * planner's statistics. Returns the names of the migrations that ran; running it again, or several
 * times at once, changes nothing more. A migration that fails or is killed leaves nothing behind,
 * or only what it removes when it runs again; those before it stay. A schema of a newer release is
 * left as it is, so that the release before can be deployed again. Throws when it cannot get a
 * lock, and with instructions for a database from before the first release, or of another
 * installation.
 */
export async function migrate(db: Db, options: MigrateOptions = {}): Promise<string[]> {
  // A session's lock, since building an index concurrently cannot be part of a transaction.
  const session = oneSession(db);
  try {
    return await migrateIn({ session, db }, options);
  } finally {
    await session.destroy();
  }
}

async function migrateIn({ session, db }: Watched, options: MigrateOptions): Promise<string[]> {
  const {
    serviceRole,
    tell = () => undefined,
    folders = [MIGRATIONS],
    patienceMs,
    onStep,
    installation: kind,
  } = options;
  const migrationSource = sourceOf(folders);
  const names: string[] = [];
  const steps = await watchSteps({ session, db }, onStep);
  try {
    // Throws before it waits for anybody.
    await stateOf(db, migrationSource);
    if (kind !== undefined) installation.refuseAnother(await installation.find(db), kind);
    for (;;) {
      await untilAlone(session, tell);
      const { newer } = await stateOf(db, migrationSource);
      if (newer !== undefined) {
        tell(`The schema is of a newer release (${newer}); nothing to do.`);
        return names;
      }
      await limitSessionWaits(session, true);
      const begun = performance.now();
      const step = { session, migrationSource, serviceRole, kind, steps };
      const ran = await retryOnLockTimeout({ session, db, tell, patienceMs }, () => runNext(step));
      if (ran === undefined) break;
      names.push(ran);
      options.onMigrated?.(ran, (performance.now() - begun) / 1000);
    }
    // `analyze` waits for other sessions, but no statement of the service waits behind it.
    await limitSessionWaits(session, false);
    steps.begin({ name: 'statistics', nth: 1, of: 1 });
    await updateStatistics(session);
    await session.raw('select pg_advisory_unlock_all()');
  } finally {
    await steps.stop();
  }
  return names;
}

type Step = {
  session: Db;
  migrationSource: MigrationSource;
  serviceRole: string | undefined;
  kind: Installation | undefined;
  steps: StepWatch;
};

/** Runs the next migration and returns its name; undefined when there is none. */
async function runNext({ session, migrationSource, serviceRole, kind, steps }: Step) {
  const { next, config } = await session.transaction(async (tx) => {
    const [done, pending]: [unknown[], URL[]] = await tx.migrate.list({ migrationSource });
    const [next] = pending;
    const config = next === undefined ? {} : await configOf(migrationSource, next);
    if (next !== undefined) {
      const name = migrationSource.getMigrationName(next);
      steps.begin({ name, nth: done.length + 1, of: done.length + pending.length });
    }
    const isTransaction = config.transaction !== false;
    if (next !== undefined && isTransaction) await tx.migrate.up({ migrationSource });
    if (done.length === 0 && next !== undefined) {
      await installation.write(tx, kind ?? 'production');
    }
    // Commits a new table together with the service's access to it.
    if (serviceRole !== undefined) await grantToService(tx, serviceRole);
    return { next, config };
  });
  if (config.transaction === false) {
    // Building an index concurrently waits for old transactions, and nothing waits behind it, so
    // its wait has no limit.
    await limitSessionWaits(session, config.lockWaits === 'limited');
    await session.migrate.up({ migrationSource });
  }
  return next && migrationSource.getMigrationName(next);
}

/**
 * Waits until no one else migrates. It polls: an index that is built concurrently would wait for a
 * session that waits inside a statement.
 */
async function untilAlone(session: Db, tell: ReportProgress): Promise<void> {
  // The statement timeout is meant for the service's requests, not for building an index.
  await session.raw('set statement_timeout = 0');
  for (let asked = 0; ; asked++) {
    const { rows } = await session.raw<{ rows: { mine: boolean }[] }>(
      // One word, since knex turns the conversion of names off while it migrates.
      'select pg_try_advisory_lock(:key) as mine',
      { key: LOCK_KEY },
    );
    if (rows[0]?.mine) break;
    if (asked === 0) tell('Waiting for another migration to finish.');
    await sleep(ASK_AGAIN_MS);
  }
  // Knex has a lock of its own, in a row. Since we hold ours, only a killed run can have left it.
  await session.migrate.forceFreeMigrationsLock();
}
