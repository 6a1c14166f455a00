import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../domain/errors.ts';
import { ConnectionId } from '../../domain/ids.ts';
import { TASK_QUEUE } from '../../workflows/ids.ts';
import { maintain } from '../../workflows/maintain.ts';
import { aUser } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { expectDocumentedActions } from './actions.ts';

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();

const orphan = ConnectionId.parse(randomUUID());
const schedules = (list: () => Promise<unknown>) => {
  const { pollSchedules } = activityDeps(db);
  const listed = { connectionId: orphan, isPaused: false, note: null, isCurrent: true };
  return {
    ...pollSchedules,
    list: async () => {
      await list();
      return [{ ...listed, intervalMs: 300_000 }];
    },
  };
};

async function run(list: () => Promise<unknown>, recorded: string) {
  const workflowId = `maintain/${randomUUID()}`;
  return temporal.withWorker(activityDeps(db, { pollSchedules: schedules(list) }), async () => {
    const handle = await temporal.client.workflow.start(maintain, {
      taskQueue: TASK_QUEUE,
      workflowId,
    });
    const ended = await Promise.allSettled([handle.result()]);
    const history = await temporal.history(workflowId, recorded);
    return { ...ended[0], history, played: await temporal.playedIn(workflowId) };
  });
}

async function anExpiredAnswer() {
  await db('idempotency_keys').insert({
    userId: await aUser(db),
    method: 'POST',
    path: '/x',
    key: randomUUID(),
    requestHmac: Buffer.alloc(32),
    status: 200,
    body: '{}',
    bodySealed: false,
    createdAt: db.raw(`now() - interval '25 hours'`),
  });
}

describe('maintain', () => {
  it('deletes what has expired, and makes Schedules that differ due', async () => {
    await anExpiredAnswer();
    const ended = await run(async () => undefined, 'maintain.done');
    expect(ended).toMatchObject({ value: { deleted: 1, schedulesDiffer: 1 } });
    expect(await db('idempotency_keys')).toEqual([]);
    const due = db('due_work').where({ kind: 'update_poll_schedule' });
    expect(await due).toMatchObject([{ subjectId: orphan }]);
    expect(await db('job_runs')).toMatchObject([{ job: 'maintain' }]);
    expectDocumentedActions('maintenance, with its Schedule', ended.history);
  });

  it('plays every step, once', async () => {
    const { played } = await run(async () => undefined, 'maintain.every-step');
    expect(played.sort()).toEqual([
      'addUpAwards',
      'addUpBalances',
      'comparePollSchedules',
      'compareWaitingEvents',
      'deleteExpiredResponses',
      'deleteFingerprints',
      'deleteInviteMailRecords',
      'deleteOldBodies',
      'deleteOldRehearsals',
      'deleteOldTruthDays',
      'deleteRateLimitCounts',
      'deleteStaleAuthorizations',
      'deleteTenantEvents',
      'disableFailingEndpoints',
      'noteUnusualMovements',
      'recordMaintenance',
    ]);
  });

  it('fails when a step fails, and names it, once the others are done', async () => {
    await anExpiredAnswer();
    await db('job_runs').delete();
    const refused = () => Promise.reject(new Refusal('FORBIDDEN', 'Listing is refused.'));
    expect(await run(refused, 'maintain.failed-step')).toMatchObject({
      reason: {
        cause: { type: 'MaintainStepsFailed', message: expect.stringMatching(/poll Sch/) },
      },
    });
    expect(await db('idempotency_keys')).toEqual([]);
    expect(await db('job_runs')).toEqual([]);
  });
});
