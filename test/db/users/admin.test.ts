import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import * as userAdmin from '../../../db/users/admin.ts';
import { UserId } from '../../../domain/ids.ts';
import { aTenant, aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const idsOf = async (text: string) => (await userAdmin.search(db, text)).map(({ id }) => id);

describe('search', () => {
  it.each([
    ['a part of the e-mail', 'nna.k'],
    ['another letter case', 'ANNA.K'],
    ['the domain', 'd%_o\\main.example'],
    ['a wildcard, taken literally', '%_o\\'],
    ['a part of the phone', '5552368'],
    ['a phone with punctuation', '+1 (212) 555-2368'],
    ['a part of the phone with punctuation', '212.555'],
  ])('finds by %s', async (_, text) => {
    const id = await aUser(db, { email: `anna.k${randomUUID()}@d%_o\\main.example` });
    await db('users').where({ id }).update({ phone: '+12125552368' });
    expect(await idsOf(text)).toContain(id);
  });

  it.each(['%', '_', 'a%z', 'a_c@example.com', '\\', '%%'])(
    'takes %s literally, not as a wildcard',
    async (text) => {
      const id = await aUser(db, { email: `abc${randomUUID()}z@plain.example` });
      await aUser(db, { email: `abc@plain.example` });
      expect(await idsOf(text)).not.toContain(id);
    },
  );

  it('finds only users pending approval when the text is empty', async () => {
    const waiting = await aUser(db, { role: 'client', status: 'pending_approval' });
    await aUser(db);
    await aUser(db, { status: 'suspended' });
    const found = await userAdmin.search(db, '');
    expect(found.map(({ id }) => id)).toEqual([waiting]);
    expect(found[0]).toMatchObject({ role: 'client', status: 'pending_approval', tenantIds: [] });
  });

  it('finds at most 50 users, those pending approval first', async () => {
    const mark = randomUUID();
    const email = () => `${randomUUID()}@${mark}.example`;
    const waiting = await aUser(db, { status: 'pending_approval', email: email() });
    for (let nth = 0; nth < 55; nth++) await aUser(db, { email: email() });
    const found = await idsOf(mark);
    expect(found).toHaveLength(50);
    expect(found[0]).toBe(waiting);
  });

  it("returns a client's own tenants, or the tenants of a consumer's wallets", async () => {
    const email = `${randomUUID()}@tenants.example`;
    const ownerId = await aUser(db, { role: 'client', email });
    const own = await aTenant(db, { ownerId });
    await aWallet(db, { userId: ownerId });
    expect((await userAdmin.search(db, email))[0]?.tenantIds).toEqual([own]);

    await db('users').where({ id: ownerId }).update({ role: 'consumer' });
    const [asConsumer] = await userAdmin.search(db, email);
    expect(asConsumer?.tenantIds).toHaveLength(1);
    expect(asConsumer?.tenantIds).not.toContain(own);
  });
});

describe('search among many users', () => {
  // More than are compared one by one, and more pending approval than that.
  const COUNT = 4_000;
  beforeAll(async () => {
    await database.owner.raw(
      `insert into users (id, iss, sub, role, status, email, email_verified, phone, created_at)
     select gen_random_uuid(), 'https://many.test', n::text, 'consumer',
       case when n % 3 = 0 then 'pending_approval' else 'active' end,
       (array['ann', 'joann', 'b.ann', 'jörg'])[1 + n % 4] || n % 700 || '@' ||
         (array['cafe.test', 'cafe.test.example', 'my-cafe.test', 'other.test'])[1 + n % 7 / 2],
       true, '+4930' || (1000000 + n * 7), now() - n * interval '1 minute'
     from generate_series(1, :count) n`,
      { count: COUNT },
    );
  });

  it.each([
    ['a whole e-mail', 'ann137@cafe.test'],
    ['a whole e-mail in another letter case', 'JÖRG399@OTHER.TEST'],
    ['an e-mail and the end of its local part', 'g399@other.test'],
    ['a whole domain', '@other.test'],
    ['an e-mail without the end of its domain', 'ann137@cafe.te'],
    ['a local part', 'joann137@'],
    ['the start of an e-mail', 'b.ann13'],
    ['a part of an e-mail', 'nn137@'],
    ['a part of a domain', 'e.exam'],
    ['a whole phone', '+4930 1027-993'],
    ['the start of a phone', '+49301000'],
    ['the end of a phone', '1027993'],
    ['digits that e-mails and phones have', '137'],
    ['a plus that only an e-mail has', 'nobody+137'],
    ['nobody', 'ann137@nowhere.test'],
  ])('finds as if each had been compared: %s', async (_, text) => {
    const [email, phone] = [`%${text}%`, `%${text.replace(/(?<=[+\d ])[ -]/g, '')}%`];
    const { rows } = await db.raw(
      `select id, count(*) over () from users where email ilike :email or phone like :phone
       order by status = 'pending_approval' desc, created_at desc, id limit 50`,
      { email, phone },
    );
    expect(rows[0]?.count ?? 0).toBeLessThan(1_000);
    expect(await idsOf(text)).toEqual(rows.map(({ id }: { id: string }) => id));
  });

  it('finds an e-mail that is too long for an ordered index', async () => {
    const email = `${Array.from({ length: 150 }, () => randomUUID()).join('')}@long.example`;
    const id = await aUser(db, { email, emailVerified: false });
    await db('users')
      .where({ id })
      .update({ createdAt: new Date(0) });
    expect(await idsOf(email.slice(0, 40))).toEqual([id]);
  });

  it('finds an e-mail that has a plus', async () => {
    const email = 'tom+4930@plus.example';
    const id = await aUser(db, { email });
    await db('users')
      .where({ id })
      .update({ createdAt: new Date(0) });
    for (const text of ['+4930@', '+4930@plus.example', 'tom+4', 'tom+4930@plus.example']) {
      expect(await idsOf(text)).toEqual([id]);
    }
    expect(await idsOf('+4930')).toHaveLength(50);
  });
});

describe('lock', () => {
  it('throws NOT_FOUND for an unknown user', async () => {
    const unknown = UserId.parse(randomUUID());
    await expect(db.transaction((tx) => userAdmin.lock(tx, unknown))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('lets other transactions refer to the user, so that two admins never deadlock', async () => {
    const [one, other] = [await aUser(db, { role: 'admin' }), await aUser(db, { role: 'admin' })];
    await db.transaction(async (first) => {
      await userAdmin.lock(first, one);
      await db.transaction(async (second) => {
        await userAdmin.lock(second, other);
        await second('memberships').insert({
          tenantId: await aTenant(db),
          userId: one,
          role: 'client',
        });
      });
    });
  });
});

describe('get', () => {
  it('returns what a search shows of a user, and refuses an unknown one', async () => {
    const email = `${randomUUID()}@get.example`;
    const id = await aUser(db, { email });
    expect(await userAdmin.get(db, id)).toEqual((await userAdmin.search(db, email))[0]);
    await expect(userAdmin.get(db, UserId.parse(randomUUID()))).rejects.toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });
});

describe('listMemberships', () => {
  it('lists the tenants of a user, the first joined first, with the role at each', async () => {
    const id = await aUser(db, { role: 'client' });
    const own = await aTenant(db, { ownerId: id, name: 'Own' });
    const other = await aTenant(db, { name: 'Other' });
    await db('memberships').insert({ tenantId: other, userId: id, role: 'pos_operator' });
    await aTenant(db);
    const joinedAt = expect.any(Date);
    expect(await userAdmin.listMemberships(db, id)).toEqual([
      { tenantId: own, name: 'Own', role: 'owner', joinedAt },
      { tenantId: other, name: 'Other', role: 'operator', joinedAt },
    ]);
  });
});
