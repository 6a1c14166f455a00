import type { EventId } from '../../domain/ids.ts';
import { EVENTS_AT_ONCE, FLUSHES_AT_ONCE, type JobEngine, QUEUE } from './job-engine.ts';

type Workflow = (ids: EventId[]) => Promise<void>;

/** The part of the DBOS SDK that is used. */
type Library = {
  DBOSClient: {
    create(options: { systemDatabaseUrl: string; systemDatabasePoolSize: number }): Promise<{
      enqueue(
        options: { queueName: string; workflowName: string },
        ids: EventId[],
      ): Promise<{ getResult(options: { pollingIntervalMs: number }): Promise<unknown> }>;
    }>;
  };
  DBOS: {
    setConfig(config: {
      name: string;
      systemDatabaseUrl: string;
      systemDatabasePoolSize: number;
      logLevel: string;
    }): void;
    registerWorkflow(workflow: Workflow, options: { name: string }): Workflow;
    runStep(step: () => Promise<void>, options: { name: string }): Promise<void>;
    launch(): Promise<void>;
    registerQueue(
      name: string,
      options: { workerConcurrency: number; minPollingIntervalMs: number; onConflict: string },
    ): Promise<unknown>;
    shutdown(): Promise<void>;
  };
};

const PACKAGE: string = '@dbos-inc/dbos-sdk';
const POOL_SIZE = 20;
/** Queues are polled, each second by default; a lower interval is what makes latency low. */
const POLL_MS = 10;

/**
 * DBOS, durable execution in Postgres: a workflow of one step, whose start and result are stored in
 * a schema of its own of the same database. The API queues through `DBOSClient`, and a worker
 * process takes from the queue, as its documentation describes for separate processes. Workflows of
 * a flush are waited for (`getResult`).
 * Settings: https://docs.dbos.dev/typescript/tutorials/queue-tutorial,
 * https://docs.dbos.dev/typescript/reference/client.
 */
export const dbos: JobEngine = {
  async openQueue({ databaseUrl, jobSize }) {
    const { DBOSClient }: Library = await import(PACKAGE);
    const client = await DBOSClient.create({
      systemDatabaseUrl: databaseUrl,
      systemDatabasePoolSize: POOL_SIZE,
    });
    const options = { queueName: QUEUE, workflowName: QUEUE };
    return async (jobs) => {
      const handles = await Promise.all(jobs.map((ids) => client.enqueue(options, [...ids])));
      if (jobSize === 'event') return;
      await Promise.all(handles.map((each) => each.getResult({ pollingIntervalMs: POLL_MS })));
    };
  },

  async openWorker({ databaseUrl, jobSize }, ingest) {
    const { DBOS }: Library = await import(PACKAGE);
    DBOS.setConfig({
      name: 'loyalty',
      systemDatabaseUrl: databaseUrl,
      systemDatabasePoolSize: POOL_SIZE,
      logLevel: 'error',
    });
    const run = async (ids: EventId[]) => DBOS.runStep(() => ingest(ids), { name: QUEUE });
    DBOS.registerWorkflow(run, { name: QUEUE });
    await DBOS.launch();
    await DBOS.registerQueue(QUEUE, {
      workerConcurrency: jobSize === 'event' ? EVENTS_AT_ONCE : FLUSHES_AT_ONCE,
      minPollingIntervalMs: POLL_MS,
      onConflict: 'always_update',
    });
    return () => DBOS.shutdown();
  },
};
