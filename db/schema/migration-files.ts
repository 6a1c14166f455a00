import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Knex } from 'knex';
import type { Db } from '../connection.ts';

/** Where the migrations are. */
export const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** How a migration runs; by default in a transaction, with limited waits for locks. */
export type MigrationConfig = { transaction?: boolean; lockWaits?: 'limited' };
export type MigrationSource = Knex.MigrationSource<URL>;

/**
 * Returns the migrations of the folders, in the order in which they run. Names carry no file
 * extension, so that a database migrated from sources accepts a compiled build.
 */
export function sourceOf(folders: readonly URL[]): MigrationSource {
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

/** Returns how a migration runs. */
export async function configOf(source: MigrationSource, file: URL): Promise<MigrationConfig> {
  const migration: Knex.Migration & { config?: MigrationConfig } = await source.getMigration(file);
  return migration.config ?? {};
}

/** What a database has not had, and the last that it has had of a newer release, if any. */
export type SchemaState = { pending: URL[]; newer: string | undefined };

/**
 * Compares a database with the migrations. Throws when it has had some that were edited before the
 * first release, so that they cannot be continued, and when one of a newer release lacks some of
 * these.
 */
export async function stateOf(db: Db, source: MigrationSource): Promise<SchemaState> {
  const files = await source.getMigrations([]);
  const names = files.map((file) => source.getMigrationName(file));
  const had = await namesIn(db);
  const last = names.at(-1) ?? '';
  const gone = had.filter((name) => !names.includes(name) && name < last);
  if (gone.length > 0) {
    throw new Error(
      `The database was made before the first release, by migrations that are no more ` +
        `(${gone[0]}): start again with npm start -- --fresh, or with an empty database.`,
    );
  }
  const pending = files.filter((_, nth) => !had.includes(names[nth] ?? ''));
  const newer = had.filter((name) => name > last).at(-1);
  const [missing] = pending;
  if (newer !== undefined && missing !== undefined) {
    throw new Error(
      `The schema is of a newer release (${newer}) and lacks ` +
        `${source.getMigrationName(missing)}, which that release should have had: ` +
        'restore the database, or ask who migrated it.',
    );
  }
  return { pending, newer };
}

async function namesIn(db: Db): Promise<string[]> {
  const table = await db.raw<{ rows: unknown[] }>(
    `select from pg_class where oid = to_regclass('public.knex_migrations')`,
  );
  if (table.rows.length === 0) return [];
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    'select name from public.knex_migrations order by id',
  );
  return rows.map(({ name }) => name);
}
