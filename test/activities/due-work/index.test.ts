import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createDueWorkActivities } from '../../../activities/due-work/index.ts';
import { DUE_KINDS } from '../../../db/due-work.ts';
import { anAlphaConnection, aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

it('does the work of all kinds, and throws only then when one cannot be looked for', async () => {
  await aUser(db, { email: `${randomUUID()}@example.com` });
  await anAlphaConnection(db, { tenantId: await aTenant(db), merchantId: randomUUID() });
  const ensured: string[] = [];
  const deps = activityDeps(db);
  const { doDueWork } = createDueWorkActivities({
    ...deps,
    pollSchedules: { ...deps.pollSchedules, ensure: async ({ id }) => void ensured.push(id) },
  });
  const tx = await database.owner.transaction();
  await tx.raw('alter table users rename column phone to number');
  await tx.commit();
  await expect(doDueWork()).rejects.toThrow('phone');
  expect(ensured).toHaveLength(1);
  await database.owner.raw('alter table users rename column number to phone');
  await db('due_work').update({ takenUntil: null });
  await doDueWork();
  // What comes each week is due again.
  expect(await db('due_work').pluck('kind')).toEqual(['tell_of_week']);
});

it('takes work of each kind', async () => {
  await db('due_work').delete();
  // About nobody: there is nothing to do about it, or it fails and is put off.
  await db('due_work').insert(DUE_KINDS.map((kind) => ({ kind, subjectId: randomUUID() })));
  await createDueWorkActivities(activityDeps(db)).doDueWork();
  expect(await db('due_work').where({ attempts: 0 }).pluck('kind')).toEqual([]);
});
