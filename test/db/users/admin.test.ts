import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
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
