import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../db/connection.ts';
import * as invites from '../../../db/users/invites.ts';
import { signIn } from '../../../db/users/users.ts';
import type { Claims } from '../../../domain/claims.ts';
import { InviteId, type TenantId, type UserId } from '../../../domain/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { aTenant, aUser } from '../../support/factories.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());

let tenantId: TenantId;
let invitedBy: UserId;
let email: string;
beforeEach(async () => {
  invitedBy = await aUser(db, { role: 'client' });
  tenantId = await aTenant(db, { ownerId: invitedBy });
  email = `${randomUUID()}@example.com`;
});

const policy = { adminEmailDomain: 'staff.example', bootstrapAdminEmails: [] };

const invite = (to = tenantId) =>
  db.transaction((tx) =>
    invites.create(tx, { tenantId: to, email, emailStatus: 'sent', invitedBy }),
  );
const person = (some: Partial<Claims> = {}): Claims => ({
  iss: 'https://issuer.test',
  sub: randomUUID(),
  email,
  emailVerified: true,
  phone: null,
  phoneVerified: false,
  name: null,
  clientIntent: false,
  ...some,
});
const enter = (claims: Claims) => signIn(db, claims, policy);
const statusOf = async (id: InviteId) => (await db('invites').where({ id }).first()).status;
const operatorsOf = (id = tenantId) =>
  db('memberships').where({ tenantId: id, role: 'pos_operator' });

describe('create', () => {
  it('returns the pending invite of that person, and none of another tenant', async () => {
    const first = await invite();
    expect(first).toMatchObject({ tenantId, email, status: 'pending', emailStatus: 'sent' });
    expect(await invite()).toEqual(first);
    expect((await invite(await aTenant(db))).id).not.toBe(first.id);
  });

  it('twenty at once make one', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => invite()));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });

  it('makes a new one once the last was taken back', async () => {
    const first = await invite();
    await invites.revoke(db, tenantId, first.id);
    expect((await invite()).id).not.toBe(first.id);
    expect(await statusOf(first.id)).toBe('revoked');
  });
});

describe('revoke', () => {
  it('takes it back, and again changes nothing', async () => {
    const { id } = await invite();
    await invites.revoke(db, tenantId, id);
    const row = () => db('invites').where({ id }).first();
    const once = await row();
    await invites.revoke(db, tenantId, id);
    expect(once).toMatchObject({ status: 'revoked', closedAt: expect.any(Date) });
    expect(await row()).toEqual(once);
  });

  it('NOT_FOUND for an unknown one, another tenant’s and an accepted one', async () => {
    const { id } = await invite();
    const refused = { name: 'Refusal', code: 'NOT_FOUND' };
    const unknown = InviteId.parse(randomUUID());
    await expect(invites.revoke(db, tenantId, unknown)).rejects.toMatchObject(refused);
    await expect(invites.revoke(db, await aTenant(db), id)).rejects.toMatchObject(refused);
    await enter(person());
    await expect(invites.revoke(db, tenantId, id)).rejects.toMatchObject(refused);
    expect(await statusOf(id)).toBe('accepted');
  });
});

