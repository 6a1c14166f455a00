import { expect, it } from 'vitest';
import { verifyLedger } from '../../../../db/ledger/verification/whole.ts';
import { aReward, aTenant } from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';

const { db } = await useUnverifiedDatabase();

it('a reward is found wrong where it counts other codes than there are', async () => {
  const id = await aReward(db, await aTenant(db), { stock: 3 });
  expect((await verifyLedger(db)).violations).toEqual([]);
  await db('rewards').where({ id }).update({ taken: 2 });
  const problem = `reward ${id} counts 2 as taken, and 0 codes for it are open or used`;
  expect((await verifyLedger(db)).violations).toMatchObject([{ problem }]);
});
