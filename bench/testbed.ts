import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { Client, escapeIdentifier } from 'pg';
import {
  createDatabase,
  dropDatabase,
  type Postgres,
  startPostgres,
} from '../sandbox/postgres/server.ts';
import { ensureTemporalCli } from '../sandbox/temporal/cli.ts';
import { startTemporal } from '../sandbox/temporal/server.ts';
import type { KeptData } from './large/kept-data.ts';
import { fill, populate } from './population.ts';
import { type Ground, runMigration } from './programs.ts';
import { NAMESPACE } from './settings.ts';

/** The servers and databases of a benchmark. Everything started on it is stopped with it. */
export type Testbed = Ground & {
  /** Creates a database as a copy of the kept one of that name, or a populated one. */
  database(name: string, kept?: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** Returns the Temporal server, which the first call starts. */
  temporal(): Promise<TestbedTemporal>;
  /** Starts another Temporal server, with this name, for a service of its own. */
  ownTemporal(name: string): Promise<TestbedTemporal>;
  postgresPid: number;
  postgresVersion: string;
  /** Prints a line of progress to stderr, separate from the report. */
  log(line: string): void;
};

export type TestbedTemporal = {
  address: string;
  pid: number;
  /** Counts the ingestion runs so far. */
  countRuns(): Promise<number>;
  stop(): Promise<void>;
};

const TEMPLATE = 'bench_template';
/** Every database of a benchmark is named so; those that are kept are not. */
const OWN = 'bench\\_%';

/**
 * Starts a testbed on a PostgreSQL with its safe defaults, where a commit is on disk, and runs the
 * work. Closes the testbed afterwards, also when the work fails or the process is told to stop. It
 * serves the kept data, if any, and leaves them as they are.
 */
export function withTestbed<T>(
  work: (testbed: Testbed) => Promise<T>,
  kept?: KeptData,
): Promise<T> {
  return withCleanUps((ground) => openTestbed(ground, { kept }), work);
}

/**
 * Starts something and works with it. Cleans up afterwards, in reverse order, also when either
 * fails, when `fail` is called, or when the process is told to stop.
 */
export async function withCleanUps<S, T>(
  start: (ground: Pick<Ground, 'fail' | 'onClose'>) => Promise<S>,
  work: (started: S) => Promise<T>,
): Promise<T> {
  const cleanUps: Array<() => Promise<void>> = [];
  const { promise: failed, reject: fail } = rejection();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => fail(new Stopped(`Stopped by ${signal}`)));
  }
  const starting = start({ fail, onClose: (cleanUp) => cleanUps.push(cleanUp) });
  try {
    return await Promise.race([starting.then(work), failed]);
  } finally {
    // A server cannot be stopped while it is starting.
    await starting.catch(() => {});
    for (let cleanUp = cleanUps.pop(); cleanUp !== undefined; cleanUp = cleanUps.pop()) {
      await cleanUp().catch((error: unknown) => log(`A clean-up failed: ${error}`));
    }
  }
}

function rejection() {
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  return { promise, reject };
}

/** The process was told to stop; the benchmark itself did not fail. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Opens a testbed that is closed with the ground: on the kept data, if any, and with the schema of
 * another release if one is given.
 */
export async function openTestbed(
  { fail, onClose }: Pick<Ground, 'fail' | 'onClose'>,
  { kept, release }: { kept?: KeptData | undefined; release?: string },
): Promise<Testbed> {
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-bench-'));
  onClose(() => rm(folder, { recursive: true, force: true }));

  log('Starting PostgreSQL');
  const postgres = await startPostgres({
    dataDir: kept?.dataDir ?? join(folder, 'postgres'),
    settings: { fsync: 'on', synchronous_commit: 'on', ...kept?.settings },
  });
  onClose(() => postgres.stop());
  // A run that was killed has left its databases in the kept data.
  await dropOwn(postgres);
  onClose(() => dropOwn(postgres));
  await createDatabase(postgres, TEMPLATE);
  const databaseUrl = postgres.url(TEMPLATE);
  if (release === undefined) await populate(databaseUrl);
  else {
    await runMigration({ folder, fail, onClose }, { databaseUrl, release });
    await fill(databaseUrl);
  }

  let temporal: Promise<TestbedTemporal> | undefined;
  return {
    folder,
    onClose,
    fail,
    log,
    postgresPid: postgres.pid,
    postgresVersion: await versionOf(postgres),
    async database(name, template = TEMPLATE) {
      await copyDatabase(postgres, name, template);
      return postgres.url(name);
    },
    dropDatabase: (name) => dropDatabase(postgres, name),
    temporal() {
      temporal ??= temporalIn(join(folder, 'temporal.db'), onClose);
      return temporal;
    },
    ownTemporal: (name) => temporalIn(join(folder, `temporal-${name}.db`), onClose),
  };
}

/** Copies files, since a copy by way of the log would write all of it twice. */
async function copyDatabase(postgres: Postgres, name: string, template: string): Promise<void> {
  await asSuperuser(postgres, (client) =>
    client.query(
      `create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)}
       strategy file_copy`,
    ),
  );
}

async function dropOwn(postgres: Postgres): Promise<void> {
  const { rows } = await asSuperuser(postgres, (client) =>
    client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
      OWN,
    ]),
  );
  for (const { datname } of rows) await dropDatabase(postgres, datname);
}

async function versionOf(postgres: Postgres): Promise<string> {
  const { rows } = await asSuperuser(postgres, (client) =>
    client.query<{ version: string }>(`select current_setting('server_version') as version`),
  );
  return rows[0]?.version ?? 'unknown';
}

async function asSuperuser<T>(
  postgres: Postgres,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  return work(client).finally(() => client.end());
}

async function temporalIn(dbFile: string, onClose: Testbed['onClose']): Promise<TestbedTemporal> {
  log('Starting Temporal');
  const { path } = await ensureTemporalCli(log);
  const server = await startTemporal({
    cli: path,
    namespace: NAMESPACE,
    dbFile,
  });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= server.stop();
    return stopping;
  };
  onClose(stop);
  const connection = await Connection.connect({ address: server.address });
  onClose(() => connection.close());
  const client = new TemporalClient({ connection, namespace: NAMESPACE });
  return {
    address: server.address,
    pid: server.pid ?? Number.NaN,
    async countRuns() {
      const { count } = await client.workflow.count("WorkflowType = 'ingestEvents'");
      return count;
    },
    async stop() {
      await connection.close();
      await stop();
    },
  };
}

/** Says what is being done, and how long the run has taken so far: `12:07`. */
function log(line: string): void {
  const seconds = Math.floor(performance.now() / 1000);
  const at = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  process.stderr.write(`${at.padStart(6)}  ${line}\n`);
}
