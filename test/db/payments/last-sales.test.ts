import { expect, it } from 'vitest';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import { aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';

const { db } = await useDatabase();

it('is when the newest sale of the connection occurred, whatever else it heard of', async () => {
  const tenantId = await aTenant(db);
  const pay = await aTill(db, tenantId);
  const lastSale = async () => (await posConnections.findPrimary(db, tenantId))?.lastSaleAt;
  expect(await lastSale()).toBeNull();
  await pay({ createdAt: new Date('2026-01-15T09:00:00Z') });
  await pay({ createdAt: new Date('2026-01-15T10:00:00Z') });
  expect(await lastSale()).toEqual(new Date('2026-01-15T10:00:00Z'));
  await db('payments').where({ tenantId }).update({ provider: 'beta' });
  expect(await lastSale()).toBeNull();
  await (await aTill(db, await aTenant(db)))({});
  expect(await lastSale()).toBeNull();
});
