import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import * as points from '../../../db/notices/points.ts';
import { aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';

const { db } = await useDatabase();

/** Looks at what was written milliseconds ago. */
async function look(limit = 100): Promise<number> {
  await sleep(5);
  return points.note(db, limit, 0);
}
const due = () => db('due_work').where({ kind: 'tell_of_points' }).orderBy('subjectId');

it('looks at each entry once, in pages, and says whether there are any', async () => {
  const walletIds = [await aWallet(db), await aWallet(db), await aWallet(db)];
  for (const walletId of walletIds) await aCreditedPayment(db, walletId, 10);
  await sleep(5);
  expect(await points.hasNews(db, 0)).toBe(true);
  expect([await look(2), await look(2), await look(2)]).toEqual([2, 1, 0]);
  expect(await points.hasNews(db, 0)).toBe(false);
  expect(await due()).toMatchObject(walletIds.toSorted().map((subjectId) => ({ subjectId })));
});

it('leaves entries to a later look while an older transaction is open', async () => {
  const walletId = await aWallet(db);
  const tx = await db.transaction();
  await tx.raw('select 1');
  try {
    await aCreditedPayment(db, walletId, 10);
    expect(await look()).toBe(0);
  } finally {
    await tx.rollback();
  }
  expect(await look()).toBe(1);
});
