import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as invites from '../../../db/users/invites.ts';
import { signIn } from '../../../db/users/users.ts';
import type { Claims } from '../../../domain/claims.ts';
import { InviteId, type TenantId, type UserId } from '../../../domain/ids.ts';
import { aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

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
  it('returns the person’s pending invite, but not one of another tenant', async () => {
    const first = await invite();
    expect(first).toMatchObject({ tenantId, email, status: 'pending', emailStatus: 'sent' });
    expect(await invite()).toEqual(first);
    expect((await invite(await aTenant(db))).id).not.toBe(first.id);
  });

  it('creates one invite when twenty calls run at once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => invite()));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });

  it('creates a new invite once the last one was revoked', async () => {
    const first = await invite();
    await invites.revoke(db, tenantId, first.id);
    expect((await invite()).id).not.toBe(first.id);
    expect(await statusOf(first.id)).toBe('revoked');
  });
});

describe('revoke', () => {
  it('revokes an invite, and changes nothing the second time', async () => {
    const { id } = await invite();
    await invites.revoke(db, tenantId, id);
    const row = () => db('invites').where({ id }).first();
    const once = await row();
    await invites.revoke(db, tenantId, id);
    expect(once).toMatchObject({ status: 'revoked', closedAt: expect.any(Date) });
    expect(await row()).toEqual(once);
  });

  it('NOT_FOUND for an unknown invite, another tenant’s and an accepted one', async () => {
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

describe('accepting at the next sign-in', () => {
  it('makes a new user an operator, who sees the tenant at once', async () => {
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

  it('makes a known consumer an operator, and gives an operator another tenant', async () => {
    const claims = person();
    await enter(claims);
    await invite();
    expect(await enter(claims)).toMatchObject({ role: 'pos_operator', tenantIds: [tenantId] });
    const second = await aTenant(db);
    await invite(second);
    expect((await enter(claims)).tenantIds.sort()).toEqual([tenantId, second].sort());
  });

  it('accepts the invites of several tenants at once', async () => {
    const others = await Promise.all([aTenant(db), aTenant(db)]);
    for (const id of [tenantId, ...others]) await invite(id);
    expect((await enter(person())).tenantIds.sort()).toEqual([tenantId, ...others].sort());
  });

  it('waits until the e-mail is verified', async () => {
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
    ['a consumer pending approval', { status: 'pending_approval' }],
  ])('leaves %s as they are and the invite pending', async (_, change) => {
    const claims = person();
    const { id: userId } = await enter(claims);
    await db('users').where({ id: userId }).update(change);
    const { id } = await invite();
    expect(await enter(claims)).toMatchObject(change);
    expect(await statusOf(id)).toBe('pending');
    expect(await operatorsOf()).toEqual([]);
  });

  it('leaves a revoked invite', async () => {
    const { id } = await invite();
    await invites.revoke(db, tenantId, id);
    expect(await enter(person())).toMatchObject({ role: 'consumer', tenantIds: [] });
  });

  it('writes nothing at later sign-ins', async () => {
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

  it('one membership, seen by all, when a person sends twenty requests at once', async () => {
    await invite();
    const claims = person();
    const users = await Promise.all(Array.from({ length: 20 }, () => enter(claims)));
    expect(new Set(users.map(({ role }) => role))).toEqual(new Set(['pos_operator']));
    expect(await operatorsOf()).toHaveLength(1);
  });

  it('one operator, and both are served, when two people share a verified e-mail', async () => {
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

  it('an invite is accepted or revoked, never both', async () => {
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

  it('no membership for a client whose role changes while the invite is accepted', async () => {
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

  it('every invite is accepted in the end when more are created meanwhile', async () => {
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
  it('lists only pending invites of this tenant, newest first, page by page', async () => {
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
