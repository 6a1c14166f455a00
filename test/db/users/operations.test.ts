import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as users from '../../../db/users/operations.ts';
import { UserId } from '../../../domain/ids.ts';
import { expectAccessAnnounced } from '../../support/database/announced.ts';
import { aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const DOMAIN = 'staff.example';
const anEmail = (domain = 'example.com') => `${randomUUID()}@${domain}`;
const suspend = (who: users.UserKey) =>
  users.suspend(db, who, { ...users.byOps(), adminEmailDomain: () => DOMAIN });

describe('suspend', () => {
  it('suspends all users with the e-mail, any number of times', async () => {
    const email = anEmail();
    const ids = [await aUser(db, { email }), await aUser(db, { email, emailVerified: false })];
    for (let time = 0; time < 2; time++) {
      const changed = await suspend({ email });
      expect(changed.map(({ id, status }) => [id, status]).sort()).toEqual(
        ids.map((id) => [id, 'suspended']).sort(),
      );
    }
  });

  it('suspends one of several users by id', async () => {
    const email = anEmail();
    const [id, other] = [await aUser(db, { email }), await aUser(db, { email })];
    expect(await suspend({ id })).toMatchObject([{ id, status: 'suspended' }]);
    expect(await db('users').where({ id: other }).first('status')).toEqual({ status: 'active' });
  });

  it.each([{ email: 'nobody@example.com' }, { id: UserId.parse(randomUUID()) }])(
    'NOT_FOUND for %j',
    async (who) => {
      await expect(suspend(who)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    },
  );
});

describe('suspending administrators', () => {
  it('refuses the last active one inside the domain', async () => {
    const refusal = { code: 'RULE_REJECTED', issues: [{ code: 'last_admin' }] };
    const other = await aUser(db, { role: 'admin', status: 'suspended' });
    const outside = await aUser(db, { role: 'admin' });
    const unverified = { email: anEmail(DOMAIN), emailVerified: false };
    await aUser(db, { role: 'admin', ...unverified });
    const id = await aUser(db, { role: 'admin', email: anEmail(DOMAIN) });
    await expect(suspend({ id })).rejects.toMatchObject(refusal);
    expect(await suspend({ id: other })).toMatchObject([{ status: 'suspended' }]);
    expect(await suspend({ id: outside })).toMatchObject([{ status: 'suspended' }]);

    const second = await aUser(db, { role: 'admin', email: anEmail(DOMAIN) });
    expect(await suspend({ id })).toMatchObject([{ status: 'suspended' }]);
    await expect(suspend({ id: second })).rejects.toMatchObject(refusal);
  });
});

describe('the audit log', () => {
  it('has an entry of the command line for each user who was changed, and no other', async () => {
    const email = anEmail(DOMAIN);
    const id = await aUser(db, { email });
    const already = await aUser(db, { email, emailVerified: false, status: 'suspended' });
    for (let time = 0; time < 2; time++) await suspend({ email });
    await users.reinstate(db, { id });
    for (let time = 0; time < 2; time++) await users.grantAdmin(db, { id }, DOMAIN);

    const entry = (action: string, before: object, after: object) => ({
      actor: 'ops',
      actorUserId: null,
      action,
      targetType: 'user',
      before,
      after,
    });
    const [active, suspended, admin] = [
      { role: 'consumer', status: 'active' },
      { role: 'consumer', status: 'suspended' },
      { role: 'admin', status: 'active' },
    ];
    expect(await db('audit_log').where({ targetId: id }).orderBy('seq')).toMatchObject([
      entry('user.suspend', active, suspended),
      entry('user.reinstate', suspended, active),
      entry('user.grant_admin', active, admin),
    ]);
    expect(await db('audit_log').where({ targetId: already })).toEqual([]);
  });
});

describe('reinstate', () => {
  it.each(['active', 'pending_approval'] as const)(
    'restores %s, also of a merchant who owns an old workspace',
    async (status) => {
      const id = await aUser(db, { role: 'client', status });
      await aTenant(db, { ownerId: id });
      await suspend({ id });
      expect(await users.reinstate(db, { id })).toMatchObject([{ status }]);
    },
  );

  it('makes suspended users active, and leaves all others as they are', async () => {
    const email = anEmail();
    const suspended = await aUser(db, { email, status: 'suspended' });
    const pending = await aUser(db, { email, role: 'client', status: 'pending_approval' });
    const changed = await users.reinstate(db, { email });
    expect(new Map(changed.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [suspended, 'active'],
        [pending, 'pending_approval'],
      ]),
    );
  });

  it.each([
    { workspace: true, status: 'active' },
    { workspace: false, status: 'pending_approval' },
  ])('$status for a merchant with a workspace ($workspace)', async ({ workspace, status }) => {
    const email = anEmail();
    const ownerId = await aUser(db, { email, role: 'client', status: 'suspended' });
    if (workspace) await aTenant(db, { ownerId });
    expect(await users.reinstate(db, { email })).toMatchObject([{ id: ownerId, status }]);
  });
});

describe('grantAdmin', () => {
  const grant = (who: users.UserKey) => users.grantAdmin(db, who, DOMAIN);

  it('makes the one user with the verified e-mail an admin, any number of times', async () => {
    const email = anEmail(DOMAIN);
    const id = await aUser(db, { email, status: 'pending_approval' });
    await aUser(db, { email, emailVerified: false });
    for (let time = 0; time < 2; time++) {
      expect(await grant({ email })).toMatchObject([{ id, role: 'admin', status: 'active' }]);
    }
  });

  it('ends what the new admin did at tills, and nothing else', async () => {
    const email = anEmail(DOMAIN);
    const id = await aUser(db, { email, role: 'pos_operator' });
    await db('memberships').insert({
      tenantId: await aTenant(db),
      userId: id,
      role: 'pos_operator',
    });
    const owned = await aTenant(db, { ownerId: id });
    await grant({ email });
    expect(await db('memberships').where({ userId: id })).toMatchObject([{ tenantId: owned }]);
  });

  it('announces it, so that what they saw at a till ends', async () => {
    const email = anEmail(DOMAIN);
    const id = await aUser(db, { email, role: 'pos_operator' });
    await expectAccessAnnounced(database, id, () => grant({ email }));
  });

  it.each([
    { because: 'outside the domain', user: { email: 'a@other.example' }, says: 'staff.example' },
    {
      because: 'in a sub-domain',
      user: { email: 'a@sub.staff.example' },
      says: 'at staff.example',
    },
    {
      because: 'not verified',
      user: { email: 'b@staff.example', emailVerified: false },
      says: 'not verified',
    },
    {
      because: 'suspended',
      user: { email: 'c@staff.example', status: 'suspended' },
      says: 'reinstate it first',
    },
  ] as const)('refuses a user who is $because, and changes nothing', async ({ user, says }) => {
    const id = await aUser(db, user);
    await expect(grant({ email: user.email })).rejects.toThrow(says);
    expect(await db('users').where({ id }).first('role')).toEqual({ role: 'consumer' });
  });

  it('refuses an e-mail of several verified users, unless one is named by id', async () => {
    const email = anEmail(DOMAIN);
    const id = await aUser(db, { email });
    const other = await aUser(db, { email });
    await expect(grant({ email })).rejects.toThrow('one of them by id');
    await grant({ id });
    expect(await db('users').where({ id: other }).first('role')).toEqual({ role: 'consumer' });
  });
});
