import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as revocations from '../../../db/connections/revocations.ts';
import * as dueWork from '../../../db/due-work.ts';
import type { ConnectionId, TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

async function aDisconnected(): Promise<{ id: ConnectionId; tenantId: TenantId }> {
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  const [row] = await posConnections.listActive(db, 'alpha', [tenantId]);
  const { id } = required(row);
  await posConnections.disconnect(db, tenantId, id);
  return { id, tenantId };
}
const take = () => dueWork.take(db, 'revoke_authorization', 20);
const found = async (id: ConnectionId) => required((await revocations.find(db, [id]))[0]);

it('is due once an account is disconnected', async () => {
  const { id } = await aDisconnected();
  expect((await take()).map((item) => item.id)).toContain(id);
  expect(await found(id)).toMatchObject({ provider: 'alpha', isUsed: false, isGivenUp: false });
});

it('says for as long as a call takes that a revocation is under way', async () => {
  const { id } = await aDisconnected();
  const { merchantId } = await found(id);
  expect(await revocations.isUnderWay(db, { id })).toBe(false);
  await take();
  const other = await aDisconnected();
  expect(await revocations.isUnderWay(db, { id })).toBe(true);
  expect(await revocations.isUnderWay(db, { provider: 'alpha', merchantId })).toBe(true);
  expect(await revocations.isUnderWay(db, { provider: 'beta', merchantId })).toBe(false);
  expect(await revocations.isUnderWay(db, other)).toBe(false);
  await db('due_work')
    .where({ subjectId: id })
    .update({ takenUntil: db.raw(`taken_until - interval '11 seconds'`) });
  expect(await revocations.isUnderWay(db, { id })).toBe(false);
});

it('finds none once it is settled, and an account for each time that it was left', async () => {
  const { id, tenantId } = await aDisconnected();
  const first = await found(id);
  const { merchantId } = first;
  await anAlphaConnection(db, { tenantId, merchantId });
  await posConnections.disconnect(db, tenantId, id);
  expect(await revocations.find(db, [id])).toMatchObject([{ merchantId }, { merchantId }]);
  await revocations.settle(db, first);
  const [left, ...others] = await revocations.find(db, [id]);
  expect(others).toEqual([]);
  await anAlphaConnection(db, { tenantId, merchantId });
  expect(await found(id)).toMatchObject({ merchantId, isUsed: true });
  await revocations.settle(db, required(left));
  expect(await revocations.find(db, [id])).toEqual([]);
});

it('is due for an account that another one replaces', async () => {
  const tenantId = await aTenant(db);
  const merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  const [row] = await posConnections.listActive(db, 'alpha', [tenantId]);
  const { id } = required(row);
  await anAlphaConnection(db, { tenantId, merchantId });
  expect(await revocations.find(db, [id])).toEqual([]);
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  expect(await found(id)).toMatchObject({ merchantId, isUsed: false });
  expect((await take()).map((item) => item.id)).toContain(id);
});
