import { describe, expect, it } from 'vitest';
import { TASK_QUEUE, tiersWorkflowId } from '../../workflows/ids.ts';
import { watchNightsStart } from '../../workflows/tiers-start.ts';
import { aProgramme, aTenant, aWallet, required } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { expectDocumentedActions } from './actions.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();
const { workflow } = temporal.client;

async function watch(): Promise<unknown> {
  const { workflowType, ...run } = watchNightsStart();
  return workflow.execute(workflowType, { ...run, taskQueue: TASK_QUEUE });
}

describe('watchNights', () => {
  it('costs as many actions as is said while no night is due', async () => {
    await temporal.withWorker(activityDeps(db), async () => {
      expect(await watch()).toEqual({ started: 0 });
    });
    const history = await temporal.history(watchNightsStart().workflowId, 'watch-nights');
    expectDocumentedActions(
      'the look for nights in which tiers are decided, with its Schedule',
      history,
    );
  });

  it('starts the run of each shop with tiers, which decides the newest night', async () => {
    const tenantId = await aTenant(db);
    const tier = { key: 'gold', name: 'Gold', thresholdMinorUnits: 1, multiplier: 2 };
    await aProgramme(db, tenantId, { tiers: [tier] });
    await aWallet(db, { tenantId });
    await temporal.withWorker(activityDeps(db), async () => {
      expect(await watch()).toEqual({ started: 1 });
      const night = (now: Date) => now.toISOString().slice(0, 10);
      const threeHoursAgo = new Date(Date.now() - 3 * 3_600_000);
      const run = workflow.getHandle(tiersWorkflowId(tenantId, night(threeHoursAgo)));
      await run.result();
      await temporal.history(run.workflowId, 'decide-tiers');
      expect((await run.describe()).memo).toMatchObject({
        summary: '0 of 1 customers have another tier',
      });
      expect(await watch()).toEqual({ started: 0 });
    });
    const shop = await db('tenants').where('id', tenantId).first<{ tiersDecidedOn: Date }>();
    expect(required(shop).tiersDecidedOn).not.toBeNull();
  });
});
