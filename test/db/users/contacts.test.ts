import { expect, it } from 'vitest';
import * as contacts from '../../../db/users/contacts.ts';
import type { UserId } from '../../../domain/ids.ts';
import { aTenant, aUser, required, testPolicy } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';

const database = await useDatabase();
const { db } = database;

it('are the verified ones of those who can hold a wallet', async () => {
  const both = await aUser(db, { email: 'a@example.com', phone: '+41446681800' });
  const merchant = await aUser(db, { role: 'client', phone: '+41446681801' });
  const unverified = await aUser(db, { emailVerified: false });
  const found = await contacts.find(db, [both, merchant, unverified]);
  expect(found).toHaveLength(2);
  expect(found).toContainEqual({ id: both, email: 'a@example.com', phone: '+41446681800' });
  expect(found).toContainEqual({ id: unverified, email: null, phone: null });
});

it('are to be matched when they are verified or change, or the role does', async () => {
  const dueAfter = async (id: UserId, change: object) => {
    await db('due_work').delete();
    await db('users').where({ id }).update(change);
    return (await db('due_work').where({ kind: 'match_signup', subjectId: id })).length === 1;
  };
  const id = await aUser(db, { email: 'b@example.com' });
  expect(await db('due_work').where({ subjectId: id })).toHaveLength(1);
  expect(await dueAfter(id, { name: 'Bea' })).toBe(false);
  expect(await dueAfter(id, { email: 'c@example.com' })).toBe(true);
  expect(await dueAfter(id, { email: 'c@example.com' })).toBe(false);
  expect(await dueAfter(id, { role: 'client' })).toBe(true);
  expect(await dueAfter(id, { emailVerified: false, phoneVerified: false })).toBe(false);
  expect(await dueAfter(id, { emailVerified: true })).toBe(true);
});

it('of which an anonymous payment carries the fingerprint are found', async () => {
  const email = 'stranger@example.com';
  const sell = await aTill(db, await aTenant(db));
  await sell({ email });
  const [waiting, other] = [email, 'other@example.com'].map((contact) =>
    required(testPolicy.fingerprints(contact)[0]),
  );
  const found = await contacts.findAwaited(db, [required(waiting), required(other)]);
  expect([...found]).toEqual([required(waiting).toString('hex')]);
  expect(await contacts.findAwaited(db, [])).toEqual(new Set());
});
