import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Activities, createActivities } from '../../activities/index.ts';
import { recordTold } from '../../db/tenants/expiry-runs.ts';
import { InviteId, TenantId } from '../../domain/ids.ts';
import { monthOf, monthText, startOfMonth } from '../../domain/intervals.ts';
import { withinMs } from '../../gateways/timing.ts';
import { noticesStart, watchMonthsStart } from '../../workflows/expiry-start.ts';
import { expiryWorkflowId, TASK_QUEUE } from '../../workflows/ids.ts';
import { inviteMailStart, type RunStart } from '../../workflows/starts.ts';
import { aProgramme, aRule, aTenant, aWallet } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { expectDocumentedActions } from './actions.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();
const { workflow } = temporal.client;
const now = monthOf(new Date(), 'UTC');

async function watch(): Promise<unknown> {
  const { workflowType, ...run } = watchMonthsStart();
  const options = { ...run, taskQueue: TASK_QUEUE };
  return workflow.execute(workflowType, options);
}

describe('watchMonths', () => {
  it('costs as many actions as is said while no month has ended', async () => {
    await temporal.withWorker(activityDeps(db), async () => {
      expect(await watch()).toEqual({ started: 0 });
    });
    const history = await temporal.history(watchMonthsStart().workflowId, 'watch-months');
    expectDocumentedActions('the look for months that have ended, with its Schedule', history);
  });

  it('starts the run of each shop whose month has ended, which takes what is due', async () => {
    const tenantId = await aTenant(db);
    await aRule(db, tenantId);
    const publishedAt = startOfMonth(now - 2, 'UTC');
    await aProgramme(db, tenantId, { validityMonths: 1, publishedAt });
    await aWallet(db, { tenantId, balance: 50 });
    for (const month of [now, now + 1, now + 2]) await recordTold(db, { tenantId, month });
    await temporal.withWorker(activityDeps(db), async () => {
      expect(await watch()).toEqual({ started: 1 });
      const run = workflow.getHandle(expiryWorkflowId(tenantId, monthText(now - 2)));
      await run.result();
      await temporal.history(run.workflowId, 'expire-points');
      expect((await run.describe()).memo).toMatchObject({
        summary: '0 points of 0 wallets expired',
      });
      expect(await watch()).toEqual({ started: 0 });
    });
    const months = await db('expiry_runs').where({ tenantId }).whereNotNull('finishedAt');
    expect(months).toHaveLength(2);
  });

  it('starts the run that tells what will expire', async () => {
    const tenantId = await aTenant(db);
    // With a notice of 60 days some month is always due, though not always the next one.
    const publishedAt = startOfMonth(now - 1, 'UTC');
    await aRule(db, tenantId);
    await aProgramme(db, tenantId, { validityMonths: 1, expiryNoticeDays: 60, publishedAt });
    await aWallet(db, { tenantId, balance: 50 });
    let mails = 0;
    const mailer = {
      async send() {
        mails++;
      },
      async close() {},
    };
    const { workflowType, ...run } = noticesStart({ tenantId, month: monthText(now + 1) });
    await temporal.withWorker(activityDeps(db, { mailer }), async () => {
      expect(await watch()).not.toEqual({ started: 0 });
      const options = { ...run, taskQueue: TASK_QUEUE };
      await workflow.execute(workflowType, {
        ...options,
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      await temporal.history(run.workflowId, 'tell-expiry');
    });
    expect(mails).toBe(1);
  });

  it('holds up nothing else, however many shops tell their customers at that time', async () => {
    let end = () => {};
    const held = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined);
    });
    const activities: Activities = {
      ...createActivities(activityDeps(db)),
      tellExpiry: () => held,
      sendInvite: async () => 'sent',
    };
    const begin = ({ workflowType, ...run }: RunStart) =>
      workflow.start(workflowType, { ...run, taskQueue: TASK_QUEUE });
    const tenantId = () => TenantId.parse(randomUUID());
    await temporal.withActivities(activities, async () => {
      const telling = await Promise.all(
        // More than the tests' worker has slots for activities of all kinds.
        Array.from({ length: 25 }, () =>
          begin(noticesStart({ tenantId: tenantId(), month: monthText(now) })),
        ),
      );
      const asked = async () => {
        const states = await Promise.all(telling.map(async (run) => (await run.describe()).raw));
        return states.filter(({ pendingActivities }) => pendingActivities?.length === 1);
      };
      await expect.poll(asked, { timeout: 20_000 }).toHaveLength(telling.length);
      try {
        const invite = { id: InviteId.parse(randomUUID()), tenantId: tenantId() };
        const mailing = await begin(inviteMailStart(invite));
        expect(await withinMs(mailing.result(), 10_000)).toBe('sent');
      } finally {
        end();
        await Promise.all(telling.map((run) => run.result()));
      }
    });
  }, 60_000);
});
