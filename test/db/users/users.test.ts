import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { isKnown, type SignInPolicy, signIn } from '../../../db/users/users.ts';
import type { Claims } from '../../../domain/claims.ts';
import type { UserId } from '../../../domain/ids.ts';
import { createSealer } from '../../../gateways/crypto/sealer.ts';
import { expectAccessAnnounced } from '../../support/database/announced.ts';
import { aTenant, aWallet, testKeys, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const policy: SignInPolicy = {
  adminEmailDomain: 'staff.example',
  bootstrapAdminEmails: [],
  proofs: testSealer.fingerprints,
  requestId: 'test',
};

const NEWER = { id: 'k2', key: new Uint8Array(32).fill(7) };

function claims(some: Partial<Claims> = {}): Claims {
  const sub = randomUUID();
  return {
    iss: 'https://issuer.test',
    sub,
    email: `${sub}@shop.example`,
    emailVerified: true,
    phone: null,
    phoneVerified: false,
    name: 'Ada',
    language: null,
    clientIntent: false,
    ...some,
  };
}

const set = (id: UserId, changes: object) => db('users').where({ id }).update(changes);
const countOf = async ({ sub }: Claims) => (await db('users').where({ sub })).length;

describe('signIn', () => {
  it('creates an active consumer at the first sign-in, and finds the same one later', async () => {
    const ada = claims({ phone: '+41446681800', phoneVerified: true });
    const user = await signIn(db, ada, policy);
    const { clientIntent, ...said } = ada;
    expect(user).toEqual({
      ...said,
      id: user.id,
      role: 'consumer',
      status: 'active',
      tenantIds: [],
    });
    expect(await signIn(db, ada, policy)).toEqual(user);
    expect(await countOf(ada)).toBe(1);
  });

  it('keeps the language of the first sign-in, whatever later ones are in', async () => {
    const ada = claims({ language: 'de' });
    expect((await signIn(db, ada, policy)).language).toBe('de');
    for (const language of ['en', null, undefined] as const) {
      const user = await signIn(db, { ...ada, language, name: `Ada ${language}` }, policy);
      expect(user).toMatchObject({ name: `Ada ${language}`, language: 'de' });
    }
  });

  it('creates a merchant pending approval for a client intent, at first sign-in only', async () => {
    const merchant = claims({ clientIntent: true });
    expect(await signIn(db, merchant, policy)).toMatchObject({
      role: 'client',
      status: 'pending_approval',
    });
    const consumer = claims();
    await signIn(db, consumer, policy);
    expect(await signIn(db, { ...consumer, clientIntent: true }, policy)).toMatchObject({
      role: 'consumer',
      status: 'active',
    });
  });

  it('creates one user for twenty first requests at once', async () => {
    const ada = claims();
    const users = await Promise.all(Array.from({ length: 20 }, () => signIn(db, ada, policy)));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    expect(await countOf(ada)).toBe(1);
  });

  it('creates two users for one subject of two issuers', async () => {
    const ada = claims();
    const other = { ...ada, iss: 'https://other.test' };
    expect((await signIn(db, ada, policy)).id).not.toBe((await signIn(db, other, policy)).id);
  });

  it('updates contacts from the token', async () => {
    const ada = claims();
    const { id } = await signIn(db, ada, policy);
    const moved = { email: 'new@shop.example', emailVerified: false, name: null };
    const phone = { phone: '+41446681800', phoneVerified: true };
    expect(await signIn(db, { ...ada, ...moved, ...phone }, policy)).toMatchObject({
      id,
      ...moved,
      ...phone,
    });
    const gone = { email: null, emailVerified: false, phone: null, phoneVerified: false };
    expect(await signIn(db, { ...ada, ...gone }, policy)).toMatchObject({ id, ...gone });
  });

  it('never changes role and status after the token', async () => {
    const ada = claims();
    const { id } = await signIn(db, ada, policy);
    await set(id, { role: 'pos_operator', status: 'suspended' });
    expect(await signIn(db, { ...ada, name: 'Bob', clientIntent: true }, policy)).toMatchObject({
      id,
      name: 'Bob',
      role: 'pos_operator',
      status: 'suspended',
    });
  });

  it('writes nothing when the token has nothing new', async () => {
    const ada = claims();
    const { id } = await signIn(db, ada, policy);
    const version = () => db('users').where({ id }).first('xmin', 'updatedAt');
    const before = await version();
    await signIn(db, ada, policy);
    expect(await version()).toEqual(before);
  });

  it('returns the tenants where the role works, or where a consumer holds a wallet', async () => {
    const ada = claims();
    const { id } = await signIn(db, ada, policy);
    const [shop, bar] = [await aTenant(db, { ownerId: id }), await aTenant(db)];
    await db('memberships').insert({ tenantId: bar, userId: id, role: 'pos_operator' });
    await aWallet(db, { userId: id, tenantId: bar });
    const tenantIds = async (role: string) => {
      await set(id, { role });
      return (await signIn(db, ada, policy)).tenantIds;
    };
    expect(await tenantIds('client')).toEqual([shop]);
    expect(await tenantIds('pos_operator')).toEqual([bar]);
    expect(await tenantIds('consumer')).toEqual([bar]);
  });
});

describe('the token that contacts are from', () => {
  const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000);
  const rowOf = (id: UserId) =>
    db('users').where({ id }).first('phone', 'phoneVerifiedAt', 'contactsIssuedAt');

  function tokens() {
    const base = claims({ phone: '+41446681800', phoneVerified: true });
    const old = { ...base, contactsIssuedAt: at(0) };
    const moved = { ...base, phone: '+41446681801', contactsIssuedAt: at(60) };
    return { old, moved };
  }

  it('is the newest: an older one that is still valid changes nothing', async () => {
    const { old, moved } = tokens();
    const { id } = await signIn(db, old, policy);
    await signIn(db, moved, policy);
    const after = await rowOf(id);
    expect(after).toMatchObject({ phone: moved.phone, contactsIssuedAt: at(60) });
    expect(await signIn(db, old, policy)).toMatchObject({ id, phone: moved.phone });
    expect(await rowOf(id)).toEqual(after);
  });

  it('is the newest also when an old and a new one come at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { old, moved } = tokens();
      const { id } = await signIn(db, { ...old, phone: null, phoneVerified: false }, policy);
      await Promise.all([old, moved, old, moved].map((each) => signIn(db, each, policy)));
      expect(await rowOf(id)).toMatchObject({ phone: moved.phone });
    }
  });

  it('keeps since when a contact is verified, when a new one says the same', async () => {
    const { old } = tokens();
    const { id } = await signIn(db, old, policy);
    const before = await rowOf(id);
    await signIn(db, { ...old, name: 'Bob', contactsIssuedAt: at(90) }, policy);
    expect((await rowOf(id)).phoneVerifiedAt).toEqual(before.phoneVerifiedAt);
  });
});

