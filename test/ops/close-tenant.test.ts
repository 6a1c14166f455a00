import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import * as auditLog from '../../db/audit-log.ts';
import { removeOperator } from '../../db/users/memberships.ts';
import { anAlphaConnection, aTenant, aUser, aWallet } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { anInvite } from '../support/people/invites.ts';
import { runOpsHere } from '../support/run-ops.ts';

const { db, url } = await useDatabase();
const ops = (...args: string[]) => runOpsHere(args, { DATABASE_URL: url });
const close = (tenantId: string) =>
  ops('tenant', 'close', tenantId, '--reason', 'It has left.', '--json');
const roleOf = async (id: string) => (await db('users').where({ id }).first('role'))?.role;

it('ends all that a shop does, keeps what it sold, and is done once', async () => {
  const [ownerId, staffId] = [await aUser(db, { role: 'client' }), await aUser(db)];
  const tenantId = await aTenant(db, { ownerId });
  await db('tenants')
    .where({ id: tenantId })
    .update({ onboarding: { city: 'Bath' } });
  await db('users').where({ id: staffId }).update({ role: 'pos_operator' });
  await db('memberships').insert({ tenantId, userId: staffId, role: 'pos_operator' });
  await anAlphaConnection(db, { tenantId, merchantId: 'M1' });
  await anInvite(db, { tenantId, email: 'eve@example.com' });
  const walletId = await aWallet(db, { tenantId, balance: 40 });

  const closed = await close(tenantId);
  expect(JSON.parse(closed.out)).toEqual({ tenantId, people: 2, connections: 1, endpoints: 0 });
  expect(await db('tenants').where({ id: tenantId }).first()).toMatchObject({
    status: 'suspended',
    closedAt: expect.any(Date),
    onboarding: {},
  });
  expect(await db('memberships').where({ tenantId })).toEqual([]);
  expect([await roleOf(ownerId), await roleOf(staffId)]).toEqual(['consumer', 'consumer']);
  expect(await db('pos_connections').where({ tenantId }).first('status')).toEqual({
    status: 'disconnected',
  });
  expect(await db('invites').where({ tenantId }).first('status', 'email')).toEqual({
    status: 'withdrawn',
    email: null,
  });
  expect(await db('wallets').where({ id: walletId }).first('balance')).toEqual({ balance: 40 });

  expect(JSON.parse((await close(tenantId)).out)).toMatchObject({ people: 0, connections: 0 });
  expect(await ops('reinstate-tenant', tenantId)).toMatchObject({
    status: 1,
    err: expect.stringContaining('closed for good'),
  });
  expect(await db('audit_log').where({ tenantId, action: 'tenant.close' })).toMatchObject([
    { actor: 'ops', reason: 'It has left.', after: { status: 'closed', people: 2 } },
  ]);
});

it('leaves who works for another shop what they are there', async () => {
  const ownerId = await aUser(db, { role: 'client' });
  const [tenantId, otherId] = [await aTenant(db, { ownerId }), await aTenant(db, { ownerId })];
  await close(tenantId);
  expect(await roleOf(ownerId)).toBe('client');
  expect(await db('memberships').where({ userId: ownerId }).select('tenantId')).toEqual([
    { tenantId: otherId },
  ]);
});

it('and who removes somebody at that moment do not wait for each other', async () => {
  const email = `${randomUUID()}@example.com`;
  const userId = await aUser(db, { role: 'pos_operator', email });
  const tenantId = await aTenant(db);
  await db('memberships').insert({ tenantId, userId, role: 'pos_operator' });
  await anInvite(db, { tenantId, email });
  const removing = await db.transaction();
  await removing('users').where({ id: userId }).forNoKeyUpdate().select('id');
  const closing = close(tenantId);
  const waiting = db('pg_stat_activity')
    .where({ waitEventType: 'Lock' })
    .whereRaw('datname = current_database()');
  await expect.poll(() => waiting.clone().select('pid'), { timeout: 10_000 }).toHaveLength(1);
  await removeOperator(removing, { tenantId, userId, by: auditLog.byOps() });
  await removing.commit();
  expect(await closing).toMatchObject({ status: 0 });
  expect(await roleOf(userId)).toBe('consumer');
});

it('asks for a reason, and for a shop that is there', async () => {
  expect(await ops('tenant', 'close', randomUUID())).toMatchObject({
    status: 2,
    err: expect.stringContaining('--reason is missing.'),
  });
  expect(await close(randomUUID())).toMatchObject({
    status: 1,
    err: expect.stringContaining('There is no such'),
  });
});
