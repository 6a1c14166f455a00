import type { EventId } from '../../domain/ids.ts';
import { type JobEngine, QUEUE } from './job-engine.ts';

type Job = { data: { ids: EventId[] } };

/** The part of pg-boss that is used. */
type PgBoss = {
  on(event: 'error', listener: (error: Error) => void): void;
  start(): Promise<unknown>;
  stop(options: { graceful: boolean; timeout: number }): Promise<void>;
  createQueue(name: string, options: { notify: boolean }): Promise<void>;
  insert(name: string, jobs: readonly Job[]): Promise<unknown>;
  work(
    name: string,
    options: {
      batchSize: number;
      localConcurrency: number;
      burstWhenBatchFull: boolean;
      pollingIntervalSeconds: number;
    },
    handler: (jobs: readonly Job[]) => Promise<void>,
  ): Promise<unknown>;
};
type Library = {
  PgBoss: new (options: {
    connectionString: string;
    max: number;
    useListenNotify: boolean;
    supervise: boolean;
    schedule: boolean;
  }) => PgBoss;
};

const PACKAGE: string = 'pg-boss';
const POOL_SIZE = 10;
/** More than run at once elsewhere: each fetch is a statement, and smaller ones cost more. */
const EVENTS_IN_FETCH = 30;
const FLUSHES_IN_FETCH = 50;
const STOP_WITHIN_MS = 5_000;

/**
 * pg-boss, a job queue in Postgres. Jobs are inserted in bulk (`insert`), and a worker fetches many
 * at once (`batchSize`), again at once while fetches come back full (`burstWhenBatchFull`); a
 * notification wakes an idle worker (`notify`, `useListenNotify`), without which it would poll
 * every half second at best. Of jobs that hold a flush, one worker ingests all that wait as one
 * batch; a second worker only made its batches smaller.
 * Settings: https://pgboss.io/api/workers, https://pgboss.io/api/queues.
 */
export const pgBoss: JobEngine = {
  async openQueue({ databaseUrl }) {
    const boss = await open(databaseUrl, { isWorker: false });
    return async (jobs) =>
      void (await boss.insert(
        QUEUE,
        jobs.map((ids) => ({ data: { ids } })),
      ));
  },

  async openWorker({ databaseUrl, jobSize }, ingest) {
    const boss = await open(databaseUrl, { isWorker: true });
    await boss.createQueue(QUEUE, { notify: true });
    const isSingle = jobSize === 'event';
    const options = {
      batchSize: isSingle ? EVENTS_IN_FETCH : FLUSHES_IN_FETCH,
      localConcurrency: isSingle ? 2 : 1,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
    };
    await boss.work(QUEUE, options, async (jobs) => {
      if (isSingle) await Promise.all(jobs.map(({ data }) => ingest(data.ids)));
      else await ingest(jobs.flatMap(({ data }) => data.ids));
    });
    return () => boss.stop({ graceful: true, timeout: STOP_WITHIN_MS });
  },
};

async function open(
  connectionString: string,
  { isWorker }: { isWorker: boolean },
): Promise<PgBoss> {
  const { PgBoss }: Library = await import(PACKAGE);
  const boss = new PgBoss({
    connectionString,
    max: POOL_SIZE,
    useListenNotify: isWorker,
    supervise: isWorker,
    schedule: false,
  });
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  await boss.start();
  return boss;
}
