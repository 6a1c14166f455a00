import { type NativeConnection, Worker, type WorkerInterceptors } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import type { ErrorReporter } from '../gateways/telemetry/error-reporter.ts';
import { DELIVERY_QUEUE, POLLING_QUEUE, TASK_QUEUE } from '../workflows/ids.ts';
import { workflowBundle } from './bundle.ts';
import { correlation } from './correlation.ts';
import { bugsAreReported, quotedValuesAreRemoved, refusalsAreFinal } from './failures.ts';

export type WorkerOptions = {
  connection: NativeConnection;
  namespace: string;
  activities: Activities;
  reporter: Pick<ErrorReporter, 'report'>;
  /** How many tasks of each kind run at the same time. */
  workflowSlots: number;
  activitySlots: number;
  /** How many polls for tasks of each kind are open at most; fewer when there is little to do. */
  pollers: number;
  /** How many workflows stay in memory between their tasks; others are replayed. */
  cachedWorkflows: number;
  /** How long activities may continue after the worker was told to stop. */
  graceSeconds: number;
};

/** Creates the worker of all our workflows and activities. It does nothing until it is run. */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  return Worker.create({
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: TASK_QUEUE,
    ...(await workflowBundle()),
    activities: options.activities,
    interceptors: interceptorsOf(options),
    maxConcurrentWorkflowTaskExecutions: options.workflowSlots,
    maxConcurrentActivityTaskExecutions: options.activitySlots,
    maxConcurrentLocalActivityExecutions: options.activitySlots,
    // Of a fixed number, all but one would wait for cached workflows only.
    workflowTaskPollerBehavior: { type: 'autoscaling', ...pollersOf(options) },
    activityTaskPollerBehavior: { type: 'autoscaling', ...pollersOf(options) },
    maxCachedWorkflows: options.cachedWorkflows,
    shutdownGraceTime: `${options.graceSeconds} seconds`,
    shutdownForceTime: `${options.graceSeconds * 2} seconds`,
  });
}

/** The SDK's own default, as far as the maximum allows. */
const INITIAL_POLLERS = 5;

/** Few, because runs that ingest webhooks ask the same provider at the same time. */
const POLLING_SHARE = 1 / 5;

/**
 * Creates the worker that polls, apart from what people wait for; it does nothing until run. The
 * limit is for all workers together, so that no burst follows an outage.
 */
export async function createPollingWorker(
  options: WorkerOptions,
  pollsPerSecond: number,
): Promise<Worker> {
  const { connection, namespace, activities, activitySlots, graceSeconds } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue: POLLING_QUEUE,
    activities: { pollAlphaConnection: activities.pollAlphaConnection },
    interceptors: interceptorsOf(options),
    maxConcurrentActivityTaskExecutions: Math.ceil(activitySlots * POLLING_SHARE),
    activityTaskPollerBehavior: { type: 'autoscaling', ...pollersOf(options) },
    maxTaskQueueActivitiesPerSecond: pollsPerSecond,
    shutdownGraceTime: `${graceSeconds} seconds`,
    shutdownForceTime: `${graceSeconds * 2} seconds`,
  });
}

/** Rounds of delivery: each holds two sockets and, for moments, a connection of the pool. */
const DELIVERY_SLOTS = 200;

/**
 * Creates the worker that delivers tenants' events, with many slots of its own: its activities wait
 * for systems that may be slow. It does nothing until run.
 */
export async function createDeliveryWorker(options: WorkerOptions): Promise<Worker> {
  const { connection, namespace, activities, graceSeconds } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue: DELIVERY_QUEUE,
    activities: { deliverEvents: activities.deliverEvents },
    interceptors: interceptorsOf(options),
    maxConcurrentActivityTaskExecutions: DELIVERY_SLOTS,
    activityTaskPollerBehavior: { type: 'autoscaling', ...pollersOf(options) },
    shutdownGraceTime: `${graceSeconds} seconds`,
    shutdownForceTime: `${graceSeconds * 2} seconds`,
  });
}

function pollersOf({ pollers: maximum }: WorkerOptions) {
  return { initial: Math.min(INITIAL_POLLERS, maximum), maximum };
}

function interceptorsOf({ reporter }: WorkerOptions): WorkerInterceptors {
  return {
    activity: [
      correlation,
      () => ({ inbound: quotedValuesAreRemoved }),
      () => ({ inbound: refusalsAreFinal }),
      () => ({ inbound: bugsAreReported(reporter) }),
    ],
  };
}
