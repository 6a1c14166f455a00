import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { UserId } from '../../../../domain/ids.ts';
import { aTenant, aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';

const app = await useApp();
const { db } = app;
const admin = await app.signIn({ role: 'admin' });

const ask = (userId: string, action: 'suspend' | 'reinstate', by = admin, body?: unknown) =>
  app.call({
    method: 'POST',
    path: `/api/v1/admin/users/${userId}/${action}`,
    token: by.token,
    ...(body !== undefined && { body }),
  });
const me = async ({ token }: SignedIn) => (await app.call({ path: '/api/v1/auth/me', token })).body;
const auditOf = (targetId: string) => db('audit_log').where({ targetId }).orderBy('seq');

describe('POST /admin/users/:userId/suspend and /reinstate', () => {
  it.each([
    { role: 'consumer', status: 'active' },
    { role: 'client', status: 'active' },
    { role: 'client', status: 'pending_approval' },
  ] as const)('200; a $role who was $status is that again', async ({ role, status }) => {
    const person = await app.signIn({ role, status });
    const { userId } = person;
    // A workspace of former times says nothing about an approval.
    if (role === 'client') await aTenant(db, { ownerId: userId });
    for (let time = 0; time < 2; time++) {
      const { status: code, body } = await ask(userId, 'suspend', admin, { reason: ' Theft. ' });
      expect({ code, body }).toEqual({ code: 200, body: { userId, role, status: 'suspended' } });
      expect(await me(person)).toMatchObject({ canUseApp: false, code: 'SUSPENDED' });
    }
    for (let time = 0; time < 2; time++) {
      expect((await ask(userId, 'reinstate')).body).toEqual({ userId, role, status });
    }
    expect(await auditOf(userId)).toMatchObject([
      {
        action: 'user.suspend',
        actor: 'user',
        actorUserId: admin.userId,
        targetType: 'user',
        reason: 'Theft.',
        before: { role, status },
        after: { role, status: 'suspended' },
      },
      { action: 'user.reinstate', reason: null, after: { role, status } },
    ]);
  });

  it('403 own_account for oneself, who may still be suspended by another', async () => {
    expect(await ask(admin.userId, 'suspend')).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [{ path: '', code: 'own_account' }] },
    });
    const other = await app.signIn({ role: 'admin' });
    expect((await ask(other.userId, 'suspend')).status).toBe(200);
    expect((await ask(admin.userId, 'suspend', other)).status).toBe(401);
  });

  it('one of two administrators who remove each other at once stays', async () => {
    for (let round = 0; round < 6; round++) {
      await db('users').where({ role: 'admin' }).update({ status: 'suspended' });
      // Those outside the domain can do nothing, so they do not count.
      await aUser(db, { role: 'admin', email: `outside-${round}@example.org` });
      const [one, other] = [
        await app.signIn({ role: 'admin' }),
        await app.signIn({ role: 'admin' }),
      ];
      const demote = (userId: string, by: SignedIn) =>
        app.call({
          method: 'PATCH',
          path: `/api/v1/admin/users/${userId}/role`,
          token: by.token,
          body: { role: 'consumer' },
        });
      const remove =
        round % 2 === 0 ? demote : (id: string, by: SignedIn) => ask(id, 'suspend', by);
      const answers = await Promise.all([
        ask(other.userId, 'suspend', one),
        remove(one.userId, other),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const active = await db('users').where({ role: 'admin', status: 'active' });
      const inside = active.filter(({ email }) => !email.startsWith('outside'));
      expect(inside).toHaveLength(1);
      const last = inside[0].id === one.userId ? one : other;
      expect(await demote(last.userId, last)).toMatchObject({
        status: 422,
        body: { code: 'RULE_REJECTED', issues: [{ path: '', code: 'last_admin' }] },
      });
    }
    await db('users').where({ id: admin.userId }).update({ status: 'active' });
  });

  it('a client who becomes one while suspended waits, whatever they were before', async () => {
    const userId = await aUser(db);
    await ask(userId, 'suspend');
    const role = { method: 'PATCH', path: `/api/v1/admin/users/${userId}/role` };
    await app.call({ ...role, token: admin.token, body: { role: 'client' } });
    expect((await ask(userId, 'reinstate')).body).toMatchObject({ status: 'pending_approval' });
    await ask(userId, 'suspend');
    expect((await ask(userId, 'reinstate')).body).toMatchObject({ status: 'pending_approval' });
  });

  it('404 NOT_FOUND for an unknown user, 400 for a blank or long reason', async () => {
    const unknown = randomUUID();
    for (const action of ['suspend', 'reinstate'] as const) {
      expect(await ask(unknown, action)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
      for (const reason of ['', ' ', 'x'.repeat(501), 1]) {
        const { status } = await ask(await aUser(db), action, admin, { reason });
        expect(status).toBe(400);
      }
    }
  });
});

describe('an optional reason is kept in the audit log', () => {
  const patch = async (userId: UserId, what: string, body: object) =>
    app.call({
      method: 'PATCH',
      path: `/api/v1/admin/users/${userId}/${what}`,
      token: admin.token,
      body,
    });

  it('of approve and role', async () => {
    const userId = await aUser(db, { status: 'pending_approval' });
    const approved = await patch(userId, 'approve', { reason: ' Known to us. ' });
    expect(approved.body).toEqual({ userId, role: 'consumer', status: 'active' });
    await patch(userId, 'role', { role: 'pos_operator', reason: 'Works at a shop.' });
    expect(await auditOf(userId)).toMatchObject([
      { action: 'user.approve', reason: 'Known to us.' },
      { action: 'user.role', reason: 'Works at a shop.' },
    ]);
    for (const reason of ['', 'x'.repeat(501), null]) {
      expect((await patch(userId, 'approve', { reason })).status).toBe(400);
    }
  });

  it('of freeze and unfreeze', async () => {
    const walletId = await aWallet(db);
    for (const action of ['freeze', 'unfreeze']) {
      const path = `/api/v1/admin/wallets/${walletId}/${action}`;
      const call = { method: 'POST', path, token: admin.token };
      expect((await app.call({ ...call, body: { reason: 'fraud' } })).status).toBe(200);
      expect((await app.call({ ...call, body: {} })).status).toBe(200);
      expect((await app.call({ ...call, body: { reason: ' ' } })).status).toBe(400);
    }
    const reasons = (await auditOf(walletId)).map(({ reason }: { reason: unknown }) => reason);
    expect(reasons).toEqual(['fraud', null, 'fraud', null]);
  });
});
