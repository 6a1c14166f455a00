import type { EventId } from '../../domain/ids.ts';
import { EVENTS_AT_ONCE, FLUSHES_AT_ONCE, type JobEngine, QUEUE } from './job-engine.ts';

type Payload = { ids: EventId[] };
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
    taskList: Record<string, (payload: Payload) => Promise<void>>;
  }): Promise<{ stop(): Promise<void> }>;
};

const PACKAGE: string = 'graphile-worker';

/**
 * graphile-worker, a job queue in Postgres that wakes its workers by notifications. Jobs are added
 * in bulk (`addJobs`); jobs of a single event are fetched into a local queue and completed in
 * batches, which its documentation recommends for many short jobs.
 * Settings: https://worker.graphile.org/docs/performance.
 */
export const graphileWorker: JobEngine = {
  async openQueue({ databaseUrl }) {
    const { makeWorkerUtils, Logger }: Library = await import(PACKAGE);
    const logger = new Logger(() => () => {});
    const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger });
    return async (jobs) =>
      void (await utils.addJobs(jobs.map((ids) => ({ identifier: QUEUE, payload: { ids } }))));
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
      taskList: { [QUEUE]: ({ ids }) => ingest(ids) },
    });
    return () => running.stop();
  },
};

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
