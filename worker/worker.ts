import { type NativeConnection, Worker } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import type { ErrorReporter } from '../gateways/error-reporter.ts';
import { TASK_QUEUE } from '../workflows/ids.ts';
import { workflowBundle } from './bundle.ts';
import { correlation } from './correlation.ts';
import { bugsAreReported, refusalsAreFinal } from './failures.ts';

export type WorkerOptions = {
  connection: NativeConnection;
  namespace: string;
  activities: Activities;
  reporter: Pick<ErrorReporter, 'report'>;
  /** How much is done at a time, of each kind. */
  workflowSlots: number;
  activitySlots: number;
  pollers: number;
  /** Workflows kept in memory between their tasks; others are replayed when they go on. */
  cachedWorkflows: number;
  /** How long activities may go on after the worker was told to stop. */
  graceSeconds: number;
};

/** Makes the worker of all our workflows and activities. It does nothing until it is run. */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  return Worker.create({
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: TASK_QUEUE,
    ...(await workflowBundle()),
    activities: options.activities,
    interceptors: {
      activity: [
        correlation,
        () => ({ inbound: refusalsAreFinal }),
        () => ({ inbound: bugsAreReported(options.reporter) }),
      ],
    },
    maxConcurrentWorkflowTaskExecutions: options.workflowSlots,
    maxConcurrentActivityTaskExecutions: options.activitySlots,
    maxConcurrentLocalActivityExecutions: options.activitySlots,
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: options.pollers },
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: options.pollers },
    maxCachedWorkflows: options.cachedWorkflows,
    shutdownGraceTime: `${options.graceSeconds} seconds`,
    shutdownForceTime: `${options.graceSeconds * 2} seconds`,
  });
}
