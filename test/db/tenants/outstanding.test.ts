import { beforeEach, describe, expect, it } from 'vitest';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as outstanding from '../../../db/tenants/outstanding.ts';
import { countOne } from '../../../db/tenants/statistics.ts';
import type { TenantId, WalletId } from '../../../domain/ids.ts';
import { aCredit, aTenant, aWallet, postByHand } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aRedemption, expiresIn } from '../../support/points/redemptions.ts';

const { db } = await useDatabase();
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  walletId = await aWallet(db, { tenantId, balance: 500 });
});

describe('pointsNow', () => {
  const points = () => outstanding.pointsNow(db, tenantId);

  it('adds up all balances, and the points in codes that are open', async () => {
    await aWallet(db, { tenantId, balance: 11 });
    expect(await points()).toEqual({ outstanding: 511, owed: 0 });
    const { id } = await aRedemption(db, { walletId, points: 30 });
    expect(await points()).toMatchObject({ outstanding: 511 });
    await expiresIn(db, [id], -1);
    expect(await points()).toMatchObject({ outstanding: 511 });
    await lifecycle.expireOne(db, id, 'forfeit');
    expect(await points()).toMatchObject({ outstanding: 481 });
  });

  it('adds up what is owed beside them, and takes it from nothing', async () => {
    const owing = await aWallet(db, { tenantId });
    await db('wallets').where({ id: owing }).update({ owed: 70 });
    expect(await points()).toEqual({ outstanding: 500, owed: 70 });
    await db('wallets').where({ id: owing }).update({ owed: 0 });
  });

  it('is zero for a tenant without consumers', async () => {
    const none = { outstanding: 0, owed: 0 };
    expect(await outstanding.pointsNow(db, await aTenant(db))).toEqual(none);
  });
});

describe('pointsNow, with very many wallets', () => {
  const limits = { live: 2, page: 2 };
  const points = () => outstanding.pointsNow(db, tenantId, limits);

  beforeEach(async () => {
    for (const balance of [10, 20, 30, 40]) await aWallet(db, { tenantId, balance });
  });

  it('shows the last sum of the balances, and the codes and debts of now', async () => {
    expect(await points()).toEqual({ outstanding: 600, owed: 0 });
    await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 7)]));
    await aRedemption(db, { walletId, points: 30 });
    expect(await points()).toEqual({ outstanding: 630, owed: 0 });
  });

  it('is right again once the job has added them up', async () => {
    await points();
    await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 7)]));
    const number = await countOne(db, 'wallets', tenantId);
    const before = db.fn.now();
    const settled = { tenantId, counted: 'wallets', number, createdBefore: before };
    await db('tenant_counts').insert(settled).onConflict(['tenantId', 'counted']).merge();
    const small = await aTenant(db);
    expect(await outstanding.keepAll(db, limits)).toBe(1);
    expect(await points()).toEqual({ outstanding: 607, owed: 0 });
    expect(await db('tenant_balances').where({ tenantId: small })).toEqual([]);
    await db('tenant_counts').where({ tenantId }).delete();
  });

  it('adds up each wallet once, also those of one moment', async () => {
    await db('wallets').where({ tenantId }).update({ createdAt: '2026-01-15T10:00:00.000001Z' });
    expect(await points()).toEqual({ outstanding: 600, owed: 0 });
  });
});