describe('accepting, at the next sign-in', () => {
  it('makes an operator of a newcomer, who sees the tenant at once', async () => {
    const { id } = await invite();
    const user = await enter(person());
    expect(user).toMatchObject({ role: 'pos_operator', status: 'active', tenantIds: [tenantId] });
    expect(await db('invites').where({ id }).first()).toMatchObject({
      status: 'accepted',
      acceptedBy: user.id,
      closedAt: expect.any(Date),
    });
    expect(user).not.toHaveProperty('isInvited');
  });

  it('of a known consumer, and of an operator of another tenant, who has two then', async () => {
    const claims = person();
    await enter(claims);
    await invite();
    expect(await enter(claims)).toMatchObject({ role: 'pos_operator', tenantIds: [tenantId] });
    const second = await aTenant(db);
    await invite(second);
    expect((await enter(claims)).tenantIds.sort()).toEqual([tenantId, second].sort());
  });

  it('of several tenants at once', async () => {
    const others = await Promise.all([aTenant(db), aTenant(db)]);
    for (const id of [tenantId, ...others]) await invite(id);
    expect((await enter(person())).tenantIds.sort()).toEqual([tenantId, ...others].sort());
  });

  it('once the e-mail is verified, and not before', async () => {
    const { id } = await invite();
    const claims = person({ emailVerified: false });
    expect(await enter(claims)).toMatchObject({ role: 'consumer' });
    expect(await statusOf(id)).toBe('pending');
    expect(await enter({ ...claims, emailVerified: true })).toMatchObject({ role: 'pos_operator' });
  });

  it.each([
    ['a client', { role: 'client' }],
    ['an admin', { role: 'admin' }],
    ['a suspended consumer', { status: 'suspended' }],
    ['a consumer who waits for approval', { status: 'pending_approval' }],
  ])('leaves %s as they are and the invite pending', async (_, change) => {
    const claims = person();
    const { id: userId } = await enter(claims);
    await db('users').where({ id: userId }).update(change);
    const { id } = await invite();
    expect(await enter(claims)).toMatchObject(change);
    expect(await statusOf(id)).toBe('pending');
    expect(await operatorsOf()).toEqual([]);
  });

  it('leaves what was taken back', async () => {
    const { id } = await invite();
    await invites.revoke(db, tenantId, id);
    expect(await enter(person())).toMatchObject({ role: 'consumer', tenantIds: [] });
  });

  it('writes nothing at the sign-ins after', async () => {
    await invite();
    const claims = person();
    const { id } = await enter(claims);
    const version = () => db('users').where({ id }).first('xmin', 'updatedAt');
    const before = await version();
    await enter(claims);
    expect(await version()).toEqual(before);
  });
});

describe('races', () => {
  const ROUNDS = 10;

  it('twenty requests of one person at once: one membership, and all see it', async () => {
    await invite();
    const claims = person();
    const users = await Promise.all(Array.from({ length: 20 }, () => enter(claims)));
    expect(new Set(users.map(({ role }) => role))).toEqual(new Set(['pos_operator']));
    expect(await operatorsOf()).toHaveLength(1);
  });

  it('two people of one verified e-mail: one is taken, both are served', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      email = `${randomUUID()}@example.com`;
      const people = [person(), person()];
      await Promise.all(people.map(enter));
      const tenants = [await aTenant(db), await aTenant(db), await aTenant(db)];
      for (const id of tenants) await invite(id);
      const users = await Promise.all(people.map(enter));
      expect(users.map(({ role }) => role).sort()).toEqual(['consumer', 'pos_operator']);
      for (const id of tenants) expect(await operatorsOf(id)).toHaveLength(1);
    }
  });

  it('accepted or taken back, never both', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      email = `${randomUUID()}@example.com`;
      const { id } = await invite();
      const claims = person();
      const [user, revoked] = await Promise.all([
        enter(claims),
        invites.revoke(db, tenantId, id).then(
          () => true,
          () => false,
        ),
      ]);
      const isOperator = user.role === 'pos_operator';
      expect([isOperator, await statusOf(id)]).toEqual(
        revoked ? [false, 'revoked'] : [true, 'accepted'],
      );
    }
  });

  it('accepted while the role is changed: a client gets no membership', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      email = `${randomUUID()}@example.com`;
      const claims = person();
      const { id: userId } = await enter(claims);
      const { id } = await invite();
      await Promise.all([
        enter(claims),
        db('users').where({ id: userId, role: 'consumer' }).update({ role: 'client' }),
      ]);
      const { role } = await db('users').where({ id: userId }).first('role');
      expect([role, await statusOf(id)]).toEqual(
        role === 'client' ? ['client', 'pending'] : ['pos_operator', 'accepted'],
      );
    }
  });

  it('invited again while accepting: every invite is accepted in the end', async () => {
    const claims = person();
    await enter(claims);
    await invite();
    await Promise.all([enter(claims), invite(), enter(claims), invite()]);
    await enter(claims);
    const open = await db('invites').where({ tenantId, email, status: 'pending' });
    expect(open).toEqual([]);
    expect(await operatorsOf()).toHaveLength(1);
  });
});

describe('listPending', () => {
  it('is the newest first, page by page, of this tenant and pending only', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      email = `${randomUUID()}@example.com`;
      made.unshift((await invite()).id);
    }
    await invite(await aTenant(db));
    await invites.revoke(db, tenantId, InviteId.parse(made.splice(2, 1)[0]));
    const first = await invites.listPending(db, tenantId, { limit: 2 });
    const after = first.at(-1)?.id;
    const rest = await invites.listPending(db, tenantId, { limit: 9, after });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(made);
    expect(await invites.listPending(db, await aTenant(db), { limit: 9, after })).toEqual([]);
  });
});
