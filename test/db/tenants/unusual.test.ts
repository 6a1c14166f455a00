import { beforeEach, describe, expect, it } from 'vitest';
import * as unusual from '../../../db/tenants/unusual.ts';
import type { TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import { aTenant, aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';
import { aRedemption } from '../../support/points/redemptions.ts';

const { db } = await useDatabase();
let tenantId: TenantId;
let userId: UserId;
let walletId: WalletId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  userId = await aUser(db);
  walletId = await aWallet(db, { tenantId, userId });
});

async function sales(number: number, hoursApart = 0): Promise<void> {
  for (let nth = 0; nth < number; nth++) {
    const id = await aCreditedPayment(db, walletId, 10);
    const occurredAt = db.raw(`now() - make_interval(hours => ?)`, [nth * hoursApart]);
    await db('payments').where({ id }).update({ occurredAt });
  }
}
const count = () => unusual.countUnusual(db, tenantId);
const noted = async () => {
  await unusual.noteTenants(db);
  const due = await db('due_work').where({ kind: 'tell_of_unusual', subjectId: tenantId });
  return due.length > 0;
};

describe('movements', () => {
  it('are unusual from the sixth of 24 hours on, sales and codes together', async () => {
    await sales(4);
    await aRedemption(db, { walletId, points: 5 });
    expect([await count(), await noted()]).toEqual([0, false]);
    await aRedemption(db, { walletId, points: 5 });
    expect([await count(), await noted()]).toEqual([1, true]);
    expect(await unusual.countUnusual(db, await aTenant(db))).toBe(0);
  });

  it('are usual when they are spread over more than a day, and come at once', async () => {
    await sales(6, 5);
    expect(await count()).toBe(0);
    await db('payments').where({ walletId }).update({ occurredAt: db.fn.now() });
    expect(await count()).toBe(1);
    await db('payments')
      .where({ walletId })
      .update({ createdAt: db.raw(`now() - interval '1 day'`) });
    expect(await count()).toBe(0);
  });

  it('are noted again only a day after the owners were told', async () => {
    await sales(6);
    expect(await unusual.findNotices(db, [tenantId])).toMatchObject([{ id: tenantId }]);
    await unusual.recordTold(db, tenantId);
    expect(await noted()).toBe(false);
    expect(await unusual.findNotices(db, [tenantId])).toEqual([]);
    await db('tenants')
      .where({ id: tenantId })
      .update({ unusualToldAt: db.raw(`now() - interval '1 day'`) });
    expect(await noted()).toBe(true);
  });
});
