import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { byUser } from '../../../db/audit-log.ts';
import * as decisions from '../../../db/users/invite-decisions.ts';
import * as invites from '../../../db/users/invites.ts';
import * as memberships from '../../../db/users/memberships.ts';
import { type SignInPolicy, signIn, type User } from '../../../db/users/users.ts';
import type { Claims } from '../../../domain/claims.ts';
import { InviteId, type TenantId, type UserId } from '../../../domain/ids.ts';
import { aTenant, aUser, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anInvite, lapse, statusOf } from '../../support/people/invites.ts';

const database = await useDatabase();
const { db } = database;
const requestId = 'test';
const policy: SignInPolicy = {
  adminEmailDomain: 'staff.example',
  bootstrapAdminEmails: [],
  proofs: testSealer.fingerprints,
  requestId,
};

let email: string;
beforeEach(() => {
  email = `${randomUUID()}@example.com`;
});

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
const enter = (claims: Claims, some: Partial<SignInPolicy> = {}): Promise<User> =>
  signIn(db, claims, { ...policy, ...some });
const accept = (userId: UserId, inviteId: InviteId) =>
  db.transaction((tx) => decisions.accept(tx, { userId, inviteId, by: byUser(userId, requestId) }));
const decline = (userId: UserId, inviteId: InviteId) =>
  db.transaction((tx) => decisions.decline(tx, { userId, inviteId }));
const personOf = (id: UserId) => db('users').where({ id }).first('role', 'status');
const shopsOf = async (userId: UserId) =>
  (await db('memberships').where({ userId, role: 'pos_operator' })).map((row) => row.tenantId);
const auditOf = (targetId: string) => db('audit_log').where({ targetId }).orderBy('seq');
const notFound = { name: 'Refusal', code: 'NOT_FOUND' };

