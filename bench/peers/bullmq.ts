import type { EventId } from '../../domain/ids.ts';
import { EVENTS_AT_ONCE, FLUSHES_AT_ONCE, type JobEngine, QUEUE } from './job-engine.ts';

type Data = { ids: EventId[] };
type Job = { waitUntilFinished(events: object): Promise<unknown> };
type Connection = { quit(): Promise<unknown> };

/** The part of BullMQ that is used. */
type Library = {
  Queue: new (
    name: string,
    options: { connection: Connection; defaultJobOptions: object },
  ) => {
    waitUntilReady(): Promise<unknown>;
    addBulk(jobs: ReadonlyArray<{ name: string; data: Data }>): Promise<Job[]>;
  };
  QueueEvents: new (
    name: string,
    options: { connection: Connection },
  ) => { waitUntilReady(): Promise<unknown> };
  Worker: new (
    name: string,
    process: (job: { data: Data }) => Promise<void>,
    options: { connection: Connection; concurrency: number },
  ) => {
    on(event: 'failed', listener: (job: unknown, error: Error) => void): void;
    waitUntilReady(): Promise<unknown>;
    close(): Promise<void>;
  };
};

type RedisLibrary = {
  Redis: new (options: { host: string; port: number; maxRetriesPerRequest: null }) => Connection;
};

const PACKAGE: string = 'bullmq';
const REDIS_PACKAGE: string = 'ioredis';
const ATTEMPTS = 3;
const KEPT = { count: 1_000 };

/**
 * BullMQ, a job queue in Redis. Jobs are added in bulk (`addBulk`), several run at once
 * (`concurrency`), and those that are done are removed. Jobs of a flush are waited for
 * (`waitUntilFinished`), for which the last thousand are kept. Redis writes every change to disk
 * before it answers, as Postgres does (`redis.ts`): a job that is lost is an event that waits.
 * Settings: https://docs.bullmq.io/guide/queues/adding-bulks,
 * https://docs.bullmq.io/guide/workers/concurrency,
 * https://docs.bullmq.io/guide/going-to-production.
 */
export const bullMq: JobEngine = {
  async openQueue({ redisPort, jobSize }) {
    const { Queue, QueueEvents }: Library = await import(PACKAGE);
    const connection = await connectTo(redisPort);
    const queue = new Queue(QUEUE + jobSize, {
      connection,
      defaultJobOptions: { attempts: ATTEMPTS, removeOnComplete: jobSize === 'event' || KEPT },
    });
    await queue.waitUntilReady();
    const events =
      jobSize === 'flush'
        ? new QueueEvents(QUEUE + jobSize, { connection: await connectTo(redisPort) })
        : undefined;
    await events?.waitUntilReady();
    return async (jobs) => {
      const added = await queue.addBulk(jobs.map((ids) => ({ name: QUEUE, data: { ids } })));
      if (events) await Promise.all(added.map((job) => job.waitUntilFinished(events)));
    };
  },

  async openWorker({ redisPort, jobSize }, ingest) {
    const { Worker }: Library = await import(PACKAGE);
    const worker = new Worker(QUEUE + jobSize, ({ data }) => ingest(data.ids), {
      connection: await connectTo(redisPort),
      concurrency: jobSize === 'event' ? EVENTS_AT_ONCE : FLUSHES_AT_ONCE,
    });
    worker.on('failed', (_, error) => process.stderr.write(`BullMQ: ${error.message}\n`));
    await worker.waitUntilReady();
    return () => worker.close();
  },
};

/** Opens the client that BullMQ needs to be given where modules are native. */
async function connectTo(port: number): Promise<Connection> {
  const { Redis }: RedisLibrary = await import(REDIS_PACKAGE);
  return new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: null });
}
