import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId } from '../../../domain/ids.ts';
import { aTenant, aWallet } from '../../support/factories.ts';
import { useApp } from '../../support/fixtures.ts';
import type { Answer, SignedIn } from '../../support/http/app.ts';
import { anInvite, lapse } from '../../support/people/invites.ts';
import { aRedemption } from '../../support/points/redemptions.ts';

// An invite, from the merchant's question to the person's answer.

const app = await useApp();

let shop: TenantId;
let merchant: SignedIn;
let email: string;
let person: SignedIn;
beforeEach(async () => {
  shop = await aTenant(app.db, { name: 'Corner Café' });
  merchant = await app.signIn({ role: 'client', member: shop });
  email = `${randomUUID()}@example.com`;
  person = await app.signIn({ role: 'consumer', email });
});

const me = async (of = person) =>
  (await app.call({ path: '/api/v1/auth/me', token: of.token })).body;
const staffOf = async (tenantId: TenantId, { token }: SignedIn) =>
  (await app.call({ path: `/api/v1/client/tenants/${tenantId}/store-operators`, token })).body;

async function invite(tenantId = shop, by = merchant, to = email): Promise<string> {
  const path = `/api/v1/client/tenants/${tenantId}/store-operator-invites`;
  const answer = await app.call({ method: 'POST', path, token: by.token, body: { email: to } });
  expect(answer.status).toBe(200);
  return answer.json<{ inviteId: string }>().inviteId;
}

const decide = (
  decision: 'accept' | 'decline',
  id: string,
  { of = person, key }: { of?: SignedIn; key?: string } = {},
): Promise<Answer> =>
  app.call({
    method: 'POST',
    path: `/api/v1/auth/invites/${id}/${decision}`,
    token: of.token,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

describe('an invited person', () => {
  it('is asked, and nothing of them changes or shows until they accept', async () => {
    const inviteId = await invite();
    for (const path of ['/api/v1/consumer/wallets', '/api/v1/auth/me']) {
      expect((await app.call({ path, token: person.token })).status).toBe(200);
    }
    expect(await me()).toMatchObject({
      role: 'consumer',
      tenantIds: [],
      pendingInvites: [
        {
          inviteId,
          tenantId: shop,
          tenantName: 'Corner Café',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        },
      ],
    });
    expect(await staffOf(shop, merchant)).toEqual([]);

    const answer = await decide('accept', inviteId);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ok: true, role: 'pos_operator', tenantIds: [shop] });
    expect(await me()).toMatchObject({ role: 'pos_operator', pendingInvites: [] });
    expect(await staffOf(shop, merchant)).toMatchObject([{ userId: person.userId, email }]);
    expect((await decide('accept', inviteId)).body).toEqual(answer.body);
    expect((await decide('decline', inviteId)).status).toBe(404);
  });

  it('may decline, twice, and is asked no more', async () => {
    const inviteId = await invite();
    for (let time = 0; time < 2; time++) {
      expect(await decide('decline', inviteId)).toMatchObject({
        status: 200,
        body: { ok: true, role: 'consumer', tenantIds: [] },
      });
    }
    expect(await me()).toMatchObject({ role: 'consumer', pendingInvites: [] });
    expect(await decide('accept', inviteId)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });

  it('gets the stored answer under the same Idempotency-Key', async () => {
    const inviteId = await invite();
    const first = await decide('accept', inviteId, { key: 'k' });
    const again = await decide('accept', inviteId, { key: 'k' });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await decide('decline', inviteId, { key: 'k' })).status).toBe(404);
  });

  it('404 for another person’s, a withdrawn and an unknown invite', async () => {
    const inviteId = await invite();
    const stranger = await app.signIn({ role: 'consumer' });
    expect((await decide('accept', inviteId, { of: stranger })).status).toBe(404);
    expect((await decide('accept', randomUUID())).status).toBe(404);
    expect((await decide('accept', 'none')).status).toBe(404);
    await app.call({
      method: 'DELETE',
      path: `/api/v1/client/tenants/${shop}/store-operator-invites/${inviteId}`,
      token: merchant.token,
    });
    for (const decision of ['accept', 'decline'] as const) {
      expect(await decide(decision, inviteId)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
    }
  });

  it.each(['client', 'admin'] as const)(
    '403 FORBIDDEN for a %s, who keeps the role',
    async (role) => {
      const address = `${randomUUID()}@staff.example`;
      const other = await app.signIn({ role, email: address });
      const inviteId = await invite(shop, merchant, address);
      for (const decision of ['accept', 'decline'] as const) {
        expect(await decide(decision, inviteId, { of: other })).toMatchObject({
          status: 403,
          body: { code: 'FORBIDDEN' },
        });
      }
      expect(await me(other)).toMatchObject({ role, pendingInvites: [] });
    },
  );

  it('who is new becomes an operator with the first sign-in', async () => {
    const before = await anInvite(app.db, { tenantId: shop });
    const token = await app.newcomer(before.email);
    const context = await app.call({ path: '/api/v1/pos/context', token });
    expect(context).toMatchObject({ status: 200, body: { tenantId: shop } });
  });
});

