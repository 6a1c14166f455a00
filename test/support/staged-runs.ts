import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { expect } from 'vitest';
import { type Activities, createActivities } from '../../activities/index.ts';
import { createClient } from '../../api/temporal/client.ts';
import type { Db } from '../../db/connection.ts';
import { workflowBundle } from '../../worker/bundle.ts';
import { runTogether } from '../../worker/run-together.ts';
import { createPollingWorker, createWorkers } from '../../worker/worker.ts';
import { clientStart, type RunStart } from '../../workflows/starts.ts';
import { activityDeps } from './activity-deps.ts';
import type { TestTemporal } from './temporal.ts';

// Runs that are brought to a certain point by activities of a test's own.

let over = new AbortController();

/** An activity that does not end before its stage does. */
export function unending(): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(ApplicationFailure.nonRetryable('The stage is over.'));
    over.signal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([ended, Context.current().cancelled]);
}

export type Stage = {
  /** The activities of the run; the others are the service's own. */
  activities: Partial<Activities>;
  begin(client: Client): Promise<unknown>;
  /** The id of its workflow. */
  workflowId: string;
};

/** Starts a run as the API does. */
export function starting(run: RunStart): Pick<Stage, 'begin' | 'workflowId'> {
  const { workflowType, ...options } = clientStart(run, ['the-request']);
  return {
    workflowId: run.workflowId,
    begin: (client) => client.workflow.start(workflowType, options),
  };
}

/** Runs the service's workers for a stage, begins it, and ends its run after `work`. */
export async function onStage<T>(
  { temporal, db }: { temporal: TestTemporal; db: Db },
  { activities, begin, workflowId }: Stage,
  work: () => Promise<T>,
): Promise<T> {
  const options = {
    connection: temporal.connection,
    namespace: temporal.namespace,
    activities: { ...createActivities(activityDeps(db)), ...activities },
    reporter: { report: () => undefined },
    workflowSlots: 20,
    activitySlots: 20,
    pollers: 2,
    cachedWorkflows: 50,
    graceSeconds: 1,
  };
  const client = createClient(temporal.connection, temporal.namespace);
  const polling = await createPollingWorker(options, 100);
  const workers = await createWorkers(options);
  const staging = async () => {
    await begin(client);
    try {
      return await work();
    } finally {
      await client.workflow.getHandle(workflowId).terminate('The stage is over.');
      over.abort();
      over = new AbortController();
    }
  };
  const staged = staging();
  // As in the service, a worker that is cut off at its end is no failure.
  await runTogether([...workers, polling], staged);
  return staged;
}

/** Waits until the history of a workflow's latest run has these events, each as often as named. */
export async function hasEvents(
  { client }: TestTemporal,
  workflowId: string,
  events: readonly string[],
): Promise<void> {
  const missing = async () => {
    const json = historyToJSON(await client.workflow.getHandle(workflowId).fetchHistory());
    const happened = [...json.matchAll(/"EVENT_TYPE_(\w+)"/g)].map(([, name]) => name);
    return events.filter((name) => {
      const at = happened.indexOf(name);
      if (at !== -1) happened.splice(at, 1);
      return at === -1;
    });
  };
  await expect.poll(missing, { timeout: 60_000, interval: 100 }).toEqual([]);
}

/** Replays a history with the workflows as a worker runs them. Throws if it takes other steps. */
export async function replays(history: string): Promise<void> {
  await Worker.runReplayHistory(await workflowBundle(), historyFromJSON(JSON.parse(history)));
}
