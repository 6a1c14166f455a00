import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresBinaries } from './binaries.ts';
import type { Runner } from './unprivileged.ts';

export const SUPERUSER = 'postgres';

const PASSWORD_FILE = 'superuser-password';

// An initdb whose parent process was killed may still be writing.
const REMOVE_ALL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

const execute = promisify(execFile);

export type Cluster = {
  dataDir: string;
  binaries: PostgresBinaries;
  runner: Runner;
  /** Whether the new files must be on disk before the call returns. */
  durable: boolean;
  log: (line: string) => void;
};

/**
 * Creates the data folder if missing: it appears complete, with its password, or not at all, and
 * belongs to the user the server will run as. Only the holder of the folder's lock may call it.
 */
export async function initialise(cluster: Cluster): Promise<void> {
  const { dataDir, runner } = cluster;
  await removeHalfDone(dataDir);
  if (!existsSync(join(dataDir, PASSWORD_FILE))) await create(cluster);
  if (runner.owner !== undefined && (await stat(dataDir)).uid !== runner.owner) {
    await execute('chown', ['-R', `${runner.owner}:${runner.owner}`, dataDir]);
  }
}

/** Removes the data folder if `initialise` created it. */
export async function remove(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, PASSWORD_FILE))) return;
  // Renamed first, so that a removal killed halfway leaves no damaged data folder.
  const aside = `${dataDir}.half-${randomBytes(6).toString('hex')}`;
  await rename(dataDir, aside);
  await rm(aside, REMOVE_ALL);
}

/** Returns the superuser's password, which the data folder holds in a file of mode 0600. */
export async function readPassword(dataDir: string): Promise<string> {
  return await readFile(join(dataDir, PASSWORD_FILE), 'utf8');
}

async function create({ dataDir, binaries, runner, durable, log }: Cluster): Promise<void> {
  if (existsSync(dataDir) && (await readdir(dataDir)).length > 0) {
    throw new Error(
      `${dataDir} contains other files: choose an empty folder for PostgreSQL's data`,
    );
  }
  log('Creating the PostgreSQL data folder');
  const stage = `${dataDir}.half-${randomBytes(6).toString('hex')}`;
  const password = join(stage, PASSWORD_FILE);
  await mkdir(stage, { mode: 0o700 });
  await writeFile(password, randomBytes(24).toString('hex'), { mode: 0o600 });
  if (runner.owner !== undefined) {
    for (const path of [stage, password]) await chown(path, runner.owner, runner.owner);
  }

  const data = join(stage, 'data');
  const options = [
    '--pgdata',
    data,
    '--username',
    SUPERUSER,
    '--pwfile',
    password,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--locale-provider',
    'builtin',
    '--builtin-locale',
    'C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
  const [command = '', ...args] = [...runner.prefix, binaries.initdb, ...options];
  const identity = runner.uid === undefined ? {} : { uid: runner.uid, gid: runner.uid };
  await execute(command, args, identity);

  await rename(password, join(data, PASSWORD_FILE));
  await rename(data, dataDir);
  await rm(stage, { recursive: true });
}

/** Removes folders left by a start killed halfway; they never became the data folder. */
async function removeHalfDone(dataDir: string): Promise<void> {
  const parent = dirname(dataDir);
  for (const name of await readdir(parent)) {
    if (name.startsWith(`${basename(dataDir)}.half-`)) {
      await rm(join(parent, name), REMOVE_ALL);
    }
  }
}
