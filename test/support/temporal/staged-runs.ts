import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { expect } from 'vitest';
import { type Activities, createActivities } from '../../../activities/index.ts';
import { createClient } from '../../../api/temporal/client.ts';
import type { Db } from '../../../db/connection.ts';
import { workflowBundle } from '../../../worker/bundle.ts';
import { clientStart, type RunStart } from '../../../workflows/starts.ts';
import { activityDeps } from './activity-deps.ts';
import type { TestTemporal } from './test-temporal.ts';

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

/** Has the file's workers run a stage: begins its run, and ends it after `work`. */
export async function onStage<T>(
  { temporal, db }: { temporal: TestTemporal; db: Db },
  { activities, begin, workflowId }: Stage,
  work: () => Promise<T>,
): Promise<T> {
  const client = createClient(temporal.connection, temporal.namespace);
  const all = { ...createActivities(activityDeps(db)), ...activities };
  return temporal.withActivities(all, async () => {
    await begin(client);
    try {
      return await work();
    } finally {
      await client.workflow.getHandle(workflowId).terminate('The stage is over.');
      over.abort();
      over = new AbortController();
    }
  });
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