describe('a contact that a token leaves out', () => {
  const phone = '+12125550101';
  const rowOf = (id: UserId) => db('users').where({ id }).first();
  const enter = (some: Partial<Claims>, as = policy) =>
    signIn(db, { ...base, phone: null, phoneVerified: false, ...some }, as);
  const withPhone = (number = phone) => ({ phone: number, phoneVerified: true });
  let base: Claims;
  beforeEach(() => {
    base = claims();
  });

  it('was not verified anew when a later one has it again, and another one was', async () => {
    const { id } = await enter(withPhone());
    const { phoneVerifiedAt } = await rowOf(id);
    await enter({});
    await enter({ name: 'Bob' });
    await enter(withPhone());
    expect((await rowOf(id)).phoneVerifiedAt).toEqual(phoneVerifiedAt);
    await enter({});
    const before = Date.now();
    await enter(withPhone('+12125550102'));
    expect((await rowOf(id)).phoneVerifiedAt.getTime()).toBeGreaterThanOrEqual(before - 1_000);
    expect((await rowOf(id)).phoneVerifiedAt).not.toEqual(phoneVerifiedAt);
  });

  it('was verified anew after one that did not say that it is verified', async () => {
    const { id } = await enter(withPhone());
    const { phoneVerifiedAt } = await rowOf(id);
    await enter({ phone });
    await enter(withPhone());
    expect((await rowOf(id)).phoneVerifiedAt).not.toEqual(phoneVerifiedAt);
  });

  it('leaves a proof that only the key can compare, and only while it is left out', async () => {
    const { id } = await enter(withPhone());
    expect(await rowOf(id)).toMatchObject({ emailProof: null, phoneProof: null });
    await enter({});
    const { phoneProof } = await rowOf(id);
    expect(phoneProof).toEqual(policy.proofs(phone)[0]);
    expect(phoneProof).not.toEqual(createHash('sha256').update(phone).digest());
    await enter(withPhone());
    expect(await rowOf(id)).toMatchObject({ phoneProof: null });

    // Whoever empties contacts by hand leaves nothing behind.
    const nothing = { email: null, emailVerified: false, phone: null, phoneVerified: false };
    await set(id, nothing);
    expect(await rowOf(id)).toMatchObject({ ...nothing, emailProof: null, phoneProof: null });
  });

  it('is compared by a former key as well', async () => {
    const rotated = { ...policy, proofs: createSealer([NEWER, ...testKeys]).fingerprints };
    const { id } = await enter(withPhone());
    const { phoneVerifiedAt } = await rowOf(id);
    await enter({});
    await enter(withPhone(), rotated);
    expect((await rowOf(id)).phoneVerifiedAt).toEqual(phoneVerifiedAt);
  });
});

