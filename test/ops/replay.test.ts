import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, Worker, type WorkflowBundle } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { countRuns, replayRuns } from '../../ops/replay-runs.ts';
import { workflowBundle } from '../../worker/bundle.ts';
import { TASK_QUEUE } from '../../workflows/ids.ts';
import { useTemporal } from '../support/fixtures.ts';
import { runOpsHere } from '../support/run-ops.ts';
import { unending } from '../support/temporal/staged-runs.ts';

const CHANGED = fileURLToPath(
  new URL('../workflows/fixtures/changed-workflows.ts', import.meta.url),
);
const temporal = await useTemporal();
const { client, connection } = temporal;

/** Runs the command like an operator, with only the environment that it needs. */
const replay = (args: string[] = [], namespace = temporal.namespace) =>
  runOpsHere(['replay', ...args], {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: namespace,
  });

async function pendingOf(handle: WorkflowHandle): Promise<number | undefined> {
  return (await handle.describe()).raw.pendingActivities?.length;
}

/** Runs `count` workflows of a type; an invite named `open` does not end. */
async function run(
  bundle: { workflowBundle?: WorkflowBundle | { codePath: string } },
  { type, count, isOpen = false }: { type: string; count: number; isOpen?: boolean },
): Promise<string[]> {
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue: TASK_QUEUE,
    ...bundle,
    activities: {
      sendInvite: async () => (isOpen ? unending() : 'sent'),
      audit: async () => undefined,
    },
  });
  return worker.runUntil(async () => {
    const ids = Array.from({ length: count }, () => `${type}/${randomUUID()}`);
    for (const workflowId of ids) {
      const options = { taskQueue: TASK_QUEUE, workflowId, args: [randomUUID()] };
      const handle = await client.workflow.start(type, options);
      if (!isOpen) await handle.result();
      // A run whose first task has not ended has nothing yet that another code could contradict.
      else await expect.poll(() => pendingOf(handle)).toBe(1);
      const status = isOpen ? '=' : '!=';
      const query = `WorkflowId = "${workflowId}" and ExecutionStatus ${status} "Running"`;
      await expect.poll(() => client.workflow.count(query)).toMatchObject({ count: 1 });
    }
    return ids;
  });
}

let changed: WorkflowBundle;
beforeAll(async () => {
  const logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  changed = await bundleWorkflowCode({ workflowsPath: CHANGED, logger });
});

describe('replay', () => {
  it('replays open and closed runs of the namespace, up to the limit of each', async () => {
    await run(await workflowBundle(), { type: 'notify', count: 3 });
    await run(await workflowBundle(), { type: 'notify', count: 2, isOpen: true });

    const { status, out, err } = await replay();
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(/^WORKFLOW +OPEN +CLOSED +FAILED +OPEN, NOT REPLAYED\n/);
    expect(out).toMatch(/^notify +2 +3 +0 +0$/m);
    expect(out).toMatch(/^verifyLedger +0 +0 +0 +0$/m);

    const limited = await replay(['--workflow', 'notify', '--limit', '1', '--json']);
    expect(limited.status).toBe(0);
    const counts = { workflow: 'notify', open: 1, closed: 1, failed: 0, openLeft: 1 };
    expect(JSON.parse(limited.out)).toEqual({ types: [counts], failures: [] });
    expect(await countRuns(client, { workflow: 'notify', limit: 2 })).toBe(4);
  });

  it('finds the runs that changed workflows cannot continue, open and closed', async () => {
    const { types, failures } = await replayRuns(
      client,
      { workflowBundle: changed },
      { workflow: 'notify', limit: 100 },
    );
    expect(types).toEqual([{ workflow: 'notify', open: 2, closed: 3, failed: 5, openLeft: 0 }]);
    expect(failures.map(({ isOpen }) => isOpen)).toEqual([true, true, false, false, false]);
    for (const { reason } of failures) expect(reason).toContain('TMPRL1100');
  });

  it('exits 1 and names the runs that the code at hand did not make', async () => {
    const [workflowId] = await run({ workflowBundle: changed }, { type: 'notify', count: 1 });
    const [unknownId] = await run({ workflowBundle: changed }, { type: 'removed', count: 1 });
    const { status, out } = await replay(['--json']);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      types: expect.arrayContaining([
        { workflow: 'notify', open: 2, closed: 4, failed: 1, openLeft: 0 },
        { workflow: 'removed', open: 0, closed: 1, failed: 1, openLeft: 0 },
      ]),
      failures: [
        { workflowId, isOpen: false, reason: expect.stringContaining('TMPRL1100') },
        { workflowId: unknownId, workflow: 'removed', reason: expect.stringContaining('removed') },
      ],
    });
    const table = await replay();
    expect(table.out).toMatch(new RegExp(`^notify +${workflowId} `, 'm'));
  });

  it.each([
    { args: ['--workflow', 'fly'], says: '--workflow must be one of compareDay' },
    { args: ['--limit', '0'], says: '--limit must be' },
    { args: ['more'], says: 'one argument too many' },
  ])('exits 2 with the reason: $args', async ({ args, says }) => {
    const { status, err } = await replay(args);
    expect(status).toBe(2);
    expect(err).toContain(says);
  });

  it('exits 1 when there is no such namespace', async () => {
    const { status, err } = await replay([], 'nowhere');
    expect(status).toBe(1);
    expect(err).toContain('nowhere');
  });
});
