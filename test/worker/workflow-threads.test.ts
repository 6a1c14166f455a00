import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import threads from 'node:worker_threads';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { expect, it, vi } from 'vitest';
import { TenantId } from '../../domain/ids.ts';
import { preloadWorkflowThreads } from '../../worker/workflow-threads.ts';
import { deliveryStart } from '../../workflows/delivery-start.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { hasEvents, onStage, starting } from '../support/temporal/staged-runs.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();

const hasFrames = Number.parseInt(process.versions.node, 10) >= 24;

it('a worker keeps no stack traces of promises from Node 24 on, and warns of nothing', async () => {
  const said = vi.spyOn(process.stderr, 'write');
  const stage = {
    ...starting(deliveryStart(TenantId.parse(randomUUID()))),
    activities: { deliverEvents: async () => ({ delivered: 0, failed: 1, nextInMs: 59_000 }) },
  };
  const stacks = onStage({ temporal, db }, stage, async () => {
    await hasEvents(temporal, stage.workflowId, ['TIMER_STARTED']);
    return temporal.client.workflow.getHandle(stage.workflowId).query('__stack_trace');
  });
  if (hasFrames) await expect(stacks).rejects.toThrow('stack traces are not enabled');
  else expect(await stacks).toContain('deliverEvents');
  expect(said.mock.calls.join()).not.toContain('promiseHooks');
  said.mockRestore();
});

it('other threads begin as they would', async () => {
  preloadWorkflowThreads();
  const code = "require('node:v8').promiseHooks.createHook({ init() {} })";
  const thread = new threads.Worker(code, { eval: true, execArgv: [] });
  expect(await once(thread, 'exit')).toEqual([0]);
});

it('a workflow that never yields fails its own tasks only', async () => {
  preloadWorkflowThreads();
  const { client, connection, namespace } = temporal;
  const spinning = new URL('../workflows/fixtures/spinning-workflows.ts', import.meta.url);
  const logger = new DefaultLogger('ERROR');
  const run = { taskQueue: randomUUID() };
  const worker = await Worker.create({
    connection,
    namespace,
    ...run,
    workflowBundle: await bundleWorkflowCode({ workflowsPath: fileURLToPath(spinning), logger }),
  });
  await worker.runUntil(async () => {
    const workflowId = randomUUID();
    const spins = await client.workflow.start('spin', { ...run, workflowId });
    await hasEvents(temporal, workflowId, ['WORKFLOW_TASK_FAILED']);
    const answers = client.workflow.execute('answer', { ...run, workflowId: randomUUID() });
    expect(await answers).toBe('answered');
    await spins.terminate();
  });
});