describe('the first sign-in', () => {
  it('accepts the only invite, which is older, and leaves an audit entry', async () => {
    const { id, tenantId } = await anInvite(db, { email });
    const user = await enter(person());
    expect(user).toMatchObject({ role: 'pos_operator', status: 'active', tenantIds: [tenantId] });
    expect(await db('invites').where({ id }).first()).toMatchObject({
      status: 'accepted',
      acceptedBy: user.id,
      closedAt: expect.any(Date),
    });
    expect(await auditOf(user.id)).toMatchObject([
      {
        action: 'operator.accept',
        actorUserId: user.id,
        tenantId,
        before: { role: 'consumer' },
        after: { role: 'pos_operator', inviteId: id },
        requestId,
      },
    ]);
  });

  it.each([
    { invited: 'münchen.example', token: 'xn--mnchen-3ya.example' },
    { invited: 'xn--mnchen-3ya.example', token: 'münchen.example' },
  ])('accepts an invite to $invited with an e-mail at $token', async ({ invited, token }) => {
    const name = randomUUID();
    const { tenantId } = await anInvite(db, { email: `${name}@${invited}` });
    const user = await enter(person({ email: `${name}@${token}` }));
    expect(user).toMatchObject({ role: 'pos_operator', tenantIds: [tenantId] });
  });

  it('accepts none of several, which stay pending', async () => {
    const made = [await anInvite(db, { email }), await anInvite(db, { email })];
    const user = await enter(person());
    expect(user).toMatchObject({ role: 'consumer', tenantIds: [] });
    for (const each of made) expect(await statusOf(db, each)).toBe('pending');
    const pending = await decisions.listPending(db, user.id);
    expect(pending.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  });

  it.each([
    ['the e-mail is not verified, even if it is later', { emailVerified: false }],
    ['the person comes as a merchant', { clientIntent: true }],
    ['the person has another e-mail', { email: 'somebody@else.example' }],
  ])('accepts nothing when %s', async (_, some) => {
    const made = await anInvite(db, { email });
    const claims = person(some);
    const { role } = await enter(claims);
    expect(role).not.toBe('pos_operator');
    expect(await enter({ ...claims, email, emailVerified: true })).toMatchObject({ role });
    expect(await statusOf(db, made)).toBe('pending');
  });

  it('accepts nothing that is withdrawn, lapsed or not older than the user', async () => {
    const withdrawn = await anInvite(db, { email });
    await invites.withdraw(db, withdrawn.tenantId, withdrawn.id);
    await lapse(db, await anInvite(db, { email }));
    await anInvite(db, { email, secondsAgo: -60 });
    expect(await enter(person())).toMatchObject({ role: 'consumer' });
  });

  it('makes an admin of a bootstrap e-mail, who works at no till', async () => {
    email = `${randomUUID()}@staff.example`;
    const made = await anInvite(db, { email });
    const user = await enter(person(), { bootstrapAdminEmails: [email] });
    expect(user.role).toBe('admin');
    expect(await statusOf(db, made)).toBe('pending');
  });

  it('is one, seen by all, when a person sends twenty requests at once', async () => {
    await anInvite(db, { email });
    const claims = person();
    const users = await Promise.all(Array.from({ length: 20 }, () => enter(claims)));
    expect(new Set(users.map(({ role }) => role))).toEqual(new Set(['pos_operator']));
    expect(await auditOf(users[0]?.id ?? '')).toHaveLength(1);
  });

  it('makes one operator when two people share the verified e-mail', async () => {
    await anInvite(db, { email });
    const users = await Promise.all([person(), person()].map((claims) => enter(claims)));
    expect(users.map(({ role }) => role).sort()).toEqual(['consumer', 'pos_operator']);
  });

  it('accepts or is too late for a withdrawal, never both', async () => {
    for (let round = 0; round < 10; round++) {
      email = `${randomUUID()}@example.com`;
      const made = await anInvite(db, { email });
      const [user, isWithdrawn] = await Promise.all([
        enter(person()),
        invites.withdraw(db, made.tenantId, made.id).then(
          () => true,
          () => false,
        ),
      ]);
      expect([user.role, await statusOf(db, made)]).toEqual(
        isWithdrawn ? ['consumer', 'withdrawn'] : ['pos_operator', 'accepted'],
      );
    }
  });
});

describe('every later sign-in', () => {
  it.each(['consumer', 'pos_operator', 'client', 'admin'] as const)(
    'leaves a %s as they are, and the invite pending',
    async (role) => {
      const claims = person();
      const { id } = await enter(claims);
      const shop = await aTenant(db);
      await db('users').where({ id }).update({ role });
      if (role === 'pos_operator')
        await db('memberships').insert({ tenantId: shop, userId: id, role });
      const made = await anInvite(db, { email });
      expect(await enter(claims)).toMatchObject({ role });
      expect(await shopsOf(id)).toEqual(role === 'pos_operator' ? [shop] : []);
      expect(await statusOf(db, made)).toBe('pending');
    },
  );
});

describe('accept', () => {
  it('makes a consumer an operator, and gives an operator another shop', async () => {
    const userId = await aUser(db, { email });
    const made = [await anInvite(db, { email }), await anInvite(db, { email })];
    for (const { id } of made) await accept(userId, id);
    expect(await personOf(userId)).toEqual({ role: 'pos_operator', status: 'active' });
    expect((await shopsOf(userId)).sort()).toEqual(made.map(({ tenantId }) => tenantId).sort());
    expect(await decisions.listPending(db, userId)).toEqual([]);
    expect(await auditOf(userId)).toMatchObject([
      { action: 'operator.accept', before: { role: 'consumer' } },
      { action: 'operator.accept', before: { role: 'pos_operator' } },
    ]);
  });

  it('changes nothing the second time, nor after a removal, even five at once', async () => {
    const userId = await aUser(db, { email });
    const { id, tenantId } = await anInvite(db, { email });
    await Promise.all([1, 2, 3, 4, 5].map(() => accept(userId, id)));
    expect(await auditOf(userId)).toHaveLength(1);
    const by = byUser(userId, requestId);
    await db.transaction((tx) => memberships.removeOperator(tx, { tenantId, userId, by }));
    await accept(userId, id);
    expect(await shopsOf(userId)).toEqual([]);
    expect(await personOf(userId)).toMatchObject({ role: 'consumer' });
  });

  it('gives nobody back a shop of the role that was taken away before', async () => {
    const userId = await aUser(db, { email });
    const former = await aTenant(db);
    await db('memberships').insert({ tenantId: former, userId, role: 'pos_operator' });
    const { id, tenantId } = await anInvite(db, { email });
    await accept(userId, id);
    expect(await shopsOf(userId)).toEqual([tenantId]);
  });

  it.each(['client', 'admin'] as const)('FORBIDDEN for a %s', async (role) => {
    const userId = await aUser(db, { email, role });
    const made = await anInvite(db, { email });
    for (const decide of [accept, decline]) {
      await expect(decide(userId, made.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await decisions.listPending(db, userId)).toEqual([]);
    expect(await statusOf(db, made)).toBe('pending');
  });

  it('NOT_FOUND for another person’s, for an unverified e-mail and an unknown one', async () => {
    const { id } = await anInvite(db, { email });
    const [stranger, unverified] = [
      await aUser(db),
      await aUser(db, { email, emailVerified: false }),
    ];
    for (const userId of [stranger, unverified]) {
      for (const decide of [accept, decline]) {
        await expect(decide(userId, id)).rejects.toMatchObject(notFound);
        await expect(decide(userId, InviteId.parse(randomUUID()))).rejects.toMatchObject(notFound);
      }
      expect(await decisions.listPending(db, userId)).toEqual([]);
    }
    await accept(await aUser(db, { email }), id);
    await expect(accept(await aUser(db, { email }), id)).rejects.toMatchObject(notFound);
  });

  it('NOT_FOUND for one that is withdrawn, lapsed or declined', async () => {
    const userId = await aUser(db, { email });
    const refused = async ({ id }: { id: InviteId }) => {
      await expect(accept(userId, id)).rejects.toMatchObject(notFound);
      expect(await shopsOf(userId)).toEqual([]);
    };
    const withdrawn = await anInvite(db, { email });
    await invites.withdraw(db, withdrawn.tenantId, withdrawn.id);
    await refused(withdrawn);
    const lapsed = await anInvite(db, { email });
    await lapse(db, lapsed);
    await refused(lapsed);
    await expect(decline(userId, lapsed.id)).rejects.toMatchObject(notFound);
    const declined = await anInvite(db, { email });
    await decline(userId, declined.id);
    await refused(declined);
  });
});

describe('decline', () => {
  it('closes the invite and changes nothing of the person, any number of times', async () => {
    const userId = await aUser(db, { email });
    const made = await anInvite(db, { email });
    await decline(userId, made.id);
    await decline(userId, made.id);
    expect(await statusOf(db, made)).toBe('declined');
    expect(await personOf(userId)).toEqual({ role: 'consumer', status: 'active' });
    expect(await auditOf(userId)).toEqual([]);
    expect(await decisions.listPending(db, userId)).toEqual([]);
  });

  it('NOT_FOUND for an invite that was accepted', async () => {
    const userId = await aUser(db, { email });
    const { id } = await anInvite(db, { email });
    await accept(userId, id);
    await expect(decline(userId, id)).rejects.toMatchObject(notFound);
  });
});

describe('races', () => {
  const ROUNDS = 10;

  it('an invite is accepted, declined or withdrawn: one of them', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      email = `${randomUUID()}@example.com`;
      const userId = await aUser(db, { email });
      const { id, tenantId } = await anInvite(db, { email });
      const ended = await Promise.allSettled([
        accept(userId, id),
        decline(userId, id),
        invites.withdraw(db, tenantId, id),
      ]);
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const isAccepted = (await statusOf(db, { id })) === 'accepted';
      expect(await shopsOf(userId)).toEqual(isAccepted ? [tenantId] : []);
    }
  });

  it('no membership for somebody who becomes a client meanwhile', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      email = `${randomUUID()}@example.com`;
      const userId = await aUser(db, { email });
      const { id } = await anInvite(db, { email });
      const becoming = db.transaction(async (tx) => {
        await tx('users').where({ id: userId }).forNoKeyUpdate().first('id');
        await memberships.endAll(tx, userId, { role: 'client', by: null });
        await tx('users').where({ id: userId }).update({ role: 'client' });
      });
      await Promise.allSettled([accept(userId, id), becoming]);
      expect(await personOf(userId)).toMatchObject({ role: 'client' });
      expect(await shopsOf(userId)).toEqual([]);
    }
  });

  it('an operator of the new shop only, when removed at the old one meanwhile', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      email = `${randomUUID()}@example.com`;
      const old: TenantId = await aTenant(db);
      const userId = await aUser(db, { email, role: 'pos_operator' });
      await db('memberships').insert({ tenantId: old, userId, role: 'pos_operator' });
      const { id, tenantId } = await anInvite(db, { email });
      const by = byUser(userId, requestId);
      await Promise.all([
        accept(userId, id),
        db.transaction((tx) => memberships.removeOperator(tx, { tenantId: old, userId, by })),
      ]);
      expect(await personOf(userId)).toMatchObject({ role: 'pos_operator' });
      expect(await shopsOf(userId)).toEqual([tenantId]);
    }
  });
});