it('shows an e-mail as its token has it, and knows how it is matched', async () => {
  const name = randomUUID();
  const { id, email } = await signIn(db, claims({ email: `${name}@münchen.example` }), policy);
  expect(email).toBe(`${name}@münchen.example`);
  const ascii = `${name}@xn--mnchen-3ya.example`;
  expect(await db('users').where({ id }).first('asciiEmail')).toEqual({ asciiEmail: ascii });
  expect([await isKnown(db, ascii), await isKnown(db, email ?? '')]).toEqual([true, true]);
});

describe('signIn of a bootstrap admin', () => {
  const aBootstrap = () => {
    const email = `${randomUUID()}@staff.example`;
    return { ada: claims({ email }), policy: { ...policy, bootstrapAdminEmails: [email] } };
  };

  it('makes a new user and a known one an active admin', async () => {
    const first = aBootstrap();
    expect(await signIn(db, first.ada, first.policy)).toMatchObject({
      role: 'admin',
      status: 'active',
    });
    const second = aBootstrap();
    const pending = { ...second.ada, clientIntent: true };
    const { id } = await signIn(db, pending, policy);
    expect(await signIn(db, pending, second.policy)).toMatchObject({
      id,
      role: 'admin',
      status: 'active',
    });
  });

  it('leaves an entry in the audit log, once, with the request', async () => {
    const { ada, policy: bootstrap } = aBootstrap();
    await signIn(db, { ...ada, clientIntent: true }, policy);
    const asked = { ...bootstrap, requestId: 'request-7' };
    const users = await Promise.all([1, 2, 3].map(() => signIn(db, ada, asked)));
    expect(await db('audit_log').where({ targetId: users[0]?.id })).toMatchObject([
      {
        actor: 'ops',
        actorUserId: null,
        action: 'user.bootstrap',
        targetType: 'user',
        before: { role: 'client', status: 'pending_approval' },
        after: { role: 'admin', status: 'active' },
        requestId: 'request-7',
      },
    ]);
  });

  it.each([
    { some: { emailVerified: false }, because: 'the e-mail is not verified' },
    { some: { email: 'other@staff.example' }, because: 'the e-mail is not listed' },
    { some: { email: null, emailVerified: false }, because: 'there is no e-mail' },
  ])('makes no admin when $because', async ({ some }) => {
    const { ada, policy: bootstrap } = aBootstrap();
    expect((await signIn(db, { ...ada, ...some }, bootstrap)).role).toBe('consumer');
  });

  it('makes no admin when the e-mail is outside the admins’ domain', async () => {
    const ada = claims({ email: `${randomUUID()}@sub.staff.example` });
    const listed = { ...policy, bootstrapAdminEmails: [ada.email ?? ''] };
    expect((await signIn(db, ada, listed)).role).toBe('consumer');
  });

  it('makes no admin when the user is suspended', async () => {
    const { ada, policy: bootstrap } = aBootstrap();
    const { id } = await signIn(db, ada, policy);
    await set(id, { status: 'suspended' });
    expect(await signIn(db, ada, bootstrap)).toMatchObject({
      role: 'consumer',
      status: 'suspended',
    });
  });

  it('ends what a new admin did at tills', async () => {
    const { ada, policy: bootstrap } = aBootstrap();
    const { id } = await signIn(db, ada, policy);
    await set(id, { role: 'pos_operator' });
    const tenantId = await aTenant(db);
    await db('memberships').insert({ tenantId, userId: id, role: 'pos_operator' });
    expect(await signIn(db, ada, bootstrap)).toMatchObject({ role: 'admin', tenantIds: [] });
    expect(await db('memberships').where({ userId: id })).toEqual([]);
    expect(await db('audit_log').where({ targetId: id, tenantId })).toMatchObject([
      { action: 'operator.remove', after: { role: 'admin' } },
    ]);
  });

  it('announces a new admin, so that what they saw at a till ends', async () => {
    const { ada, policy: bootstrap } = aBootstrap();
    const { id } = await signIn(db, ada, policy);
    await set(id, { role: 'pos_operator' });
    await expectAccessAnnounced(database, id, () => signIn(db, ada, bootstrap));
  });

  it('makes one admin per e-mail, once: not the same user again, nor another one', async () => {
    const { ada, policy: bootstrap } = aBootstrap();
    const { id } = await signIn(db, ada, bootstrap);
    await set(id, { role: 'consumer' });
    expect((await signIn(db, ada, bootstrap)).role).toBe('consumer');
    const impostor = { ...ada, sub: randomUUID() };
    expect((await signIn(db, impostor, bootstrap)).role).toBe('consumer');
  });

  it('makes no second admin of an e-mail when its user changes to another listed one', async () => {
    const { ada, policy: bootstrap } = aBootstrap();
    const second = `${randomUUID()}@staff.example`;
    const both = { ...bootstrap, bootstrapAdminEmails: [ada.email ?? '', second] };
    const { id } = await signIn(db, ada, both);
    await set(id, { role: 'consumer' });
    await signIn(db, { ...ada, email: second }, both);
    const successor = claims({ email: ada.email });
    expect((await signIn(db, successor, both)).role).toBe('consumer');
  });

  it('serves all of twenty requests at once of one user as the admin’s', async () => {
    const { ada, policy: bootstrap } = aBootstrap();
    const users = await Promise.all(Array.from({ length: 20 }, () => signIn(db, ada, bootstrap)));
    expect(new Set(users.map(({ role }) => role))).toEqual(new Set(['admin']));
  });

  it('makes one of two users of an e-mail an admin, and serves both, when at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { ada, policy: bootstrap } = aBootstrap();
      const people = [ada, { ...ada, sub: randomUUID() }];
      for (const person of people) await signIn(db, person, policy);
      const users = await Promise.all(people.map((person) => signIn(db, person, bootstrap)));
      expect(users.map(({ role }) => role).sort()).toEqual(['admin', 'consumer']);
    }
  });
});
