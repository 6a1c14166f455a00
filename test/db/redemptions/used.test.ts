import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { listUsed, listUsedAmong } from '../../../db/redemptions/used.ts';
import { aTenant, aUser, aWallet, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aRedemption, type Issued, testCodes } from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;

const burn = ({ tenantId, code }: Issued, operatorId: Issued['userId']) => {
  const hmacs = testCodes.hmacsOf(code);
  return db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
};
const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);

describe('listUsed and listUsedAmong', () => {
  it('list what the shop’s tills have used since then, last used first', async () => {
    const operatorId = await aUser(db, { role: 'pos_operator', email: 'grace@example.com' });
    await db('users').where({ id: operatorId }).update({ name: 'Grace Hopper' });
    const tenantId = await aTenant(db);
    await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
    const userId = await aUser(db, { email: 'ada@example.com' });
    const walletId = await aWallet(db, { balance: 100, tenantId, userId });
    const issue = () => aRedemption(db, { walletId, points: 10 });
    const [one, two, open] = [await issue(), await issue(), await issue()];
    const { usedAt } = required(await burn(two, operatorId));
    // A Date tells no two moments of a millisecond apart.
    const from = new Date(usedAt.getTime() + 1);
    while (Date.now() < from.getTime()) await sleep(1);
    await burn(one, operatorId);
    await burn(await aRedemption(db), operatorId);
    const start = new Date(0);
    const found = await listUsed(db, tenantId, { from: start, limit: 10 });
    expect(idsOf(found)).toEqual([one.id, two.id]);
    expect(found[0]).toEqual({
      id: one.id,
      points: 10,
      discountValueMinorUnits: 10,
      currency: 'EUR',
      reward: null,
      usedAt: expect.any(Date),
      usedBy: { userId: operatorId, email: 'grace@example.com', name: 'Grace Hopper' },
      customer: { name: null, email: 'ada@example.com' },
    });
    expect(idsOf(await listUsed(db, tenantId, { from, limit: 10 }))).toEqual([one.id]);
    const rest = await listUsed(db, tenantId, { from: start, limit: 10, after: one.id });
    expect(idsOf(rest)).toEqual([two.id]);
    const ids = [one.id, open.id, (await aRedemption(db)).id];
    expect(idsOf(await listUsedAmong(db, [tenantId], ids))).toEqual([one.id]);
  });
});
