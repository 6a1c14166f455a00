import { type NativeConnection, Worker, type WorkerInterceptors } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import type { ErrorReporter } from '../gateways/telemetry/error-reporter.ts';
import type { Tracing } from '../gateways/telemetry/tracing.ts';
import {
  DELIVERY_QUEUE,
  MAINTENANCE_QUEUE,
  NOTICES_QUEUE,
  POLLING_QUEUE,
  PROVIDER_QUEUES,
  TASK_QUEUE,
  TRUTH_QUEUE,
} from '../workflows/ids.ts';
import { workflowBundle } from './bundle.ts';
import { correlation } from './correlation.ts';
import { deploymentOf } from './deployment.ts';
import {
  bugsAreReported,
  quotedValuesAreRemoved,
  refusalsAreFinal,
  waitsAreNoFailures,
} from './failures.ts';
import { traceSinks } from './trace-sinks.ts';
import { preloadWorkflowThreads } from './workflow-threads.ts';

export type WorkerOptions = {
  connection: NativeConnection;
  namespace: string;
  activities: Activities;
  reporter: Pick<ErrorReporter, 'report'>;
  tracing?: Pick<Tracing, 'runEnded'>;
  /** How many tasks of each kind run at the same time. */
  workflowSlots: number;
  activitySlots: number;
  /** How many polls for tasks of each kind are open at most. */
  pollers: number;
  /** How many workflows stay in memory between their tasks; others are replayed. */
  cachedWorkflows: number;
  /** Whether a run stays with the release that began it. */
  versioning?: boolean;
  /** How long activities may continue after the worker was told to stop. */
  graceSeconds: number;
};

/** The worker of all workflows, and of the activities that have no queue of their own. */
async function createWorker(options: WorkerOptions): Promise<Worker> {
  preloadWorkflowThreads();
  return Worker.create({
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: TASK_QUEUE,
    workerDeploymentOptions: deploymentOf(options.versioning ?? false),
    ...(await workflowBundle()),
    activities: options.activities,
    interceptors: interceptorsOf(options),
    sinks: traceSinks(options.tracing),
    maxConcurrentWorkflowTaskExecutions: options.workflowSlots,
    maxConcurrentActivityTaskExecutions: options.activitySlots,
    maxConcurrentLocalActivityExecutions: options.activitySlots,
    // Of a fixed number, all but one would wait for cached workflows only.
    workflowTaskPollerBehavior: {
      type: 'autoscaling',
      initial: Math.min(INITIAL_POLLERS, options.pollers),
      maximum: options.pollers,
    },
    activityTaskPollerBehavior: activityPollersOf(options),
    maxCachedWorkflows: options.cachedWorkflows,
    shutdownGraceTime: `${options.graceSeconds} seconds`,
    shutdownForceTime: `${options.graceSeconds * 2} seconds`,
  });
}

/** The SDK's own default, as far as the maximum allows. */
const INITIAL_POLLERS = 5;

/** Enough to use up a provider's quota of calls, of which its client holds back the rest. */
const ASKING_SHARE = 1 / 2;
/** Rounds of delivery: each holds two sockets and, for moments, a connection of the pool. */
const DELIVERY_SLOTS = 200;
/** Shops whose customers are mailed at the same time: few, because codes are mailed meanwhile. */
const NOTICES_SLOTS = 2;
/** Days that are compared at the same time: few, because they use the quota of calls of sales. */
const TRUTH_SLOTS = 4;

/**
 * Creates the workers of all queues but that of polls: the worker of workflows, and those of
 * activities that wait for others. While a provider is slow, or its quota of calls is used up,
 * neither another provider's sales nor anything else waits for slots; the same holds for tenants'
 * own systems, to which events are delivered. They do nothing until they are run.
 */
export async function createWorkers(options: WorkerOptions): Promise<Worker[]> {
  const { ingestEventsWithProvider, deliverEvents, rehearse, expirePoints } = options.activities;
  const { compareDay, checkGaps, decideTiers, tellExpiry } = options.activities;
  const asking = {
    activities: { ingestEventsWithProvider },
    slots: Math.ceil(options.activitySlots * ASKING_SHARE),
  };
  return Promise.all([
    createWorker(options),
    ...Object.values(PROVIDER_QUEUES).map((taskQueue) =>
      createActivityWorker(options, { ...asking, taskQueue }),
    ),
    createActivityWorker(options, {
      taskQueue: DELIVERY_QUEUE,
      activities: { deliverEvents },
      slots: DELIVERY_SLOTS,
    }),
    createActivityWorker(
      { ...options, pollers: 1 },
      {
        taskQueue: MAINTENANCE_QUEUE,
        activities: { rehearse, expirePoints, decideTiers },
        slots: 1,
      },
    ),
    createActivityWorker(
      { ...options, pollers: 1 },
      { taskQueue: NOTICES_QUEUE, activities: { tellExpiry }, slots: NOTICES_SLOTS },
    ),
    createActivityWorker(
      { ...options, pollers: 1 },
      { taskQueue: TRUTH_QUEUE, activities: { compareDay, checkGaps }, slots: TRUTH_SLOTS },
    ),
  ]);
}

/**
 * Creates the worker that polls, apart from what people wait for; it does nothing until run. The
 * limit is for all workers together, so that no burst follows an outage.
 */
export async function createPollingWorker(
  options: WorkerOptions,
  { slots, perSecond }: { slots: number; perSecond: number },
): Promise<Worker> {
  return createActivityWorker(options, {
    taskQueue: POLLING_QUEUE,
    activities: { pollPayments: options.activities.pollPayments },
    slots,
    perSecond,
  });
}

type ActivityQueue = {
  taskQueue: string;
  activities: Partial<Activities>;
  slots: number;
  /** The limit of all workers of the queue together. */
  perSecond?: number;
};

function createActivityWorker(options: WorkerOptions, queue: ActivityQueue): Promise<Worker> {
  const { connection, namespace, graceSeconds } = options;
  const { taskQueue, activities, slots, perSecond } = queue;
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    workerDeploymentOptions: deploymentOf(options.versioning ?? false),
    activities,
    interceptors: interceptorsOf(options),
    maxConcurrentActivityTaskExecutions: slots,
    activityTaskPollerBehavior: activityPollersOf(options),
    ...(perSecond !== undefined && { maxTaskQueueActivitiesPerSecond: perSecond }),
    shutdownGraceTime: `${graceSeconds} seconds`,
    shutdownForceTime: `${graceSeconds * 2} seconds`,
  });
}

/** A fixed number: autoscaling pollers check the load ten times a second, even when idle. */
function activityPollersOf({ pollers: maximum }: WorkerOptions) {
  return { type: 'simple-maximum', maximum } as const;
}

function interceptorsOf({ reporter }: WorkerOptions): WorkerInterceptors {
  return {
    activity: [
      correlation,
      () => ({ inbound: quotedValuesAreRemoved }),
      () => ({ inbound: refusalsAreFinal }),
      () => ({ inbound: waitsAreNoFailures }),
      () => ({ inbound: bugsAreReported(reporter) }),
    ],
  };
}
