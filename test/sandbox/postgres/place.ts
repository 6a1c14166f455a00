import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach } from 'vitest';
import {
  type Postgres,
  type PostgresOptions,
  startPostgres,
} from '../../../sandbox/postgres/server.ts';

export const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** The test's own folder, and the server's data folder in it. */
export const place = { folder: '', dataDir: '' };

/** The servers that the test started in this process. */
export const servers: Postgres[] = [];

const children: ChildProcess[] = [];

beforeEach(async () => {
  // Its mode is 0700, so that every test also runs below a closed folder.
  place.folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  place.dataDir = join(place.folder, 'data');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
  await rm(place.folder, { recursive: true, force: true, maxRetries: 20 });
});

/** Starts the test's server in this process; it is stopped when the test ends. */
export async function start(options: Partial<PostgresOptions> = {}): Promise<Postgres> {
  const server = await startPostgres({ dataDir: place.dataDir, settings: FAST, ...options });
  servers.push(server);
  return server;
}

/** Runs a statement in the database `postgres`, and returns its rows. */
export async function query(server: Postgres, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts the server in a separate process, which prints its pid and then runs `then`. */
export function startElsewhere(
  env = process.env,
  then = 'setInterval(() => {}, 1000)',
): ChildProcess {
  const launcher = new URL('../../../sandbox/postgres/server.ts', import.meta.url).href;
  const options = { dataDir: place.dataDir, settings: FAST };
  const code = `
    const { startPostgres } = await import(${JSON.stringify(launcher)});
    const server = await startPostgres(${JSON.stringify(options)});
    console.log(JSON.stringify({ pid: server.pid, url: server.url('postgres') }));
    ${then};`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', code];
  const child = spawn(process.execPath, args, {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.push(child);
  return child;
}

/** Returns what the process of `startElsewhere` prints once its server is ready. */
export async function firstLine(child: ChildProcess): Promise<{ pid: number; url: string }> {
  for await (const chunk of child.stdout ?? []) return JSON.parse(String(chunk));
  throw new Error('The launcher ended without output.');
}
