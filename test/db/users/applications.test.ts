import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as admin from '../../../db/users/admin.ts';
import { find, save } from '../../../db/users/applications.ts';
import * as operations from '../../../db/users/operations.ts';
import * as users from '../../../db/users/users.ts';
import type { UserId } from '../../../domain/ids.ts';
import type { Role } from '../../../domain/roles.ts';
import { aUser, required, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const { db } = await useDatabase();
const DOMAIN = 'staff.example';
const application = { shopName: 'Corner Café', phone: '+12125550102', reason: 'Guests ask.' };

const anApplicant = async (email = `${randomUUID()}@${DOMAIN}`) => {
  const id = await aUser(db, { role: 'client', status: 'pending_approval', email });
  expect(await save(db, id, application)).toBe(true);
  return id;
};
const change = (id: UserId, to: Parameters<typeof admin.update>[2]) =>
  db.transaction((tx) => admin.update(tx, id, to));

describe('an application', () => {
  it('is of who waits to become a merchant', async () => {
    expect(await find(db, await anApplicant())).toEqual(application);
    const roles: Role[] = ['consumer', 'pos_operator', 'admin'];
    const others = roles.map((role) => ({ role, status: 'pending_approval' }) as const);
    for (const other of [...others, { role: 'client' }] as const) {
      const id = await aUser(db, other);
      expect(await save(db, id, application)).toBe(false);
      expect(await find(db, id)).toBeUndefined();
    }
  });

  it('stays with who is turned down, until they are reinstated and approved', async () => {
    const id = await anApplicant();
    const act = operations.byOps();
    await operations.suspend(db, { id }, { ...act, adminEmailDomain: () => DOMAIN });
    expect(await find(db, id)).toEqual(application);
    await operations.reinstate(db, { id });
    expect(await find(db, id)).toEqual(application);
    await change(id, { role: 'client', status: 'active' });
    expect(await find(db, id)).toBeUndefined();
  });

  it('is emptied when another role is given', async () => {
    const id = await anApplicant();
    await change(id, { role: 'client', status: 'pending_approval' });
    expect(await find(db, id)).toEqual(application);
    await change(id, { role: 'consumer', status: 'pending_approval' });
    expect(await find(db, id)).toBeUndefined();
  });

  it('is emptied when they become an administrator', async () => {
    const granted = await anApplicant();
    await operations.grantAdmin(db, { id: granted }, DOMAIN);
    expect(await find(db, granted)).toBeUndefined();

    const email = `${randomUUID()}@${DOMAIN}`;
    const listed = await anApplicant(email);
    const { iss, sub } = required(await users.find(db, listed));
    const contacts = { email, emailVerified: true, phone: null, phoneVerified: false };
    const signedIn = await users.signIn(
      db,
      { iss, sub, ...contacts, name: null, clientIntent: true },
      {
        adminEmailDomain: DOMAIN,
        bootstrapAdminEmails: [email],
        proofs: testSealer.fingerprints,
        requestId: 'test',
      },
    );
    expect(signedIn).toMatchObject({ role: 'admin', status: 'active' });
    expect(await find(db, listed)).toBeUndefined();
  });
});
