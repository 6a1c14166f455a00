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

it('is due once an account with tokens is disconnected', async () => {
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

it('finds none that is connected or has no tokens', async () => {
  const { id, tenantId } = await aDisconnected();
  await revocations.forgetTokens(db, await found(id));
  expect(await revocations.find(db, [id])).toEqual([]);
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  expect(await revocations.find(db, [id])).toEqual([]);
});

it('leaves the tokens of an account alone that was connected again meanwhile', async () => {
  const { id, tenantId } = await aDisconnected();
  const before = await found(id);
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  const leave = async () => {
    await revocations.forgetTokens(db, before);
    expect(await db('pos_connections').where({ id }).first()).toMatchObject({
      sealedAccessToken: expect.stringMatching(/^v1/),
    });
  };
  await leave();
  await posConnections.disconnect(db, tenantId, id);
  await leave();
});