describe('an invite to a domain with other letters than ASCII', () => {
  it.each([
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['xn--mnchen-3ya.example', 'münchen.example'],
  ])('is of the person with the other spelling: %s, %s', async (invited, token) => {
    const [name, other] = [randomUUID(), `${randomUUID()}@${token}`];
    // Signed in before the invites, so that they decide.
    const { id: userId } = await enter(person({ email: `${name}@${token}` }));
    const made = await anInvite(db, { email: `${name}@${invited}` });
    const second = await anInvite(db, { email: `${name}@${invited}` });
    const { id: stranger } = await enter(person({ email: other }));
    expect(await decisions.listPending(db, userId)).toMatchObject([
      { id: made.id },
      { id: second.id },
    ]);
    expect(await decisions.getOwn(db, userId, made.id)).toMatchObject({ id: made.id });
    expect(await decisions.listPending(db, stranger)).toEqual([]);
    await expect(accept(stranger, made.id)).rejects.toMatchObject(notFound);
    await accept(userId, made.id);
    await decline(userId, second.id);
    expect(await shopsOf(userId)).toEqual([made.tenantId]);

    // Removed, they cannot return by the invite that is open.
    const again = await anInvite(db, { tenantId: made.tenantId, email: `${name}@${invited}` });
    await db.transaction((tx) =>
      memberships.removeOperator(tx, {
        tenantId: made.tenantId,
        userId,
        by: byUser(userId, requestId),
      }),
    );
    expect(await statusOf(db, again)).toBe('withdrawn');
  });

  it('is one, whichever way the shop writes it, and keeps the first spelling', async () => {
    const [tenantId, name] = [await aTenant(db), randomUUID()];
    const first = await anInvite(db, { tenantId, email: `${name}@münchen.example` });
    const ascii = `${name}@xn--mnchen-3ya.example`;
    expect(await invites.findOpen(db, tenantId, ascii)).toMatchObject({
      id: first.id,
      email: `${name}@münchen.example`,
    });
    expect((await anInvite(db, { tenantId, email: ascii })).id).toBe(first.id);
    await lapse(db, first);
    expect((await anInvite(db, { tenantId, email: ascii })).id).not.toBe(first.id);
    expect(await statusOf(db, first)).toBe('lapsed');
  });
});
