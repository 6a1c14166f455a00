import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { postgresBinaries } from '../../sandbox/postgres/binaries.ts';
import { findRunner } from '../../sandbox/postgres/unprivileged.ts';
import { freePort, isListening } from '../../sandbox/processes/ports.ts';
import { startServer, untilReady } from '../../sandbox/processes/processes.ts';
import { ensureBarman, ensureVersitygw } from '../foreign/programs.ts';
import { ROOT } from '../sabotage/patches.ts';
import type { Topology } from './topology.ts';

const SCRIPT = join(ROOT, 'deploy/backup/backup.sh');
const PASSWORD = 'of the backups';
const KEYS = { AWS_ACCESS_KEY_ID: 'AKIABACKUPS', AWS_SECRET_ACCESS_KEY: 'the key of the bucket' };
const STOP = [{ signal: 'SIGKILL', waitMs: 5_000 }] as const;

type Backups = {
  /** The folder that the bucket is. */
  bucket: string;
  /** Runs a command of the shipped script, as in its container, and waits for its end. */
  command(...args: string[]): { status: number | null; text: string };
  /** Starts the container's loop, whose output goes to the file; returns what kills it. */
  run(logFile: string): () => void;
  close(): Promise<void>;
};

/**
 * Makes what the compose profile `backup` has: the role in Postgres, a bucket of a real S3 server,
 * and the shipped script with its programs, which ships the log every few seconds.
 */
export async function startBackups({ folder, postgres, env }: Topology): Promise<Backups> {
  const bucket = join(folder, 'buckets', 'backups');
  const [scratch, sidecar] = [join(folder, 'scratch'), join(folder, 'sidecar')];
  for (const each of [bucket, scratch, sidecar]) await mkdir(each, { recursive: true });
  const port = await freePort();
  const gateway = await startServer({
    command: pathOf(await ensureVersitygw()),
    args: [
      `--access=${KEYS.AWS_ACCESS_KEY_ID}`,
      `--secret=${KEYS.AWS_SECRET_ACCESS_KEY}`,
      `--port=127.0.0.1:${port}`,
      'posix',
      // Of the parts of an upload it keeps more than their bytes.
      `--sidecar=${sidecar}`,
      dirname(bucket),
    ],
    logFile: join(folder, 'versitygw.log'),
    signalAtExit: 'SIGTERM',
  });
  const failure = await untilReady(gateway, () => isListening(port));
  if (failure !== undefined) throw new Error(`versitygw: ${failure}\n${gateway.logTail()}`);

  const server = new URL(postgres.url('loyalty'));
  const role = join(ROOT, 'deploy/postgres/backup-role.sql');
  const set = ['-v', 'ON_ERROR_STOP=1', '--set', `password=${PASSWORD}`, '--file', role];
  const made = spawnSync('psql', [server.href, '-Xq', ...set], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);

  const { postgres: program } = await postgresBinaries();
  const { prefix, uid } = findRunner(program, folder);
  const path = [pathOf(await ensureBarman()), dirname(program), dirname(process.execPath)];
  const environment = {
    ...KEYS,
    PATH: [...path, process.env.PATH].join(delimiter),
    HOME: scratch,
    NODE_ENV: env.NODE_ENV,
    BACKUP_URL: `s3://backups/shop?region=us-east-1&endpoint=http://127.0.0.1:${port}`,
    BACKUP_SCRATCH: scratch,
    BACKUP_EVERY_SECONDS: '5',
    BACKUP_CHECK_PORT: String(await freePort()),
    BACKUP_VERIFY: `node --import ./typescript.js ops/verify.ts`,
    PGHOST: server.hostname,
    PGPORT: server.port,
    PGUSER: 'loyalty_backup',
    PGPASSWORD: PASSWORD,
    PGDATABASE: 'loyalty',
  };
  const [file = SCRIPT, ...rest] = [...prefix, SCRIPT];
  const options = { cwd: ROOT, env: environment, ...(uid === undefined ? {} : { uid }) };
  return {
    bucket,
    command(...args) {
      const { status, stdout, stderr } = spawnSync(file, [...rest, ...args], {
        ...options,
        encoding: 'utf8',
      });
      return { status, text: stdout + stderr };
    },
    run(logFile) {
      const log = openSync(logFile, 'a');
      const stdio = ['ignore', log, log] as const;
      const child = spawn(file, [...rest, 'run'], {
        ...options,
        detached: true,
        stdio: [...stdio],
      });
      closeSync(log);
      const { pid } = child;
      if (pid === undefined) throw new Error('The loop of the backups was not started');
      // With all that it has started.
      return () => void process.kill(-pid, 'SIGKILL');
    },
    close: () => gateway.stop(STOP),
  };
}

function pathOf(found: { path: string } | { missing: string }): string {
  if ('missing' in found) throw new Error(`The scenario needs ${found.missing}`);
  return found.path;
}
