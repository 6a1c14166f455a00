import { CancelledFailure, WorkflowFailedError } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import type { RehearsalId } from '../../domain/ids.ts';
import { rehearsalWorkflowId, TASK_QUEUE } from '../../workflows/ids.ts';
import { reconcile } from '../../workflows/reconcile.ts';
import { rehearseRule } from '../../workflows/rehearse-rule.ts';
import { aRehearsal, aTenant } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();
const { workflow } = temporal.client;

const running = async () => aRehearsal(db, await aTenant(db), { runs: true });
const statusOf = async (id: RehearsalId) =>
  (await db('rehearsals').where({ id }).first<{ status: string }>('status')).status;
const start = (id: RehearsalId) =>
  workflow.start(rehearseRule, {
    taskQueue: TASK_QUEUE,
    workflowId: rehearsalWorkflowId(id),
    args: [id],
  });

describe('rehearseRule', () => {
  // Before any worker runs, so that the run has not begun.
  it('ends the rehearsal when its run is cancelled', async () => {
    const id = await running();
    const handle = await start(id);
    await handle.cancel();
    await temporal.withWorker(activityDeps(db), async () => {
      const ended = await handle.result().catch((error: unknown) => error);
      expect(ended).toBeInstanceOf(WorkflowFailedError);
      expect(ended).toMatchObject({ cause: expect.any(CancelledFailure) });
    });
    expect(await statusOf(id)).toBe('cancelled');
  });

  it('stores what came out', async () => {
    const id = await running();
    await temporal.withWorker(activityDeps(db), async () => {
      const handle = await start(id);
      await handle.result();
      await temporal.history(handle.workflowId, 'rehearse-rule');
      expect((await handle.describe()).memo).toEqual({ summary: '0 sales' });
    });
    expect(await statusOf(id)).toBe('done');
  });

  it('is started by reconcile when nobody else did', async () => {
    const id = await running();
    await db('rehearsals')
      .where({ id })
      .update({ createdAt: db.raw(`now() - interval '2 minutes'`) });
    await temporal.withWorker(activityDeps(db), async () => {
      await workflow.execute(reconcile, {
        taskQueue: TASK_QUEUE,
        workflowId: 'reconcile',
        args: [],
      });
      await expect.poll(() => statusOf(id), { timeout: 20_000 }).toBe('done');
    });
  });
});
