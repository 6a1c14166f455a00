import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Activities, createActivities } from '../../activities/index.ts';
import type { Db } from '../../db/connection.ts';
import type { TenantId } from '../../domain/ids.ts';
import { ObjectStoreUnavailable } from '../../gateways/objects/store.ts';
import { TASK_QUEUE } from '../../workflows/ids.ts';
import { signStatements } from '../../workflows/sign-statements.ts';
import { statementsStart } from '../../workflows/starts.ts';
import { aTenant, aWallet } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { createMemoryStore, type MemoryStore, statementsOf } from '../support/points/statements.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { expectDocumentedActions } from './actions.ts';

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
let objects: MemoryStore;
beforeEach(async () => {
  objects = createMemoryStore();
  await db('statement_progress').delete();
  await db('moved_wallets').delete();
});

async function run(recorded: string, store = objects) {
  const workflowId = `statements/${randomUUID()}`;
  return temporal.withWorker(activityDeps(db, { objects: store }), async () => {
    const handle = await temporal.client.workflow.start(signStatements, {
      ...statementsStart(),
      taskQueue: TASK_QUEUE,
      workflowId,
      args: [],
    });
    const [ended] = await Promise.allSettled([handle.result()]);
    const history = await temporal.history(workflowId, recorded);
    return { ...ended, history };
  });
}

async function aMovedWallet(on: Db = db): Promise<TenantId> {
  const tenantId = await aTenant(on);
  await aWallet(on, { tenantId, balance: 1 });
  return tenantId;
}

describe('signStatements', () => {
  it('signs and stores what is due, and the next run of the day finds nothing', async () => {
    const tenants = [await aMovedWallet(), await aMovedWallet()];
    const [statements, stored] = [2, 2];
    const value = { statements, stored, failed: 0 };
    const signed = await run('sign-statements.signed');
    expect(signed).toMatchObject({ value });
    expectDocumentedActions('the signing of statements, with its Schedule', signed.history);
    for (const tenantId of tenants) expect(await statementsOf(db, tenantId)).toHaveLength(1);
    expect(objects.objects.size).toBe(2);
    expect(await db('job_runs')).toMatchObject([{ job: 'statements' }]);
    expect(await run('sign-statements.idle')).toMatchObject({
      value: { statements: 0, stored: 0, failed: 0 },
    });
  });

  it('fails when a statement is not stored, and the next run stores it', async () => {
    await db('job_runs').delete();
    const tenantId = await aMovedWallet();
    let asked = 0;
    const get = async () => {
      asked += 1;
      return Buffer.from('another');
    };
    expect(await run('sign-statements.not-stored', { ...objects, get })).toMatchObject({
      reason: { cause: { type: 'StatementsFailed', message: expect.stringMatching(/^1 stat/) } },
    });
    expect(asked).toBe(1);
    expect(await db('job_runs')).toEqual([]);
    expect(await statementsOf(db, tenantId)).toHaveLength(1);
    expect(await run('sign-statements.stored-later')).toMatchObject({
      value: { statements: 0, stored: 1, failed: 0 },
    });
  });

  it('is not recorded as completed while it leaves tenants to the next run', async () => {
    await db('job_runs').delete();
    let slices = 0;
    const activities: Activities = {
      ...createActivities(activityDeps(db, { objects })),
      signStatements: async () => {
        slices += 1;
        return { statements: 1, failed: 0, next: slices < 3 ? randomUUID() : null };
      },
    };
    const sign = () =>
      temporal.client.workflow.execute(signStatements, {
        taskQueue: TASK_QUEUE,
        workflowId: `statements/${randomUUID()}`,
        args: [2],
      });
    await temporal.withActivities(activities, async () => {
      expect(await sign()).toMatchObject({ statements: 2, failed: 0 });
      expect(await db('job_runs')).toEqual([]);
      expect(await sign()).toMatchObject({ statements: 1, failed: 0 });
      expect(await db('job_runs')).toMatchObject([{ job: 'statements' }]);
    });
  });

  it('goes on when the object store is back', async () => {
    await aMovedWallet();
    let isAway = true;
    const get = async () => {
      if (!isAway) return undefined;
      isAway = false;
      throw new ObjectStoreUnavailable('It is away.');
    };
    expect(await run('sign-statements.retried', { ...objects, get })).toMatchObject({
      value: { statements: 1, stored: 1, failed: 0 },
    });
  });
});
