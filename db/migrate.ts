import { readdir } from 'node:fs/promises';
import type { Knex } from 'knex';
import type { Db } from './connection.ts';

const FOLDER = new URL('../migrations/', import.meta.url);

/**
 * Brings the schema up to date and lets the planner look at it. Returns the names of the migrations
 * that ran; running it again, or twice at once, changes nothing more.
 */
export async function migrate(db: Db): Promise<string[]> {
  const [, names]: [number, string[]] = await db.migrate.latest({ migrationSource });
  // A plan made while the tables were unknown to the planner would scan them for ever.
  await db.raw('analyze');
  return names;
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
