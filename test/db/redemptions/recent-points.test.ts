import { expect, it } from 'vitest';
import { recentPoints } from '../../../db/redemptions/recent-points.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import type { WalletId } from '../../../domain/ids.ts';
import { aReward, aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aRedemption, expiresIn, testCodes } from '../../support/points/redemptions.ts';

const { db } = await useDatabase();

const recentOf = async (walletId: WalletId) => {
  const { rows } = await db.raw(`select ${recentPoints(':walletId')} as points`, { walletId });
  return rows[0].points;
};

it('are those of open codes, overdue ones too, and of codes used in 24 hours', async () => {
  const walletId = await aWallet(db, { balance: 1_000 });
  const operatorId = await aUser(db);
  const read = () => recentOf(walletId);
  await aRedemption(db, { points: 99 });
  expect(await read()).toBe(0);
  const [open, used, old] = [
    await aRedemption(db, { walletId, points: 1 }),
    await aRedemption(db, { walletId, points: 10 }),
    await aRedemption(db, { walletId, points: 100 }),
  ];
  expect(await read()).toBe(111);
  const { tenantId } = used;
  const hmacs = testCodes.hmacsOf(used.code);
  await db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
  await expiresIn(db, [open.id], -1);
  expect(await read()).toBe(111);
  await db('redemptions')
    .where({ id: old.id })
    .update({
      status: 'used',
      sealedCode: null,
      usedBy: operatorId,
      usedAt: db.raw(`now() - interval '24 hours'`),
      createdAt: db.raw(`created_at - interval '24 hours'`),
      expiresAt: db.raw(`expires_at - interval '24 hours'`),
    });
  expect(await read()).toBe(11);
});

it('leaves out codes for rewards, open or used', async () => {
  const walletId = await aWallet(db, { balance: 1_000 });
  const operatorId = await aUser(db);
  const [open, used] = [
    await aRedemption(db, { walletId, points: 1 }),
    await aRedemption(db, { walletId, points: 10 }),
  ];
  expect(await recentOf(walletId)).toBe(11);
  const { tenantId } = used;
  const rewardId = await aReward(db, tenantId);
  await db('redemptions').whereIn('id', [open.id, used.id]).update({ rewardId });
  await db('rewards').where({ id: rewardId }).update({ taken: 2 });
  expect(await recentOf(walletId)).toBe(0);
  const hmacs = testCodes.hmacsOf(used.code);
  await db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
  expect(await recentOf(walletId)).toBe(0);
});
