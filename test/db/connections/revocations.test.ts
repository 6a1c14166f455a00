import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as outbox from '../../../db/connections/revocations.ts';
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
const rowOf = (id: ConnectionId) => db('pos_connections').where({ id }).first();
const takeOne = (id: ConnectionId) => outbox.take(db, { limit: 20, id });

it('takes an account once for many callers, and again after the lease of one killed', async () => {
  const { id } = await aDisconnected();
  const taken = await Promise.all(Array.from({ length: 8 }, () => takeOne(id)));
  expect(taken.flat()).toMatchObject([{ id, provider: 'alpha', isUsed: false }]);
  expect(await takeOne(id)).toEqual([]);
  const { revokeAfter } = await rowOf(id);
  expect(Math.round((Number(revokeAfter) - Date.now()) / 10_000)).toBe(12);
  await db('pos_connections').where({ id }).update({ revokeAfter: new Date() });
  expect(await takeOne(id)).toHaveLength(1);
});

it('says for as long as a call takes that a revocation is under way', async () => {
  const { id } = await aDisconnected();
  const other = await aDisconnected();
  expect(await outbox.isUnderWay(db, { id })).toBe(false);
  const [taken] = await takeOne(id);
  const { merchantId } = required(taken);
  expect(await outbox.isUnderWay(db, { id })).toBe(true);
  expect(await outbox.isUnderWay(db, { provider: 'alpha', merchantId })).toBe(true);
  expect(await outbox.isUnderWay(db, { provider: 'beta', merchantId })).toBe(false);
  expect(await outbox.isUnderWay(db, other)).toBe(false);
  await db('pos_connections')
    .where({ id })
    .update({ revokeAfter: db.raw(`revoke_after - interval '11 seconds'`) });
  expect(await outbox.isUnderWay(db, { id })).toBe(false);
  await outbox.forgetTokens(db, required(taken));
  await outbox.forgetTokens(db, required((await takeOne(other.id))[0]));
});

it('takes none that is connected or has no tokens, and the one waiting longest first', async () => {
  const [one, other] = [await aDisconnected(), await aDisconnected()];
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  const set = (id: ConnectionId, seconds: number) =>
    db('pos_connections')
      .where({ id })
      .update({ revokeAfter: new Date(Date.now() - seconds * 1_000) });
  await set(one.id, 10);
  await set(other.id, 20);
  expect(await outbox.take(db, { limit: 1 })).toMatchObject([{ id: other.id }]);
  const [taken] = await outbox.take(db, { limit: 20 });
  expect(taken).toMatchObject({ id: one.id });
  await outbox.forgetTokens(db, required(taken));
  expect(await rowOf(one.id)).toMatchObject({
    sealedAccessToken: null,
    sealedRefreshToken: null,
    revokeAfter: null,
  });
  expect(await takeOne(one.id)).toEqual([]);
});

it('leaves the tokens of an account alone that was connected again meanwhile', async () => {
  const { id, tenantId } = await aDisconnected();
  const [before] = await takeOne(id);
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  const leave = async () => {
    await outbox.forgetTokens(db, required(before));
    expect(await outbox.postpone(db, required(before))).toBe(false);
    expect(await rowOf(id)).toMatchObject({ sealedAccessToken: expect.stringMatching(/^v1/) });
  };
  await leave();
  await posConnections.disconnect(db, tenantId, id);
  await leave();
  expect(await takeOne(id)).toHaveLength(1);
});
