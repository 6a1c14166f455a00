import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant, aUser } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';

const Invited = z.object({ inviteId: z.uuid(), inviteEmailStatus: z.string() });

const mails: unknown[][] = [];
const app = await useApp({
  orchestrator: { sendInviteLater: (...mail) => mails.push(mail) },
});

let tenantId: TenantId;
let token: string;
let path: string;
let email: string;
beforeEach(async () => {
  mails.length = 0;
  tenantId = await aTenant(app.db);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
  path = `/api/v1/client/tenants/${tenantId}/store-operator-invites`;
  email = `${randomUUID()}@example.com`;
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  app.call({ method: 'POST', path, token, body, headers });
const invite = async (to = email) => Invited.parse((await post({ email: to })).body);
const list = async (query = '') => (await app.call({ path: `${path}${query}`, token })).body;
const withdraw = (id: string, at = path) =>
  app.call({ method: 'DELETE', path: `${at}/${id}`, token });

describe('POST …/store-operator-invites', () => {
  it('200 with the invite, whose mail is started after the commit', async () => {
    const answer = await post(
      { email: ` ${email.toUpperCase()} ` },
      { 'x-correlation-id': 'me-7' },
    );
    expect(answer.status).toBe(200);
    const { inviteId } = Invited.parse(answer.body);
    expect(answer.body).toEqual({ ok: true, email, inviteEmailStatus: 'sent', inviteId });
    expect(await list()).toEqual([
      {
        id: inviteId,
        email,
        status: 'pending',
        inviteEmailStatus: 'sent',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
    expect(mails).toEqual([[inviteId, { tenantId, correlationId: 'me-7' }]]);
  });

  it('200 with the same invite while it is pending, even for many at once', async () => {
    const first = await invite();
    const answers = await Promise.all(Array.from({ length: 10 }, () => invite()));
    expect(new Set(answers.map(({ inviteId }) => inviteId))).toEqual(new Set([first.inviteId]));
    expect(await list()).toHaveLength(1);
  });

  it('200 existing_auth_user for a user with that verified e-mail', async () => {
    await aUser(app.db, { email });
    expect(await invite()).toMatchObject({ inviteEmailStatus: 'existing_auth_user' });
    expect(await list()).toMatchObject([{ inviteEmailStatus: 'existing_auth_user' }]);
    const unverified = `${randomUUID()}@example.com`;
    await aUser(app.db, { email: unverified, emailVerified: false });
    expect(await invite(unverified)).toMatchObject({ inviteEmailStatus: 'sent' });
  });

  it('leaves an audit entry of a new invite, without the address', async () => {
    const { inviteId } = await invite();
    await invite();
    const entries = await app.db('audit_log').where({ tenantId });
    expect(entries).toMatchObject([
      {
        action: 'operator.invite',
        targetType: 'invite',
        targetId: inviteId,
        before: {},
        after: { status: 'pending' },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(email);
  });

  it('429 RATE_LIMITED for the sixty-first new one in an hour, withdrawn included', async () => {
    const made = await Promise.all(
      Array.from({ length: 60 }, () => invite(`${randomUUID()}@example.com`)),
    );
    await withdraw(made[0]?.inviteId ?? '');
    mails.length = 0;
    const refused = await post({ email }, { 'idempotency-key': 'k' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(mails).toEqual([]);
    const [known] = z.array(z.object({ email: z.string() })).parse(await list());
    expect((await post({ email: known?.email })).status).toBe(200);

    const old = app.db.raw(`created_at - interval '1 hour'`);
    await app.db('invites').where({ tenantId }).update({ createdAt: old });
    expect((await post({ email }, { 'idempotency-key': 'k' })).status).toBe(200);
  });

  it('422 too_many_invites while 200 are pending; a lapsed one is not', async () => {
    const invitedBy = (await app.signIn({ role: 'client', member: tenantId })).userId;
    const longAgo = app.db.raw(`now() - interval '2 hours'`);
    await app.db('invites').insert(
      Array.from({ length: 200 }, (_, nth) => ({
        tenantId,
        email: `${nth}@many.example`,
        emailStatus: 'sent',
        invitedBy,
        createdAt: longAgo,
      })),
    );
    expect(await post({ email })).toMatchObject({
      status: 422,
      body: { code: 'RULE_REJECTED', issues: [{ path: '', code: 'too_many_invites' }] },
    });
    const lapsed = { lapsesAt: longAgo };
    await app.db('invites').where({ tenantId, email: '7@many.example' }).update(lapsed);
    expect((await post({ email })).status).toBe(200);
  });

  it('200 with the stored response for the same Idempotency-Key, and no second mail', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await post({ email }, headers);
    await withdraw(Invited.parse(first.body).inviteId);
    const again = await post({ email }, headers);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await list()).toEqual([]);
    expect(mails).toHaveLength(1);
  });

  it.each([
    ['an empty body', {}],
    ['no address', { email: 'ann' }],
    ['two addresses', { email: 'ann@shop.example, eve@shop.example' }],
    ['a header', { email: 'ann@shop.example\r\nBcc: eve@shop.example' }],
    ['a list', { email: ['ann@shop.example'] }],
    ['an address that is too long', { email: `${'a'.repeat(250)}@shop.example` }],
  ])('400 VALIDATION_ERROR for %s, and no invite', async (_, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(await list()).toEqual([]);
    expect(mails).toEqual([]);
  });
});

describe('GET …/store-operator-invites', () => {
  it('200 with the pending invites of this tenant, newest first, page by page', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      made.unshift((await invite(`${randomUUID()}@example.com`)).inviteId);
    }
    await withdraw(made.splice(1, 1)[0] ?? '');
    const found: string[] = [];
    for (let next: string | undefined = `${path}?limit=3`; next !== undefined; ) {
      const answer = await app.call({ path: next, token });
      const items = answer.json<{ id: string }[]>();
      found.push(...items.map(({ id }) => id));
      next = nextPath(answer);
    }
    expect(found).toEqual(made);
  });
});

describe('DELETE …/store-operator-invites/:inviteId', () => {
  it('200, also for a repeat; the person stays a consumer', async () => {
    const { inviteId } = await invite();
    const answer = { status: 200, body: { ok: true, inviteId, status: 'withdrawn' } };
    expect(await withdraw(inviteId)).toMatchObject(answer);
    expect(await withdraw(inviteId)).toMatchObject(answer);
    expect(await list()).toEqual([]);
    const person = await app.signIn({ role: 'consumer', email });
    const me = await app.call({ path: '/api/v1/auth/me', token: person.token });
    expect(me.body).toMatchObject({ role: 'consumer' });
  });

  it('leaves one audit entry, without the address, even for many at once', async () => {
    const { inviteId } = await invite();
    await Promise.all(Array.from({ length: 5 }, () => withdraw(inviteId)));
    await withdraw(inviteId);
    await withdraw(randomUUID());
    const entries = await app.db('audit_log').where({ tenantId }).orderBy('seq');
    expect(entries).toMatchObject([
      { action: 'operator.invite' },
      {
        action: 'operator.withdraw_invite',
        actorUserId: expect.any(String),
        targetType: 'invite',
        targetId: inviteId,
        before: { status: 'pending' },
        after: { status: 'withdrawn' },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(email);
  });

  it('404 NOT_FOUND for an unknown invite, and for another tenant’s', async () => {
    const { inviteId } = await invite();
    const other = await aTenant(app.db);
    const { token: theirs } = await app.signIn({ role: 'client', member: other });
    const foreign = `/api/v1/client/tenants/${other}/store-operator-invites/${inviteId}`;
    for (const request of [
      { method: 'DELETE', path: foreign, token: theirs },
      { method: 'DELETE', path: `${path}/${randomUUID()}`, token },
      { method: 'DELETE', path: `${path}/none`, token },
    ]) {
      expect(await app.call(request)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(await list()).toHaveLength(1);
  });
});
