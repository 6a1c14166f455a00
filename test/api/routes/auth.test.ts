import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sendApplication, showOwnProfile, updateOwnProfile } from '../../../api/routes/auth.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { ADMIN_DOMAIN, serveRoutes } from '../../support/http/serve-routes.ts';
import { anInvite } from '../../support/people/invites.ts';
import { startIssuer } from '../../support/people/issuer.ts';
import { type TestPerson, tokenFor } from '../../support/people/tokens.ts';

let tenantId: TenantId;
const database = await useDatabase();
const issuer = await startIssuer();
const served = await serveRoutes([showOwnProfile, updateOwnProfile, sendApplication], {
  issuer,
  db: database.db,
  settings: { bootstrapAdminEmails: [`first@${ADMIN_DOMAIN}`] },
});
afterAll(async () => {
  await served.close();
  await issuer.close();
});
beforeEach(async () => {
  tenantId = await aTenant(database.db);
});

async function profile(token: string, headers = {}) {
  const response = await fetch(`${served.url}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  expect(response.status).toBe(200);
  return response.json();
}

const profileOf = async (person: TestPerson) =>
  profile(await tokenFor(database.db, issuer, person));

describe('GET /auth/me', () => {
  it('401 UNAUTHORIZED without a token', async () => {
    const response = await fetch(`${served.url}/api/v1/auth/me`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('200 with every field for a new consumer, then with the same one', async () => {
    const claims = {
      sub: randomUUID(),
      email: 'Ann@Shop.Example',
      email_verified: true,
      phone_number: '+1 212 555 2368',
    };
    const first = await profile(await issuer.token(claims));
    expect(first).toEqual({
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      role: 'consumer',
      tenantIds: [],
      status: 'active',
      canUseApp: true,
      needsMerchantOnboarding: false,
      erasure: null,
      hasProgrammes: true,
      email: 'ann@shop.example',
      emailVerified: true,
      phone: '+12125552368',
      phoneVerified: false,
      language: null,
      // Until a worker has looked for what was bought before.
      isMatching: true,
      pendingInvites: [],
    });
    expect(await profile(await issuer.token(claims))).toEqual(first);
  });

  it('200 with an empty e-mail and no phone when the token has none', async () => {
    const token = await issuer.token({ sub: randomUUID() });
    expect(await profile(token)).toMatchObject({ email: '', phone: null });
  });

  it.each([
    [{}, { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }, 'de'],
    [{}, { 'accept-language': 'fr' }, null],
    [{ locale: 'en' }, { 'accept-language': 'de' }, 'en'],
    [{ locale: 'fr' }, { 'accept-language': 'de' }, 'de'],
  ])('200 with the language of the first request: %j, %j', async (claims, headers, language) => {
    const sub = randomUUID();
    expect(await profile(await issuer.token({ sub, ...claims }), headers)).toMatchObject({
      language,
    });
    const later = await profile(await issuer.token({ sub }), { 'accept-language': 'en' });
    expect(later).toMatchObject({ language });
  });

  it('200 PENDING_APPROVAL for a new merchant', async () => {
    const token = await issuer.token({ sub: randomUUID(), app_metadata: { role: 'client' } });
    expect(await profile(token)).toMatchObject({
      role: 'client',
      status: 'pending_approval',
      canUseApp: false,
      needsMerchantOnboarding: false,
      code: 'PENDING_APPROVAL',
    });
  });

  it.each<[string, TestPerson]>([
    ['SUSPENDED', { role: 'consumer', status: 'suspended' }],
    ['SUSPENDED', { role: 'admin', status: 'suspended', email: 'gone@elsewhere.example' }],
    ['ADMIN_EMAIL_REQUIRED', { role: 'admin', email: 'boss@elsewhere.example' }],
    [
      'ADMIN_EMAIL_REQUIRED',
      { role: 'admin', status: 'pending_approval', email: 'new@elsewhere.example' },
    ],
  ])('200 %s for %j', async (code, person) => {
    expect(await profileOf(person)).toMatchObject({ canUseApp: false, code });
  });

  it('200 without a code for an admin of the domain, and for a listed one', async () => {
    const admin = await profileOf({ role: 'admin' });
    expect(admin).toMatchObject({ role: 'admin', canUseApp: true });
    expect(admin).not.toHaveProperty('code');

    const email = `first@${ADMIN_DOMAIN}`;
    const token = await issuer.token({ sub: randomUUID(), email, email_verified: true });
    expect(await profile(token)).toMatchObject({ role: 'admin', canUseApp: true });
  });

  it('200 with the name of a shop that invites, unless it is a message to strangers', async () => {
    const email = `${randomUUID()}@shop.example`;
    const lure = 'Security: sign in at https://support.example or call +49 30 1234567';
    for (const name of ['Corner Café', lure]) {
      const inviting = await aTenant(database.db, { name });
      await anInvite(database.db, { tenantId: inviting, email });
    }
    expect(await profileOf({ role: 'consumer', email })).toMatchObject({
      pendingInvites: [{ tenantName: 'Corner Café' }, { tenantName: 'a shop' }],
    });
  });

  describe('needsMerchantOnboarding', () => {
    it('is true for a merchant without a tenant', async () => {
      expect(await profileOf({ role: 'client' })).toMatchObject({
        tenantIds: [],
        needsMerchantOnboarding: true,
      });
    });

    it('is true until the tenant has a business name', async () => {
      const token = await tokenFor(database.db, issuer, { role: 'client', member: tenantId });
      expect(await profile(token)).toMatchObject({
        tenantIds: [tenantId],
        needsMerchantOnboarding: true,
      });
      const onboarding = JSON.stringify({ businessName: 'Corner Café' });
      await database.db('tenants').where({ id: tenantId }).update({ onboarding });
      expect(await profile(token)).toMatchObject({ needsMerchantOnboarding: false });
    });

    it('is false for an operator', async () => {
      expect(await profileOf({ role: 'pos_operator', member: tenantId })).toMatchObject({
        tenantIds: [tenantId],
        needsMerchantOnboarding: false,
      });
    });
  });
});

describe('PATCH /auth/me', () => {
  async function choose(token: string, body: object) {
    const response = await fetch(`${served.url}/api/v1/auth/me`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  it.each<TestPerson>([
    { role: 'consumer' },
    { role: 'client', status: 'pending_approval' },
    { role: 'admin', email: 'boss@elsewhere.example' },
    { role: 'pos_operator', status: 'suspended' },
  ])('200 with the chosen language: %j', async (person) => {
    const token = await tokenFor(database.db, issuer, person);
    for (const language of ['de', 'en', 'en']) {
      const chosen = await choose(token, { language });
      expect(chosen).toMatchObject({ status: 200, body: { language } });
      expect(await profile(token)).toEqual(chosen.body);
    }
  });

  it('400 for a language without texts, for none, and for anything else', async () => {
    const token = await tokenFor(database.db, issuer, { role: 'consumer' });
    for (const body of [
      { language: 'fr' },
      { language: null },
      {},
      { language: 'de', name: 'A' },
    ]) {
      expect(await choose(token, body)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      });
    }
    expect(await profile(token)).toMatchObject({ language: null });
  });
});

describe('PUT /auth/me/application', () => {
  const application = {
    shopName: 'Corner Café',
    phone: '+1 212 555 0102',
    website: 'https://corner.example/',
    reason: 'Our guests ask for it.',
  };
  const waiting = () =>
    tokenFor(database.db, issuer, { role: 'client', status: 'pending_approval' });
  const send = async (token: string, body: object) => {
    const response = await fetch(`${served.url}/api/v1/auth/me/application`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };

  it('200, and the profile has what was said last', async () => {
    const token = await waiting();
    expect(await profile(token)).not.toHaveProperty('application');
    expect(await send(token, application)).toEqual({ status: 200, body: application });
    const { website: _, ...second } = { ...application, shopName: 'Second Scoop' };
    expect(await send(token, second)).toEqual({ status: 200, body: second });
    expect(await profile(token)).toMatchObject({ application: second, code: 'PENDING_APPROVAL' });
    expect(await profile(token)).not.toHaveProperty('application.website');
  });

  it.each<[string, object]>([
    ['no name', { shopName: ' ' }],
    ['a name of two lines', { shopName: 'Corner\nCafé' }],
    ['a name that is too long', { shopName: 'x'.repeat(121) }],
    ['a phone of letters', { phone: 'call me' }],
    ['a website by http', { website: 'http://corner.example' }],
    ['a website that is a script', { website: 'javascript:alert(1)' }],
    ['a website that is too long', { website: `https://corner.example/${'x'.repeat(300)}` }],
    ['no reason', { reason: '' }],
    ['a reason that is too long', { reason: 'x'.repeat(501) }],
  ])('400 VALIDATION_ERROR for %s', async (_, part) => {
    const token = await waiting();
    const answer = await send(token, { ...application, ...part });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(await profile(token)).not.toHaveProperty('application');
  });

  it.each<TestPerson>([
    { role: 'client' },
    { role: 'client', status: 'suspended' },
    { role: 'consumer' },
    { role: 'pos_operator', status: 'pending_approval' },
    { role: 'admin' },
  ])('403 FORBIDDEN for who does not wait to become a merchant: %j', async (person) => {
    const token = await tokenFor(database.db, issuer, person);
    expect(await send(token, application)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect(await profile(token)).not.toHaveProperty('application');
  });
});