describe('GET /auth/invites/:inviteId', () => {
  const show = (id: string, { token }: SignedIn = person) =>
    app.call({ path: `/api/v1/auth/invites/${id}`, token });
  const statusOf = async (id: string) => (await show(id)).json<{ status: string }>().status;

  it('200 with whose it is and what became of it', async () => {
    const inviteId = await invite();
    expect(await show(inviteId)).toMatchObject({
      status: 200,
      body: { inviteId, tenantId: shop, tenantName: 'Corner Café', status: 'pending' },
    });
    await decide('accept', inviteId);
    expect(await statusOf(inviteId)).toBe('accepted');
    const { id } = await anInvite(app.db, { email });
    await decide('decline', id);
    expect(await statusOf(id)).toBe('declined');
    const late = await anInvite(app.db, { email });
    await lapse(app.db, late);
    expect(await statusOf(late.id)).toBe('lapsed');
  });

  it('200 for somebody new, whose first sign-in accepted it', async () => {
    const { id } = await anInvite(app.db, { tenantId: shop });
    const { email: address } = await app.db('invites').where({ id }).first('email');
    const answer = await app.call({
      path: `/api/v1/auth/invites/${id}`,
      token: await app.newcomer(address),
    });
    expect(answer).toMatchObject({ status: 200, body: { status: 'accepted', tenantId: shop } });
  });

  it('404 for another person’s, also once it is accepted, and an unknown one', async () => {
    const inviteId = await invite();
    const stranger = await app.signIn({ role: 'pos_operator', member: shop });
    expect((await show(inviteId, stranger)).status).toBe(404);
    await decide('accept', inviteId);
    expect((await show(inviteId, stranger)).status).toBe(404);
    expect((await show(randomUUID())).status).toBe(404);
  });

  it('404 as long as the person’s e-mail is not verified, and for a merchant', async () => {
    const unverified = { email: `${randomUUID()}@example.com`, emailVerified: false };
    const claimant = await app.signIn({ role: 'consumer', ...unverified });
    const inviteId = await invite(shop, merchant, unverified.email);
    expect((await show(inviteId, claimant)).status).toBe(404);
    const address = `${randomUUID()}@staff.example`;
    const owner = await app.signIn({ role: 'client', email: address });
    expect((await show(await invite(shop, merchant, address), owner)).status).toBe(404);
  });
});

describe('an operator of one shop whom another one invites', () => {
  it('stays where they are, and the codes of their own shop go on working', async () => {
    const till = await app.signIn({
      role: 'pos_operator',
      email: `${randomUUID()}@till.example`,
      member: shop,
    });
    const rival = await aTenant(app.db, { name: 'Corner Café' });
    const owner = await app.signIn({ role: 'client', member: rival });
    const address = await app.db('users').where({ id: till.userId }).first('email');
    await invite(rival, owner, address.email);

    expect(await me(till)).toMatchObject({ role: 'pos_operator', tenantIds: [shop] });
    expect(await staffOf(rival, owner)).toEqual([]);
    const complete = async (tenantId: TenantId) => {
      const walletId = await aWallet(app.db, { balance: 100, tenantId });
      const { code } = await aRedemption(app.db, { walletId });
      const path = '/api/v1/pos/redemptions/complete';
      return app.call({ method: 'POST', path, token: till.token, body: { code } });
    };
    expect(await complete(shop)).toMatchObject({ status: 200, body: { tenant: { id: shop } } });
    expect((await complete(rival)).status).toBe(404);
  });
});
