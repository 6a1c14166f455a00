import { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { createLogger } from '../gateways/telemetry/logger.ts';
import { connectTemporal, installTemporalRuntime } from '../gateways/temporal/connection.ts';
import type { TemporalPlace } from '../gateways/temporal/settings.ts';
import { showProgress } from '../gateways/terminal/progress.ts';
import { workflowBundle } from '../worker/bundle.ts';
import { traceSinks } from '../worker/trace-sinks.ts';
import * as workflows from '../workflows/index.ts';

/** How many runs of a type were replayed. */
export type ReplayedType = {
  workflow: string;
  open: number;
  closed: number;
  failed: number;
  /** The open ones beyond the limit, which were not replayed. */
  openLeft: number;
};

/** A run that the code at hand cannot replay. */
export type FailedRun = {
  workflow: string;
  workflowId: string;
  runId: string;
  isOpen: boolean;
  reason: string;
};

export type Replay = {
  types: ReplayedType[];
  /** The first of each type. */
  failures: FailedRun[];
};

type Scope = {
  /** The only type to replay; otherwise all, also those that the code at hand does not have. */
  workflow?: string | undefined;
  /** How many open runs, and how many closed ones, are replayed of each type. */
  limit: number;
};

type Listed = Omit<FailedRun, 'reason'>;

/** The types of the code at hand. */
export const WORKFLOW_TYPES: readonly string[] = Object.keys(workflows);

const STATES = [
  { isOpen: true, query: 'ExecutionStatus = "Running"' },
  { isOpen: false, query: 'ExecutionStatus != "Running"' },
] as const;
const MAX_NAMED = 10;
const MAX_REASON_LENGTH = 400;
const PAGE_SIZE = 100;

/** Replays runs of a namespace as `replayRuns` does, with the workflows as a worker runs them. */
export async function replayNamespace(place: TemporalPlace, scope: Scope): Promise<Replay> {
  installTemporalRuntime(createLogger({ level: 'silent', service: 'ops' }));
  const connection = await connectTemporal(place.connection);
  try {
    const client = new Client({ connection, namespace: place.namespace });
    const progress = await showProgress('runs replayed', () => countRuns(client, scope));
    const replayed = replayRuns(client, await workflowBundle(), scope, progress.at);
    return await replayed.finally(progress.end);
  } finally {
    await connection.close();
  }
}

/**
 * Replays the newest open and closed runs of each type with a bundle of workflows. Reads only, so
 * the service may go on: a run that is deleted meanwhile is left out. One history is in memory at a
 * time. `onRun` gets how many were replayed so far.
 */
export async function replayRuns(
  client: Client,
  bundle: Pick<WorkerOptions, 'workflowBundle'>,
  scope: Scope,
  onRun: (replayed: number) => void = () => undefined,
): Promise<Replay> {
  let replayed = 0;
  const names = scope.workflow === undefined ? WORKFLOW_TYPES : [scope.workflow];
  const types = new Map(names.map((workflow) => [workflow, nothingOf(workflow)]));
  const failures: FailedRun[] = [];
  // The replayer takes one history at a time and answers in their order.
  const taken: Listed[] = [];
  const options = { ...bundle, sinks: traceSinks() };
  const replays = Worker.runReplayHistories(options, histories(client, scope, taken));
  for await (const { error } of replays) {
    const run = taken.shift();
    if (run === undefined) throw new Error('A replay ended that was not begun.');
    onRun(++replayed);
    const counts = types.get(run.workflow) ?? nothingOf(run.workflow);
    types.set(run.workflow, counts);
    counts[run.isOpen ? 'open' : 'closed'] += 1;
    if (error === undefined) continue;
    if (counts.failed < MAX_NAMED) failures.push({ ...run, reason: reasonOf(error) });
    counts.failed += 1;
  }
  for (const counts of types.values()) await countOpenLeft(client, counts);
  return { types: [...types.values()], failures };
}

function nothingOf(workflow: string): ReplayedType {
  return { workflow, open: 0, closed: 0, failed: 0, openLeft: 0 };
}

/** Reads the histories of the runs one after the other, and adds the runs to `taken`. */
async function* histories(client: Client, { workflow, limit }: Scope, taken: Listed[]) {
  for (const { isOpen, query } of queriesFor(workflow)) {
    for await (const run of listed(client, query, limit)) {
      const history = await historyOf(client, run);
      if (history === undefined) continue;
      taken.push({ ...run, isOpen });
      yield { workflowId: run.workflowId, history };
    }
  }
}

/** How many runs there are to replay. */
export async function countRuns(client: Client, { workflow, limit }: Scope): Promise<number> {
  let runs = 0;
  for (const { query } of queriesFor(workflow)) {
    runs += Math.min(limit, (await client.workflow.count(query)).count);
  }
  return runs;
}

/** The queries for the runs of each type, the open ones first. */
function queriesFor(workflow: string | undefined): { isOpen: boolean; query: string }[] {
  const others = WORKFLOW_TYPES.map((type) => `WorkflowType != "${type}"`).join(' and ');
  const each = WORKFLOW_TYPES.map((type) => `WorkflowType = "${type}"`);
  const groups = workflow === undefined ? [...each, others] : [`WorkflowType = "${workflow}"`];
  return STATES.flatMap(({ isOpen, query }) =>
    groups.map((group) => ({ isOpen, query: `${group} and ${query}` })),
  );
}

async function* listed(client: Client, query: string, limit: number) {
  let count = 0;
  const pageSize = Math.min(limit, PAGE_SIZE);
  for await (const { type, workflowId, runId } of client.workflow.list({ query, pageSize })) {
    yield { workflow: type, workflowId, runId };
    count += 1;
    if (count === limit) return;
  }
}

async function historyOf(client: Client, run: { workflowId: string; runId: string }) {
  try {
    return await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function countOpenLeft(client: Client, counts: ReplayedType): Promise<void> {
  const [{ query }] = STATES;
  const { count } = await client.workflow.count(`WorkflowType = "${counts.workflow}" and ${query}`);
  counts.openLeft = Math.max(0, count - counts.open);
}

/** What does not match, without what the SDK says around it. */
function reasonOf({ message }: Error): string {
  const [, said] = /message: "((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  return (said ?? message).replaceAll(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH);
}
