import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { NativeConnection } from '@temporalio/worker';
import { inject } from 'vitest';
import { type Activities, type ActivityDeps, createActivities } from '../../../activities/index.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { connectTemporal, installTemporalRuntime } from '../../../gateways/temporal/connection.ts';
import { prepareNamespace } from '../../../sandbox/temporal/namespace.ts';
import { recordHistory } from './histories.ts';
import { createSharedWorkers, runOwnWorkers } from './workers.ts';

export type TestTemporal = {
  address: string;
  namespace: string;
  connection: NativeConnection;
  client: Client;
  /**
   * Has the file's workers use these dependencies from now on, and runs `work` while they run. They
   * start with the first call and run until `close`, since that takes longer than most tests.
   */
  withWorker<T>(deps: ActivityDeps, work: () => Promise<T>): Promise<T>;
  /** The same with activities instead of what they are made of. */
  withActivities<T>(activities: Activities, work: () => Promise<T>): Promise<T>;
  /** Runs workers of its own until `work` ends, for tests before or after which none may run. */
  withOwnWorker<T>(deps: ActivityDeps, work: () => Promise<T>, versioning?: boolean): Promise<T>;
  /**
   * The history of a workflow's run, by default its latest one, as JSON. If RECORD_HISTORIES
   * names a release, it is stored under that.
   */
  history(workflowId: string, name: string, runId?: string): Promise<string>;
  /** The names of the activities that a run's workers were given, in the order of its history. */
  playedIn(workflowId: string): Promise<string[]>;
  close(): Promise<void>;
};

/** Silences the log of Temporal's SDK. */
export function quietRuntime(): void {
  installTemporalRuntime(createLogger({ level: 'silent', service: 'test' }));
}

/** Creates a namespace on the tests' Temporal server. `close` it in `afterAll`. */
export async function createTestTemporal(): Promise<TestTemporal> {
  quietRuntime();
  const address = inject('temporalAddress');
  const namespace = `test-${randomUUID()}`;
  await prepareNamespace(address, namespace);
  const connection = await connectTemporal({ address, tls: false });
  const client = new Client({ connection, namespace });
  const workers = createSharedWorkers({ connection, namespace });
  return {
    address,
    namespace,
    connection,
    client,
    withWorker: (deps, work) => workers.run(createActivities(deps), work),
    withActivities: workers.run,
    withOwnWorker: (deps, work, versioning = false) =>
      runOwnWorkers({ connection, namespace, versioning }, deps, work),
    async history(workflowId, name, runId) {
      const run = client.workflow.getHandle(workflowId, runId);
      const json = historyToJSON(await run.fetchHistory());
      const release = process.env.RECORD_HISTORIES;
      if (release) recordHistory({ release, name }, json);
      return json;
    },
    async playedIn(workflowId) {
      const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
      return (events ?? []).flatMap(
        ({ activityTaskScheduledEventAttributes: of }) => of?.activityType?.name ?? [],
      );
    },
    async close() {
      await workers.stop();
      await connection.close();
    },
  };
}

/** The decoded payloads of a history. */
export function payloadsOf(history: string): string {
  const texts: string[] = [];
  JSON.parse(history, (key, value) => {
    if (key === 'data' && typeof value === 'string') {
      texts.push(Buffer.from(value, 'base64').toString());
    }
    return value;
  });
  return texts.join('\n');
}

/**
 * Everything stored about the runs of a namespace: histories, memos, search attributes, ids and
 * summaries, with decoded payloads. Also resolves to the number of runs.
 */
export async function textOfRuns(client: Client): Promise<{ runs: number; text: string }> {
  const texts: string[] = [];
  let runs = 0;
  for await (const execution of client.workflow.list()) {
    const { workflowId, runId, memo, typedSearchAttributes } = execution;
    const history = historyToJSON(
      await client.workflow.getHandle(workflowId, runId).fetchHistory(),
    );
    const attributes = typedSearchAttributes.getAll();
    texts.push(workflowId, JSON.stringify({ memo, attributes }), history, payloadsOf(history));
    runs += 1;
  }
  return { runs, text: texts.join('\n') };
}
