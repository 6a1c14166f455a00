import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createDatabase, dropDatabase, startPostgres } from '../sandbox/postgres/server.ts';
import { ensureTemporalCli } from '../sandbox/temporal/cli.ts';
import { startTemporal } from '../sandbox/temporal/server.ts';
import { populate } from './population.ts';
import { NAMESPACE } from './settings.ts';

/** What the parts of the benchmark stand on. Whatever is started on it ends with it. */
export type Stage = {
  /** Logs and data; removed at the end. */
  folder: string;
  /** Calls `undo` when the stage is taken down, the last one first. */
  atEnd(undo: () => Promise<void>): void;
  /** Ends the work at once, with this error. */
  fail(error: Error): void;
  /** A populated database of its own; gives its address. */
  database(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** A Temporal server, started by the first call. */
  temporal(): Promise<StageTemporal>;
  postgresPid: number;
  /** Says what is going on, apart from the report. */
  tell(line: string): void;
};

export type StageTemporal = {
  address: string;
  pid: number;
  /** How many runs of ingestion there have been. */
  countRuns(): Promise<number>;
};

const TEMPLATE = 'bench_template';

/**
 * Sets the stage: a PostgreSQL with its safe defaults, where a commit is on disk. Runs the work and
 * takes everything down, also when the work fails or the process is told to stop.
 */
export async function withStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const undos: Array<() => Promise<void>> = [];
  const { promise: failed, reject: fail } = rejection();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => fail(new Stopped(`Stopped by ${signal}`)));
  }
  const setting = setUp({ fail, atEnd: (undo) => undos.push(undo) });
  try {
    return await Promise.race([setting.then(work), failed]);
  } finally {
    // A server that is just being started could not be stopped yet.
    await setting.catch(() => {});
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
      await undo().catch((error: unknown) => tell(`Not taken down: ${error}`));
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

/** The process was told to stop: no fault of what was measured. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

async function setUp({ fail, atEnd }: Pick<Stage, 'fail' | 'atEnd'>): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));

  tell('Starting PostgreSQL');
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    settings: { fsync: 'on', synchronous_commit: 'on' },
  });
  atEnd(() => postgres.stop());
  await createDatabase(postgres, TEMPLATE);
  await populate(postgres.url(TEMPLATE));

  let temporal: Promise<StageTemporal> | undefined;
  return {
    folder,
    atEnd,
    fail,
    tell,
    postgresPid: postgres.pid,
    async database(name) {
      await createDatabase(postgres, name, TEMPLATE);
      return postgres.url(name);
    },
    dropDatabase: (name) => dropDatabase(postgres, name),
    temporal() {
      temporal ??= temporalIn(folder, atEnd);
      return temporal;
    },
  };
}

async function temporalIn(folder: string, atEnd: Stage['atEnd']): Promise<StageTemporal> {
  tell('Starting Temporal');
  const { path } = await ensureTemporalCli(tell);
  const server = await startTemporal({
    cli: path,
    namespace: NAMESPACE,
    dbFile: join(folder, 'temporal.db'),
  });
  atEnd(() => server.stop());
  const connection = await Connection.connect({ address: server.address });
  atEnd(() => connection.close());
  const client = new Client({ connection, namespace: NAMESPACE });
  return {
    address: server.address,
    pid: server.pid ?? Number.NaN,
    async countRuns() {
      const { count } = await client.workflow.count("WorkflowType = 'ingestEvents'");
      return count;
    },
  };
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
