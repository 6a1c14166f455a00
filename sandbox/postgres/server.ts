import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { acquireLock } from '../processes/lock-file.ts';
import { freePort } from '../processes/ports.ts';
import {
  runsWith,
  type ServerProcess,
  type StopSteps,
  startServer,
  stopProcess,
  untilReady,
} from '../processes/processes.ts';
import { postgresBinaries } from './binaries.ts';
import { initialise, readPassword, remove, SUPERUSER } from './cluster.ts';
import { findRunner, type Runner } from './unprivileged.ts';

export type PostgresOptions = {
  /** Created by the first start, and kept. */
  dataDir: string;
  /** Deletes the existing data first. */
  fresh?: boolean;
  preferredPort?: number;
  /** Server settings such as fsync, which override the safe defaults. */
  settings?: Readonly<Record<string, string>>;
  logFile?: string;
  log?: (line: string) => void;
};

export type Postgres = {
  port: number;
  pid: number;
  /** Whether a server left behind by a killed process was stopped first. */
  recovered: boolean;
  url(database: string): string;
  /** Resolves with the reason when the server ends; never rejects. */
  exited: Promise<string>;
  stop(): Promise<void>;
};

const ATTEMPTS = 5;

// Fast shutdown, then immediate shutdown, after which the next start recovers from the log.
const STOP: StopSteps = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
];

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // Socket paths are limited to 107 bytes, and nothing here uses one.
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Without it, the log quotes rows that are refused, which may hold an e-mail.
  log_error_verbosity: 'terse',
};

/**
 * Starts PostgreSQL on the data folder, which it creates if missing, and returns once the server
 * accepts queries, at 127.0.0.1 only. A server left behind by a killed process is stopped first;
 * throws when a running process already serves the folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const log = options.log ?? (() => {});
  const asked = resolve(options.dataDir);
  await mkdir(dirname(asked), { recursive: true });
  const dataDir = join(await realpath(dirname(asked)), basename(asked));
  const logFile = options.logFile ?? `${dataDir}.log`;

  const lock = await acquireLock(`${dataDir}.owner`);
  if (!lock.held) {
    throw new Error(
      `Process ${lock.by} already runs PostgreSQL on ${dataDir}: stop it, or use another folder`,
    );
  }
  try {
    const binaries = await postgresBinaries();
    const runner = findRunner(binaries.postgres, dirname(dataDir));
    const recovered = await stopOrphan(dataDir, log);
    if (options.fresh) await remove(dataDir);
    await initialise({
      dataDir,
      binaries,
      runner,
      durable: options.settings?.fsync !== 'off',
      log,
    });

    const password = await readPassword(dataDir);
    const args = { ...SETTINGS, ...options.settings };
    const server = { program: binaries.postgres, runner, dataDir, logFile, password, args };
    const { running, port } = await serve(server, options.preferredPort);
    return {
      port,
      pid: running.pid,
      recovered,
      url: (database) => urlOf(port, password, database),
      exited: running.exited,
      stop: async () => {
        await running.stop(STOP);
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

type Server = {
  program: string;
  runner: Runner;
  dataDir: string;
  logFile: string;
  password: string;
  args: Readonly<Record<string, string>>;
};

type Serving = { running: ServerProcess; port: number };

async function serve(server: Server, preferred?: number): Promise<Serving> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(preferred);
    const running = await run(server, port);
    const url = urlOf(port, server.password, 'postgres');
    const failure = await untilReady(running, () => answers(url));
    if (failure === undefined) return { running, port };

    await running.stop(STOP);
    const passing = /could not bind|could not create any TCP|still in use/.test(running.logTail());
    if (!passing || attempt === ATTEMPTS) {
      throw new Error(`PostgreSQL did not start (${failure}):\n${running.logTail()}`);
    }
    // The port was taken in between, or processes of a killed server are still ending.
    await sleep(attempt * 300);
  }
}

function run({ runner, program, dataDir, logFile, args }: Server, port: number) {
  const settings = Object.entries(args).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = program, ...rest] = [...runner.prefix, program, '-D', dataDir];
  return startServer({
    command,
    args: [...rest, '-p', String(port), ...settings],
    logFile,
    signalAtExit: 'SIGINT',
    uid: runner.uid,
  });
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}

async function stopOrphan(dataDir: string, log: (line: string) => void): Promise<boolean> {
  const file = join(dataDir, 'postmaster.pid');
  const content = await readFile(file, 'utf8').catch(() => undefined);
  if (content === undefined) return false;

  const pid = Number(content.split('\n')[0]);
  const ours = runsWith(pid, dataDir);
  if (ours) {
    log(`Stopping PostgreSQL (process ${pid}), which an earlier run left behind`);
    await stopProcess(pid, STOP);
  }
  await rm(file, { force: true });
  return ours;
}

function urlOf(port: number, password: string, database: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/** Creates a database as a copy of the template, to which no client may be connected. */
export async function createDatabase(
  postgres: Pick<Postgres, 'url'>,
  name: string,
  template = 'template1',
): Promise<void> {
  await runAsSuperuser(
    postgres,
    `create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)}`,
  );
}

/** Drops the database if it exists, and disconnects its clients. */
export async function dropDatabase(postgres: Pick<Postgres, 'url'>, name: string): Promise<void> {
  await runAsSuperuser(postgres, `drop database if exists ${escapeIdentifier(name)} with (force)`);
}

async function runAsSuperuser(postgres: Pick<Postgres, 'url'>, sql: string): Promise<void> {
  const client = new Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
