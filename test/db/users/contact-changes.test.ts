import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as contactChanges from '../../../db/users/contact-changes.ts';
import type { UserId } from '../../../domain/ids.ts';
import { aTenant, aUser, required, testPolicy } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/payments.ts';

const database = await useDatabase();
const { db } = database;

const email = 'stranger@example.com';
beforeAll(async () => {
  const sell = await aTill(db, await aTenant(db));
  await sell({ email });
});
beforeEach(async () => {
  await db('users').update({ contactsChangedAt: null });
  await db('payments').update({ createdAt: db.fn.now() });
});

const list = () => contactChanges.list(db, 10);
const listed = async () => (await list()).map(({ id }) => id);
const changeOf = async (id: UserId) => required((await list()).find((change) => change.id === id));

describe('the list of users to compare', () => {
  it('has the verified contacts of those who can hold a wallet, longest due first', async () => {
    const first = await aUser(db, { email: 'a@example.com', phone: '+41446681800' });
    const merchant = await aUser(db, { role: 'client', phone: '+41446681801' });
    await aUser(db, { emailVerified: false });
    expect(await list()).toMatchObject([
      { id: first, email: 'a@example.com', phone: '+41446681800' },
      { id: merchant, email: null, phone: null },
      { email: null, phone: null },
    ]);
  });

  it('moves a user to its end', async () => {
    const [first, second] = [await aUser(db), await aUser(db)];
    await contactChanges.requeue(db, await changeOf(first));
    expect(await listed()).toEqual([second, first]);
  });

  it('leaves a user out for longer after each failure', async () => {
    const id = await aUser(db);
    const change = await changeOf(id);
    const minutes: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      await contactChanges.backOff(db, change);
      const { rows } = await db.raw<{ rows: { due: number }[] }>(
        `select round(extract(epoch from contacts_due_at - now()) / 60)::integer as due
         from users where id = ?`,
        [id],
      );
      minutes.push(required(rows[0]).due);
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]);
    expect(await listed()).toEqual([]);
    await db('users').where({ id }).update(contactChanges.toCompare(db));
    expect(await listed()).toEqual([id]);
  });

  it('keeps a user whose contacts changed again meanwhile', async () => {
    const id = await aUser(db);
    const change = await changeOf(id);
    await db('users').where({ id }).update(contactChanges.toCompare(db));
    await contactChanges.markCompared(db, [change]);
    await contactChanges.backOff(db, change);
    expect(await listed()).toEqual([id]);
    await contactChanges.markCompared(db, await list());
    expect(await listed()).toEqual([]);
  });
});

describe('users older than every payment that waits for a consumer', () => {
  const changedMinutesAgo = async (minutes: number) => {
    const id = await aUser(db);
    const contactsChangedAt = db.raw('now() - make_interval(mins => ?)', [minutes]);
    await db('users').where({ id }).update({ contactsChangedAt });
    return id;
  };

  it('are left out, but those shortly before the first one are not', async () => {
    await changedMinutesAgo(30);
    const shortlyBefore = await changedMinutesAgo(9);
    const after = await aUser(db);
    expect(await listed()).toEqual([shortlyBefore, after]);
  });

  it('are listed once there is an older one, and nobody while there is none', async () => {
    const id = await changedMinutesAgo(30);
    await db('payments').update({ createdAt: db.raw(`now() - interval '1 hour'`) });
    expect(await listed()).toEqual([id]);
    const fingerprints = await db('payments').select('id', 'emailFingerprint');
    await db('payments').update({ emailFingerprint: null });
    expect(await listed()).toEqual([]);
    for (const { id: payment, ...had } of fingerprints) {
      await db('payments').where({ id: payment }).update(had);
    }
    expect(await listed()).toEqual([id]);
  });
});

describe('findAwaited', () => {
  it('finds the fingerprints that an anonymous payment carries', async () => {
    const [waiting, other] = [email, 'other@example.com'].map((contact) =>
      required(testPolicy.fingerprints(contact)[0]),
    );
    const found = await contactChanges.findAwaited(db, [required(waiting), required(other)]);
    expect([...found]).toEqual([required(waiting).toString('hex')]);
    expect(await contactChanges.findAwaited(db, [])).toEqual(new Set());
  });
});
