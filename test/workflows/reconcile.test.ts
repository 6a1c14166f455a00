import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { type Activities, createActivities, type Repair } from '../../activities/index.ts';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RedemptionId } from '../../domain/ids.ts';
import { keysOf } from '../../domain/keys-of.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { createPollSchedules } from '../../worker/poll-schedules.ts';
import { pollScheduleId, TASK_QUEUE } from '../../workflows/ids.ts';
import { reconcile } from '../../workflows/reconcile.ts';
import { redemptionsStart } from '../../workflows/redemption-starts.ts';
import { anAlphaConnection, aTenant, required } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { allLookedAt } from '../support/points/notices.ts';
import { aRedemption, balanceOf, expiresIn, redemptionRow } from '../support/points/redemptions.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { expectDocumentedActions } from './actions.ts';

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
const isInformed = (id: RedemptionId) =>
  expect
    .poll(async () => (await redemptionRow(db, id)).expiryToldAt, { timeout: 30_000 })
    .not.toBeNull();
/** Finds the runs that follow redemptions of a tenant. */
const queryOf = (tenantId: string) =>
  `TenantIds = "${tenantId}" and WorkflowType = "followRedemptions"`;
/** Ends the runs that still follow redemptions of a tenant. */
async function endRunsOf(tenantId: string): Promise<void> {
  for await (const { workflowId } of temporal.client.workflow.list({ query: queryOf(tenantId) })) {
    try {
      await temporal.client.workflow.getHandle(workflowId).terminate();
    } catch (error) {
      // It has ended since. The list may not show it yet.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

/** What each repair is played by. */
const PLAYED_BY = {
  'expire overdue codes': 'expireOverdueRedemptions',
  'start redemption runs': 'listUnfollowedRedemptions',
  'start invite mails': 'listOverdueInvites',
  'start rehearsals': 'listOverdueRehearsals',
  'deliver events': 'listDueDeliveries',
  'do due work': 'doDueWork',
} as const satisfies Record<Repair, keyof Activities>;

describe('reconcile', () => {
  it.each([...keysOf(PLAYED_BY).map((repair) => [repair]), keysOf(PLAYED_BY)])(
    '%s: is played when it is due, and nothing else',
    async (...due) => {
      const activities: Activities = {
        ...createActivities(activityDeps(db, { mailer })),
        listDueRepairs: async () => due,
      };
      const workflowId = `reconcile/${randomUUID()}`;
      await temporal.withActivities(activities, () =>
        temporal.client.workflow.execute(reconcile, { taskQueue: TASK_QUEUE, workflowId }),
      );
      const played = await temporal.playedIn(workflowId);
      expect(new Set(played)).toEqual(new Set(due.map((repair) => PLAYED_BY[repair])));
    },
  );

  it('starts runs that were never started, which then expire their codes on time', async () => {
    const soon = await aRedemption(db);
    const later = await aRedemption(db);
    await expiresIn(db, [later.id], 600);

    await reconciled(async (tick) => {
      await expiresIn(db, [soon.id], 6);
      expect(await tick()).toMatchObject({ redemptionsExpired: 0, redemptionsStarted: 2 });
      // The run that it starts lives longer.
      await isInformed(soon.id);
      const found = () => temporal.client.workflow.count(queryOf(later.tenantId));
      await expect.poll(found, { timeout: 10_000 }).toMatchObject({ count: 1 });
      expect((await redemptionRow(db, later.id)).followedAt).not.toBeNull();
      expect(await tick()).toMatchObject({ redemptionsExpired: 0, redemptionsStarted: 0 });
      await endRunsOf(later.tenantId);
    });
    expect(await balanceOf(db, soon.walletId)).toBe(100);
  });

  it('is a single task when nothing is due', async () => {
    const workflowId = `reconcile/${randomUUID()}`;
    await allLookedAt(db);
    await reconciled(async (tick) => {
      await tick();
      await temporal.client.workflow.execute(reconcile, { taskQueue: TASK_QUEUE, workflowId });
    });
    const history = await temporal.history(workflowId, 'reconcile.idle');
    expectDocumentedActions('a reconcile that finds nothing, with its tick', history);
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
      for (const id of ids) await isInformed(id);
      const { memo } = await handle.describe();
      expect(memo).toEqual({
        summary: expect.stringContaining('2 codes expired, 2 redemptions'),
      });
    });
    for (const { walletId } of overdue) expect(await balanceOf(db, walletId)).toBe(100);
    await temporal.history(workflowId, 'reconcile.due-repairs');
  });

  it('a run that comes late finds its redemption followed, and leaves it alone', async () => {
    const issued = await aRedemption(db);
    await expiresIn(db, [issued.id], 600);
    const { workflowType, ...run } = redemptionsStart([issued]);
    const sent: string[] = [];
    const counting: Mailer = {
      async send({ messageId }) {
        sent.push(messageId);
      },
      async close() {},
    };
    await temporal.withWorker(activityDeps(db, { mailer: counting }), async () => {
      await temporal.client.workflow.execute(reconcile, {
        taskQueue: TASK_QUEUE,
        workflowId: `reconcile/${randomUUID()}`,
      });
      await expect.poll(() => sent, { timeout: 30_000 }).toHaveLength(1);
      const late = { ...run, taskQueue: TASK_QUEUE };
      const summary = await temporal.client.workflow.execute(workflowType, late);
      expect(summary).toMatchObject({ used: 0, expired: 0, codeMails: { sent: 0 } });
      await endRunsOf(issued.tenantId);
    });
    expect(sent).toEqual([`redemption-code-${issued.id}`]);
  });

  it('creates the Schedule of a connection that is not polled yet', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId: randomUUID() });
    const [connection] = await pollPositions.listPolled(db, { after: null, limit: 1 });
    const pollSchedules = createPollSchedules(temporal.client, () => ({ base: 300, backup: 3600 }));
    await temporal.withWorker(activityDeps(db, { mailer, pollSchedules }), async () => {
      const repaired = await temporal.client.workflow.execute(reconcile, {
        taskQueue: TASK_QUEUE,
        workflowId: `reconcile/${randomUUID()}`,
      });
      expect(repaired.dueWorkDone).toBeGreaterThan(0);
    });
    const scheduleId = pollScheduleId(required(connection).id);
    await temporal.client.schedule.getHandle(scheduleId).describe();
  });

  it('fails when a step fails, and names it, once the others are done', async () => {
    const overdue = await aRedemption(db);
    await expiresIn(db, [overdue.id], -1);
    const broken = () => Promise.reject(new Refusal('FORBIDDEN', 'It is refused.'));
    const activities = { ...createActivities(activityDeps(db, { mailer })), doDueWork: broken };
    await anAlphaConnection(db, { tenantId: await aTenant(db), merchantId: randomUUID() });
    const workflowId = `reconcile/${randomUUID()}`;
    await temporal.withActivities(activities, async () => {
      const options = { taskQueue: TASK_QUEUE, workflowId };
      const failed = temporal.client.workflow.execute(reconcile, options);
      await expect(failed).rejects.toMatchObject({
        cause: {
          type: 'ReconcileStepsFailed',
          message: expect.stringMatching(/ failed, .*: do due work\.$/),
        },
      });
      await isInformed(overdue.id);
    });
    const { memo } = await temporal.client.workflow.getHandle(workflowId).describe();
    expect(memo).toEqual({ summary: expect.stringContaining('1 codes expired') });
    await temporal.history(workflowId, 'reconcile.due-step-failed');
  });

  it('no step waits for another that hangs', async () => {
    let isRepaired = false;
    const pollSchedules = {
      ...createPollSchedules(temporal.client, () => ({ base: 300, backup: 3600 })),
      ensure: async () => {
        isRepaired = true;
      },
    };
    await db('due_work').delete();
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
