import { expect, it } from 'vitest';
import * as erasures from '../../db/users/erasures.ts';
import { erasuresStart } from '../../workflows/erasures-start.ts';
import { TASK_QUEUE } from '../../workflows/ids.ts';
import { aTenant, aUser, aWallet } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { expectDocumentedActions } from './actions.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();
const { workflow } = temporal.client;

async function run(): Promise<unknown> {
  const { workflowType, ...start } = erasuresStart();
  return workflow.execute(workflowType, { ...start, taskQueue: TASK_QUEUE });
}

it('costs as many actions as is said while nobody is to be erased', async () => {
  await temporal.withWorker(activityDeps(db), async () => {
    expect(await run()).toEqual({ erased: 0 });
  });
  const history = await temporal.history(erasuresStart().workflowId, 'erase-people');
  expectDocumentedActions('the look for people to be erased, with its Schedule', history);
});

it('erases who is due, and names nobody', async () => {
  const email = 'ada@example.com';
  const userId = await aUser(db, { email });
  await aWallet(db, { userId, tenantId: await aTenant(db), balance: 10 });
  const asking = { userId, acting: aPerson(userId), reason: null };
  await db.transaction((tx) => erasures.request(tx, { ...asking, points: 0 }));
  await db('erasures').update({ beginsAt: db.fn.now() });
  await temporal.withWorker(activityDeps(db), async () => {
    expect(await run()).toEqual({ erased: 1 });
  });
  expect(await erasures.find(db, userId)).toMatchObject({ doneAt: expect.any(Date) });
  const { workflowId } = erasuresStart();
  const history = await temporal.history(workflowId, 'erase-people.erased');
  expect(history).not.toContain(email);
  expect((await workflow.getHandle(workflowId).describe()).memo).toMatchObject({
    summary: '1 people erased',
  });
});

function aPerson(actorUserId: Awaited<ReturnType<typeof aUser>>) {
  return { actor: 'user' as const, actorUserId, requestId: 'r', generatedRequestId: null };
}
