import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { byUser } from '../../../db/audit-log.ts';
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
const remove = (userId: UserId, id = tenantId) => {
  const by = byUser(removedBy, 'test');
  return db.transaction((tx) => memberships.removeOperator(tx, { tenantId: id, userId, by }));
};
const leave = (userId: UserId, id = tenantId) =>
  db.transaction((tx) =>
    memberships.leave(tx, { tenantId: id, userId, by: byUser(userId, 'test') }),
  );
const auditOf = (targetId: UserId) =>
  db('audit_log').where({ targetId }).orderBy('seq').select('action', 'tenantId', 'actorUserId');
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

  it('leaves an audit entry of who did it, once', async () => {
    const userId = await anOperator(tenantId);
    await remove(userId);
    await remove(userId);
    expect(await db('audit_log').where({ targetId: userId })).toMatchObject([
      {
        action: 'operator.remove',
        actorUserId: removedBy,
        tenantId,
        before: { role: 'pos_operator' },
        after: { role: 'consumer' },
      },
    ]);
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

  it('withdraws only the invite by which the person could return', async () => {
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
    expect(ids.map((id) => statuses.get(id))).toEqual(['withdrawn', 'pending', 'pending']);
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

  it('one end, and one audit entry, when an operator leaves and is removed at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const userId = await anOperator(tenantId);
      await Promise.all([leave(userId), remove(userId), leave(userId)]);
      expect(await personOf(userId)).toMatchObject({ role: 'consumer' });
      expect(await auditOf(userId)).toHaveLength(1);
    }
  });
});

describe('leave', () => {
  it('ends the membership, with an audit entry of the operator, once', async () => {
    const other = await aTenant(db);
    const userId = await anOperator(tenantId, other);
    for (let time = 0; time < 2; time++) await leave(userId);
    expect(await personOf(userId)).toMatchObject({ role: 'pos_operator' });
    await leave(userId, other);
    await leave(userId, other);
    expect(await personOf(userId)).toMatchObject({ role: 'consumer' });
    expect(await auditOf(userId)).toEqual([
      { action: 'operator.leave', tenantId, actorUserId: userId },
      { action: 'operator.leave', tenantId: other, actorUserId: userId },
    ]);
    await remove(userId);
  });

  it('FORBIDDEN for a client and an admin, NOT_FOUND for who never worked there', async () => {
    const clerk = await aUser(db, { role: 'admin' });
    for (const userId of [removedBy, clerk]) {
      await expect(leave(userId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    for (const userId of [await aUser(db), await anOperator(await aTenant(db))]) {
      await expect(leave(userId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('endAll', () => {
  const end = (userId: UserId, by: Parameters<typeof memberships.endAll>[2]['by']) =>
    db.transaction((tx) => memberships.endAll(tx, userId, { role: 'admin', by }));

  it('ends every membership at a till, each with its audit entry, and no other', async () => {
    const other = await aTenant(db);
    const userId = await anOperator(tenantId, other);
    await aTenant(db, { ownerId: userId });
    await end(userId, byUser(removedBy, 'test'));
    expect(await db('memberships').where({ userId }).pluck('role')).toEqual(['client']);
    const entries = await auditOf(userId);
    expect(entries.map((entry) => entry.tenantId).sort()).toEqual([tenantId, other].sort());
    expect(new Set(entries.map((entry) => entry.action))).toEqual(new Set(['operator.remove']));
    await remove(userId);
  });

  it('writes no audit entry when nobody signed in did it', async () => {
    const userId = await anOperator(tenantId);
    await end(userId, null);
    expect(await isOperatorOf(userId, tenantId)).toBe(false);
    expect(await auditOf(userId)).toEqual([]);
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
