import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { connect } from '../../db/connection.ts';
import { migrate } from '../../db/schema/migrate.ts';
import {
  createDatabase,
  dropDatabase,
  type Postgres,
  startPostgres,
} from '../../sandbox/postgres/server.ts';
import { acquireLock } from '../../sandbox/processes/lock-file.ts';
import { cacheFolder } from '../releases.ts';
import { buildRows, lengthenHistory } from './build.ts';
import type { Size } from './sizes.ts';

// Built once and kept in the user's cache folder. A run works on copies of its databases.

type Log = (line: string) => void;

/** Where the built databases are, if any is needed, and the settings with which they are served. */
export type KeptData = { dataDir?: string; settings: Readonly<Record<string, string>> };

/**
 * As a server of this size is usually set; the defaults are for a quarter of a gigabyte. Logged
 * pages are not compressed: the embedded Postgres only has pglz, which takes the processor longer
 * than the credits do. lz4, which the compose file sets, takes a fifteenth of that.
 */
const SETTINGS = { shared_buffers: '2GB', max_wal_size: '4GB' } as const;

/** A built database depends on these files. It is built again when one of them has changed. */
const SOURCES = [
  'sizes.ts',
  'row-functions.ts',
  'rows.ts',
  'payment-rows.ts',
  'event-rows.ts',
  'build.ts',
  '../../migrations/schema.sql',
];

/**
 * Builds those of the databases that are not there, removes those of other versions of the schema,
 * and returns where they are.
 */
export async function keepData(sizes: readonly Size[], scale: number, log: Log): Promise<KeptData> {
  if (sizes.length === 0) return { settings: SETTINGS };
  const root = join(cacheFolder(), 'data');
  const version = versionOfData();
  await removeStale(root, version, log);
  const folder = join(root, `${version}-scale${scale}`);
  const missing = sizes.filter((size) => !existsSync(doneFile(folder, size)));
  log(`${missing.length > 0 ? 'Building' : 'Using the'} data in ${folder}, which is kept for the`);
  log('next time; delete it to free the space or to build it again');
  const kept = { dataDir: join(folder, 'postgres'), settings: SETTINGS };
  if (missing.length === 0) return kept;
  await build(kept.dataDir, async (postgres) => {
    for (const size of missing) {
      // One that was begun and not completed.
      await dropDatabase(postgres, size.name);
      await buildDatabase(postgres, size, log);
      await writeFile(doneFile(folder, size), '');
    }
  });
  return kept;
}

async function build(dataDir: string, work: (postgres: Postgres) => Promise<void>): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true });
  // The server ends with the process, which a signal alone would not let it notice.
  const stop = () => process.exit(130);
  for (const signal of SIGNALS) process.once(signal, stop);
  const postgres = await startPostgres({ dataDir, settings: BUILD_SETTINGS });
  try {
    await work(postgres);
  } finally {
    await postgres.stop();
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Nothing has to survive a crash: a build that did not end is begun again. */
const BUILD_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  shared_buffers: '1GB',
  autovacuum: 'off',
} as const;

async function buildDatabase(postgres: Postgres, size: Size, log: Log): Promise<void> {
  await createDatabase(postgres, size.name);
  const url = postgres.url(size.name);
  const db = connect(url, 1, 'loyalty-bench');
  await migrate(db).finally(() => db.destroy());
  await buildRows(url, size, log);
  await lengthenHistory(url);
}

/** A digest of what builds the rows. */
function versionOfData(): string {
  const digest = createHash('sha256');
  for (const source of SOURCES) digest.update(readFileSync(new URL(source, import.meta.url)));
  return digest.digest('hex').slice(0, 12);
}

/** Removes data of other versions, except what another run uses. */
async function removeStale(root: string, version: string, log: Log): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter((each) => !each.startsWith(version))) {
    const lock = await acquireLock(join(root, name, 'postgres.owner')).catch(() => undefined);
    if (lock?.held === false) continue;
    log(`Removing the data of another version, ${join(root, name)}`);
    await rm(join(root, name), { recursive: true, force: true });
  }
}

function doneFile(folder: string, { name }: Size): string {
  return join(folder, `complete-${name}`);
}
