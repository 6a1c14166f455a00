import pg from 'pg';
import type { EventId } from '../../domain/ids.ts';
import { EVENTS_AT_ONCE, FLUSHES_AT_ONCE, type JobEngine, QUEUE } from './job-engine.ts';

type Payload = { ids: EventId[] };
type Helpers = { query(sql: string, values: readonly string[]): Promise<unknown> };
type WorkerOptions = {
  concurrentJobs: number;
  maxPoolSize: number;
  localQueue?: { size: number };
  completeJobBatchDelay?: number;
  failJobBatchDelay?: number;
};

/** The part of graphile-worker that is used. */
type Library = {
  Logger: new (factory: () => () => void) => object;
  makeWorkerUtils(options: { connectionString: string; logger: object }): Promise<{
    migrate(): Promise<void>;
    addJobs(jobs: ReadonlyArray<{ identifier: string; payload: Payload }>): Promise<unknown>;
  }>;
  run(options: {
    connectionString: string;
    logger: object;
    noHandleSignals: boolean;
    preset: { worker: WorkerOptions };
    taskList: Record<string, (payload: Payload, helpers: Helpers) => Promise<void>>;
  }): Promise<{ stop(): Promise<void> }>;
};

const PACKAGE: string = 'graphile-worker';

const CHANNEL = 'bench_flush_done';

/**
 * graphile-worker, a job queue in Postgres that wakes its workers by notifications. Jobs are added
 * in bulk (`addJobs`); jobs of a single event are fetched into a local queue and completed in
 * batches, which its documentation recommends for many short jobs. Nothing tells who added a job
 * that it is done, so a job of a flush notifies the API itself: larger flushes are worth that.
 * Settings: https://worker.graphile.org/docs/performance, https://worker.graphile.org/docs/tasks.
 */
export const graphileWorker: JobEngine = {
  async openQueue({ databaseUrl, jobSize }) {
    const { makeWorkerUtils, Logger }: Library = await import(PACKAGE);
    const logger = new Logger(() => () => {});
    const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger });
    const whenDone = jobSize === 'flush' ? await listenForDone(databaseUrl) : () => undefined;
    return async (jobs) => {
      // A job may be done before this process is told that it was added.
      const done = jobs.map(whenDone);
      await utils.addJobs(jobs.map((ids) => ({ identifier: QUEUE, payload: { ids } })));
      await Promise.all(done);
    };
  },

  async openWorker({ databaseUrl, jobSize }, ingest) {
    const { run, makeWorkerUtils, Logger }: Library = await import(PACKAGE);
    const logger = new Logger(() => () => {});
    const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger });
    await utils.migrate();
    const running = await run({
      connectionString: databaseUrl,
      logger,
      noHandleSignals: true,
      preset: { worker: jobSize === 'event' ? SINGLE_EVENTS : FLUSHES },
      taskList: {
        async [QUEUE]({ ids }, { query }) {
          await ingest(ids);
          if (jobSize === 'flush') await query('select pg_notify($1, $2)', [CHANNEL, keyOf(ids)]);
        },
      },
    });
    return () => running.stop();
  },
};

/** The returned function resolves when the job of a flush has said that it is done. */
async function listenForDone(databaseUrl: string) {
  const waiting = new Map<string, () => void>();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  client.on('notification', ({ payload = '' }) => {
    waiting.get(payload)?.();
    waiting.delete(payload);
  });
  await client.query(`listen ${CHANNEL}`);
  return (ids: readonly EventId[]) =>
    new Promise<void>((resolve) => waiting.set(keyOf(ids), resolve));
}

/** A flush is known by its first event, which is in no other. */
function keyOf([first = '']: readonly string[]): string {
  return first;
}

const SINGLE_EVENTS: WorkerOptions = {
  concurrentJobs: EVENTS_AT_ONCE,
  maxPoolSize: EVENTS_AT_ONCE + 2,
  localQueue: { size: 100 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};
const FLUSHES: WorkerOptions = {
  concurrentJobs: FLUSHES_AT_ONCE,
  maxPoolSize: 10,
};
