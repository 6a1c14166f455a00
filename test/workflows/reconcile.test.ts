import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { createPollSchedules } from '../../worker/poll-schedules.ts';
import { pollScheduleId, redemptionWorkflowId, TASK_QUEUE } from '../../workflows/ids.ts';
import { reconcile } from '../../workflows/reconcile.ts';
import { redemption } from '../../workflows/redemption.ts';
import { activityDeps } from '../support/activity-deps.ts';
import { anAlphaConnection, aTenant, required } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { aRedemption, balanceOf, expiresIn, redemptionRow } from '../support/redemptions.ts';

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();

const mailer: Mailer = { async send() {}, async close() {} };

const reconciled = <T>(work: (tick: () => Promise<unknown>) => Promise<T>) =>
  temporal.withWorker(activityDeps(db, { mailer }), () =>
    work(() =>
      temporal.client.workflow.execute(reconcile, {
        taskQueue: TASK_QUEUE,
        workflowId: `reconcile/${randomUUID()}`,
      }),
    ),
  );
const resultOf = (id: string) =>
  temporal.client.workflow.getHandle<typeof redemption>(redemptionWorkflowId(id)).result();

describe('reconcile', () => {
  it('starts runs that were never started, which then expire their codes on time', async () => {
    const soon = await aRedemption(db);
    const later = await aRedemption(db);
    await expiresIn(db, [later.id], 600);

    await reconciled(async (tick) => {
      await expiresIn(db, [soon.id], 6);
      expect(await tick()).toMatchObject({ redemptionsExpired: 0, redemptionsStarted: 2 });
      // The run that it starts lives longer.
      expect(await resultOf(soon.id)).toMatchObject({ status: 'expired', expiryMail: 'sent' });
      const query = `TenantIds = "${later.tenantId}" and WorkflowType = "redemption"`;
      const found = () => temporal.client.workflow.count(query);
      await expect.poll(found, { timeout: 10_000 }).toMatchObject({ count: 1 });
      expect((await redemptionRow(db, later.id)).followedAt).not.toBeNull();
      expect(await tick()).toMatchObject({ redemptionsExpired: 0, redemptionsStarted: 0 });
      await temporal.client.workflow.getHandle(redemptionWorkflowId(later.id)).terminate();
    });
    expect(await balanceOf(db, soon.walletId)).toBe(100);
  });

  it('is a single task when nothing is due', async () => {
    const workflowId = `reconcile/${randomUUID()}`;
    await reconciled(async (tick) => {
      await tick();
      await temporal.client.workflow.execute(reconcile, { taskQueue: TASK_QUEUE, workflowId });
    });
    const history = await temporal.history(workflowId, 'reconcile.idle');
    expect(history.match(/EVENT_TYPE_WORKFLOW_TASK_STARTED/g)).toHaveLength(1);
    expect(history).not.toContain('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED');
  });

  it('refunds overdue points at once, and starts the runs that inform the owners', async () => {
    const overdue = [await aRedemption(db), await aRedemption(db)];
    const ids = overdue.map(({ id }) => id);
    await expiresIn(db, ids, -1);
    const workflowId = `reconcile/${randomUUID()}`;
    await reconciled(async () => {
      const handle = await temporal.client.workflow.start(reconcile, {
        taskQueue: TASK_QUEUE,
        workflowId,
      });
      expect(await handle.result()).toMatchObject({ redemptionsExpired: 2, redemptionsStarted: 2 });
      for (const id of ids) expect(await resultOf(id)).toMatchObject({ expiryMail: 'sent' });
      const { memo } = await handle.describe();
      expect(memo).toEqual({
        summary: expect.stringContaining('2 codes expired, 2 redemptions'),
      });
    });
    for (const { walletId } of overdue) expect(await balanceOf(db, walletId)).toBe(100);
    await temporal.history(workflowId, 'reconcile.due-repairs');
  });

  it('leaves a run alone that is in progress', async () => {
    const issued = await aRedemption(db);
    await expiresIn(db, [issued.id], 600);
    // Without a worker the run has started, but not recorded that it follows.
    const handle = await temporal.client.workflow.start(redemption, {
      taskQueue: TASK_QUEUE,
      workflowId: redemptionWorkflowId(issued.id),
      startDelay: '1 hour',
      args: [issued.id],
    });
    await reconciled(async (tick) => {
      expect(await tick()).toMatchObject({ redemptionsStarted: 0 });
    });
    await handle.terminate();
  });

  it('creates the Schedule of a connection that is not polled yet', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId: randomUUID() });
    const [connection] = await pollPositions.listPolled(db, { after: null, limit: 1 });
    const pollSchedules = createPollSchedules(temporal.client, { base: 300, backup: 3600 });
    await temporal.withWorker(activityDeps(db, { mailer, pollSchedules }), async () => {
      const repaired = await temporal.client.workflow.execute(reconcile, {
        taskQueue: TASK_QUEUE,
        workflowId: `reconcile/${randomUUID()}`,
      });
      expect(repaired).toMatchObject({ pollSchedulesRepaired: 1 });
    });
    const scheduleId = pollScheduleId(required(connection).id);
    await temporal.client.schedule.getHandle(scheduleId).describe();
  });

  it('fails when a step fails, and names it, once the others are done', async () => {
    const overdue = await aRedemption(db);
    await expiresIn(db, [overdue.id], -1);
    const broken = () => Promise.reject(new Refusal('FORBIDDEN', 'It is refused.'));
    const pollSchedules = {
      ...createPollSchedules(temporal.client, { base: 300, backup: 3600 }),
      ensure: broken,
    };
    await anAlphaConnection(db, { tenantId: await aTenant(db), merchantId: randomUUID() });
    const workflowId = `reconcile/${randomUUID()}`;
    await temporal.withWorker(activityDeps(db, { mailer, pollSchedules }), async () => {
      const options = { taskQueue: TASK_QUEUE, workflowId };
      const failed = temporal.client.workflow.execute(reconcile, options);
      await expect(failed).rejects.toMatchObject({
        cause: {
          type: 'ReconcileStepsFailed',
          message: expect.stringMatching(/ failed, .*: repair poll Schedules\.$/),
        },
      });
      expect(await resultOf(overdue.id)).toMatchObject({ status: 'expired' });
    });
    const { memo } = await temporal.client.workflow.getHandle(workflowId).describe();
    expect(memo).toEqual({ summary: expect.stringContaining('1 codes expired') });
    await temporal.history(workflowId, 'reconcile.due-step-failed');
  });

  it('no step waits for another that hangs', async () => {
    let isRepaired = false;
    const pollSchedules = {
      ...createPollSchedules(temporal.client, { base: 300, backup: 3600 }),
      ensure: async () => {
        isRepaired = true;
      },
    };
    await db('poll_schedule_changes').delete();
    await anAlphaConnection(db, { tenantId: await aTenant(db), merchantId: randomUUID() });
    const tx = await db.transaction();
    await temporal.withWorker(activityDeps(db, { mailer, pollSchedules }), async () => {
      await tx.raw('lock table redemptions in access exclusive mode');
      const handle = await temporal.client.workflow.start(reconcile, {
        taskQueue: TASK_QUEUE,
        workflowId: `reconcile/${randomUUID()}`,
      });
      await expect.poll(() => isRepaired, { timeout: 10_000 }).toBe(true);
      await tx.rollback();
      await handle.result();
    });
  });

  it('expires and starts more than one batch in one tick', async () => {
    const issued = await Promise.all(Array.from({ length: 101 }, () => aRedemption(db)));
    await expiresIn(
      db,
      issued.map(({ id }) => id),
      -1,
    );
    await reconciled(async (tick) => {
      expect(await tick()).toMatchObject({ redemptionsExpired: 101, redemptionsStarted: 101 });
    });
  }, 60_000);
});
