import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as invites from '../../../db/users/invites.ts';
import * as memberships from '../../../db/users/memberships.ts';
import { type TenantId, UserId } from '../../../domain/ids.ts';
import type { Role } from '../../../domain/roles.ts';
import { aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
let removedBy: UserId;
beforeEach(async () => {
  removedBy = await aUser(db, { role: 'client' });
  tenantId = await aTenant(db, { ownerId: removedBy });
});

async function anOperator(...tenants: TenantId[]): Promise<UserId> {
  const userId = await aUser(db, { role: 'pos_operator' });
  for (const id of tenants) await hire(userId, id);
  return userId;
}
const hire = (userId: UserId, id: TenantId) =>
  db('memberships').insert({ tenantId: id, userId, role: 'pos_operator' });
const remove = (userId: UserId, id = tenantId) =>
  db.transaction((tx) => memberships.removeOperator(tx, { tenantId: id, userId, removedBy }));
const personOf = (id: UserId) => db('users').where({ id }).first('role', 'status', 'email');
const isOperatorOf = async (userId: UserId, id: TenantId) =>
  (await db('memberships').where({ userId, tenantId: id, role: 'pos_operator' })).length === 1;

describe('removeOperator', () => {
  it('makes someone who works nowhere else a consumer, and keeps the status', async () => {
    const userId = await anOperator(tenantId);
    await db('users').where({ id: userId }).update({ status: 'suspended' });
    await remove(userId);
    expect(await personOf(userId)).toMatchObject({ role: 'consumer', status: 'suspended' });
    expect(await isOperatorOf(userId, tenantId)).toBe(false);
  });

  it('keeps the role of someone who also works elsewhere', async () => {
    const other = await aTenant(db);
    const userId = await anOperator(tenantId, other);
    await remove(userId);
    expect(await personOf(userId)).toMatchObject({ role: 'pos_operator' });
    expect(await isOperatorOf(userId, other)).toBe(true);
  });

  it.each<Role>(['client', 'admin', 'consumer'])(
    'keeps the role of someone who has become a %s',
    async (role) => {
      const userId = await anOperator(tenantId);
      await db('users').where({ id: userId }).update({ role });
      await remove(userId);
      expect(await personOf(userId)).toMatchObject({ role });
    },
  );

  it('changes nothing the second time, even if the person now works elsewhere', async () => {
    const userId = await anOperator(tenantId);
    await remove(userId);
    await db('users').where({ id: userId }).update({ role: 'pos_operator' });
    await hire(userId, await aTenant(db));
    await remove(userId);
    expect(await personOf(userId)).toMatchObject({ role: 'pos_operator' });
    expect(await db('operator_removals').where({ userId })).toMatchObject([
      { tenantId, removedBy },
    ]);
  });

  it('revokes only the invite by which the person could return', async () => {
    const userId = await anOperator(tenantId);
    const { email } = await personOf(userId);
    const other = await aTenant(db);
    const invite = (id: TenantId, to: string) =>
      db.transaction((tx) =>
        invites.create(tx, {
          tenantId: id,
          email: to,
          emailStatus: 'sent',
          invitedBy: removedBy,
        }),
      );
    const ids = [
      await invite(tenantId, email),
      await invite(other, email),
      await invite(tenantId, 'someone@else.example'),
    ].map(({ id }) => id);
    await remove(userId);
    const rows = await db('invites').whereIn('id', ids).select('id', 'status');
    const statuses = new Map(rows.map(({ id, status }) => [id, status]));
    expect(ids.map((id) => statuses.get(id))).toEqual(['revoked', 'pending', 'pending']);
  });

  it.each([
    ['unknown', async () => UserId.parse(randomUUID())],
    ['the merchant', async () => removedBy],
    ['an operator of another tenant', async () => anOperator(await aTenant(db))],
    ['a consumer', () => aUser(db)],
  ])('NOT_FOUND for someone who is %s', async (_, someone) => {
    const userId = await someone();
    await expect(remove(userId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('races', () => {
  const ROUNDS = 10;

  it('a consumer in the end when two tenants remove an operator at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const other = await aTenant(db);
      const userId = await anOperator(tenantId, other);
      await Promise.all([remove(userId), remove(userId, other)]);
      expect(await personOf(userId)).toMatchObject({ role: 'consumer' });
    }
  });

  it('one removal, and no error, when an operator is removed three times at once', async () => {
    const userId = await anOperator(tenantId);
    await Promise.all([remove(userId), remove(userId), remove(userId)]);
    expect(await db('operator_removals').where({ userId })).toHaveLength(1);
  });

  it('an operator of the new tenant only, when removed at the old one meanwhile', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const other = await aTenant(db);
      const userId = await anOperator(tenantId);
      const { email } = await personOf(userId);
      await db.transaction((tx) =>
        invites.create(tx, {
          tenantId: other,
          email,
          emailStatus: 'sent',
          invitedBy: removedBy,
        }),
      );
      await Promise.all([remove(userId), invites.acceptAll(db, userId)]);
      expect(await personOf(userId)).toMatchObject({ role: 'pos_operator' });
      expect(await isOperatorOf(userId, other)).toBe(true);
      expect(await isOperatorOf(userId, tenantId)).toBe(false);
    }
  });
});

describe('listOperators', () => {
  it('lists operators newest first, page by page, even if some are removed meanwhile', async () => {
    const hired: UserId[] = [];
    for (let n = 0; n < 5; n++) hired.unshift(await anOperator(tenantId));
    // Two have joined at the same moment, as when two invites are accepted at once.
    await db('memberships')
      .where({ tenantId, role: 'pos_operator' })
      .whereIn('userId', hired.slice(1, 3))
      .update({ createdAt: '2026-01-15T10:00:00.123456Z' });
    await anOperator(await aTenant(db));

    const all = await memberships.listOperators(db, tenantId, { limit: 99 });
    expect(all.map(({ userId }) => userId).sort()).toEqual([...hired].sort());
    expect(all.map(({ joinedMicros }) => joinedMicros)).toEqual(
      all.map(({ joinedMicros }) => joinedMicros).sort((one, other) => other - one),
    );

    const paged: UserId[] = [];
    let after: memberships.OperatorPosition | undefined;
    for (;;) {
      const [next] = await memberships.listOperators(db, tenantId, { limit: 1, after });
      if (next === undefined) break;
      paged.push(next.userId);
      after = [next.joinedMicros, next.userId];
      await remove(next.userId);
    }
    expect(paged).toEqual(all.map(({ userId }) => userId));
  });
});
