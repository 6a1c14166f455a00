import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId, UserId } from '../../../../domain/ids.ts';
import { anAlphaConnection, aRule, aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';

const app = await useApp();

let tenantId: TenantId;
let token: string;
beforeEach(async () => {
  tenantId = await aTenant(app.db, { name: 'Shop' });
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
});

const api = '/api/v1/client';
const bootstrap = (of: string) =>
  app.call({ method: 'POST', path: `${api}/bootstrap-merchant-workspace`, token: of });
const overview = () => app.call({ path: `${api}/tenants/${tenantId}`, token });
const patch = (body: unknown) =>
  app.call({ method: 'PATCH', path: `${api}/tenants/${tenantId}/onboarding`, token, body });
const membershipsOf = (userId: UserId) => app.db('memberships').where({ userId });

describe('POST /client/bootstrap-merchant-workspace', () => {
  it('200 with a tenant named after the e-mail, then with the same one', async () => {
    const merchant = await app.signIn({ role: 'client', email: 'corner.cafe@shop.example' });
    const first = await bootstrap(merchant.token);
    expect(first).toMatchObject({
      status: 200,
      body: { tenantId: expect.any(String), created: true },
    });
    const { tenantId: made } = first.json<{ tenantId: string }>();
    expect((await bootstrap(merchant.token)).body).toEqual({ tenantId: made, created: false });
    const shown = await app.call({ path: `${api}/tenants/${made}`, token: merchant.token });
    expect(shown.body).toMatchObject({ tenant: { name: 'corner.cafe', country: null } });
  });

  it('200 with the tenant that the merchant has', async () => {
    expect((await bootstrap(token)).body).toEqual({ tenantId, created: false });
  });

  it('200 for ten at once: one tenant, created by one of them', async () => {
    const merchant = await app.signIn({ role: 'client' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => bootstrap(merchant.token)));
    const bodies = answers.map((each) => each.json<{ tenantId: string; created: boolean }>());
    expect(new Set(bodies.map((body) => body.tenantId)).size).toBe(1);
    expect(bodies.filter(({ created }) => created)).toHaveLength(1);
    expect(await membershipsOf(merchant.userId)).toHaveLength(1);
  });

  it('200 with a tenant of their own for a client who is an operator elsewhere', async () => {
    const merchant = await app.signIn({ role: 'client' });
    await app.db('memberships').insert({ tenantId, userId: merchant.userId, role: 'pos_operator' });
    const shown = await app.call({ path: `${api}/tenants/${tenantId}`, token: merchant.token });
    expect(shown).toMatchObject({ status: 403, body: { code: 'TENANT_FORBIDDEN' } });
    expect((await bootstrap(merchant.token)).body).toMatchObject({ created: true });
  });

  it.each(['consumer', 'pos_operator', 'admin'] as const)(
    '403 INSUFFICIENT_ROLE for a %s',
    async (role) => {
      const someone = await app.signIn({ role });
      expect(await bootstrap(someone.token)).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_ROLE' },
      });
    },
  );

  it('401 while the merchant waits for approval', async () => {
    const pending = await app.signIn({ role: 'client', status: 'pending_approval' });
    expect((await bootstrap(pending.token)).status).toBe(401);
    expect(await membershipsOf(pending.userId)).toEqual([]);
  });
});

describe('GET /client/tenants/:tenantId', () => {
  it('200 for a new tenant: no connection, no rule, no consumers', async () => {
    expect(await overview()).toMatchObject({ status: 200 });
    expect((await overview()).body).toEqual({
      tenant: {
        id: tenantId,
        name: 'Shop',
        country: null,
        currency: null,
        timeZone: null,
        status: 'active',
        branding: { logoUrl: null, color: null },
        joinUrl: `https://app.shop.example/join/${tenantId}`,
        onboarding: {},
      },
      posConnection: null,
      activeRule: null,
      stats: { consumerCount: 0, transactionCount: 0 },
    });
  });

  it('200 with the logo, the connection, the latest rule and the counts', async () => {
    const known = { logoPath: 'logos/one.webp', country: 'DE' };
    await app.db('tenants').where('id', tenantId).update(known);
    await anAlphaConnection(app.db, { tenantId, merchantId: `M-${tenantId}` });
    await aRule(app.db, tenantId, { conversionRate: 0.5 });
    await aRule(app.db, tenantId, { conversionRate: 2.5, effectiveFrom: '2999-01-01T00:00:00Z' });
    await aWallet(app.db, { tenantId, balance: 5 });
    await aWallet(app.db, { balance: 5 });
    expect((await overview()).body).toEqual({
      tenant: expect.objectContaining({
        timeZone: 'Europe/Berlin',
        branding: { logoUrl: 'https://api.shop.example/objects/logos/one.webp', color: null },
      }),
      posConnection: expect.objectContaining({ posType: 'alpha', status: 'active' }),
      activeRule: {
        id: expect.any(String),
        version: 2,
        ruleConfig: expect.objectContaining({
          conversionRate: 2.5,
          effectiveFrom: '2999-01-01T00:00:00.000Z',
        }),
        createdBy: { userId: expect.any(String), email: expect.any(String) },
      },
      stats: { consumerCount: 1, transactionCount: 0 },
    });
  });

  it('403 INSUFFICIENT_ROLE for an operator and for a consumer of the tenant', async () => {
    const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
    const consumer = await app.signIn({ role: 'consumer' });
    await aWallet(app.db, { tenantId, userId: consumer.userId });
    for (const someone of [operator, consumer]) {
      const answer = await app.call({ path: `${api}/tenants/${tenantId}`, token: someone.token });
      expect(answer).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_ROLE' } });
    }
  });
});

describe('PATCH /client/tenants/:tenantId/onboarding', () => {
  it('200 with the whole profile, merged key by key', async () => {
    const profile = {
      taxId: 'DE1',
      addressLine: 'Road 1',
      city: 'Berlin',
      alphaLocationHint: 'front',
      betaMerchantRef: 'B-1',
      otherPosNotes: 'two\nlines',
    };
    const first = { posProviderPreference: 'alpha', businessName: 'Café', country: 'de', profile };
    expect(await patch(first)).toMatchObject({
      status: 200,
      body: { tenantId, onboarding: { ...first, country: 'DE' } },
    });
    const second = await patch({ profile: { city: 'Bonn', taxId: null }, country: null });
    expect(second.body).toEqual({
      tenantId,
      currency: null,
      onboarding: {
        posProviderPreference: 'alpha',
        businessName: 'Café',
        profile: {
          addressLine: 'Road 1',
          city: 'Bonn',
          alphaLocationHint: 'front',
          betaMerchantRef: 'B-1',
          otherPosNotes: 'two\nlines',
        },
      },
    });
    expect((await patch({})).body).toEqual(second.body);
    const entries = await app.db('audit_log').where({ tenantId }).orderBy('seq');
    expect(entries.map(({ action, after }) => ({ action, after }))).toEqual([
      {
        action: 'tenant.update',
        after: {
          name: 'Café',
          businessName: 'Café',
          country: 'DE',
          posProviderPreference: 'alpha',
          profile: Object.keys(profile).join(' '),
        },
      },
      { action: 'tenant.update', after: { country: null, profile: 'taxId city' } },
    ]);
  });

  it('200 with the currency, which stays as it is from then on', async () => {
    expect(await patch({ currency: 'eur' })).toMatchObject({
      status: 200,
      body: { currency: 'EUR', onboarding: {} },
    });
    expect((await overview()).body).toMatchObject({ tenant: { currency: 'EUR' } });
    expect(await patch({ currency: 'EUR' })).toMatchObject({ status: 200 });

    const refused = await patch({ currency: 'USD', businessName: 'Café' });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_ERROR',
        issues: [{ path: '', code: 'currency_set', params: { currency: 'EUR' } }],
      },
    });
    expect((await patch({})).body).toEqual({ tenantId, currency: 'EUR', onboarding: {} });
    for (const currency of ['ABC', 'E', null, 978]) {
      expect(await patch({ currency })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      });
    }
  });

  it('200 for one of two currencies at once', async () => {
    const answers = await Promise.all([patch({ currency: 'EUR' }), patch({ currency: 'USD' })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('200, and the tenant takes the name and the country, which ends the onboarding', async () => {
    const me = () => app.call({ path: '/api/v1/auth/me', token });
    expect((await me()).body).toMatchObject({ needsMerchantOnboarding: true });
    await patch({ businessName: 'Corner Café', country: 'ch' });
    expect((await overview()).body).toMatchObject({
      tenant: { name: 'Corner Café', country: 'CH', onboarding: { country: 'CH' } },
    });
    expect((await me()).body).toMatchObject({ needsMerchantOnboarding: false });
  });

  it('200 without a lost key when different keys are sent at once', async () => {
    const answers = await Promise.all([
      patch({ profile: { city: 'Bonn' } }),
      patch({ profile: { taxId: 'DE1' } }),
      patch({ businessName: 'Café' }),
      patch({ country: 'DE' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await overview()).body).toMatchObject({
      tenant: {
        onboarding: {
          businessName: 'Café',
          country: 'DE',
          profile: { city: 'Bonn', taxId: 'DE1' },
        },
      },
    });
  });

  it.each([
    ['an unknown country', { country: 'XX' }, 'country'],
    ['a letter that becomes two in upper case', { country: 'ß' }, 'country'],
    ['an unknown provider', { posProviderPreference: 'gamma' }, 'posProviderPreference'],
    ['a blank name', { businessName: '  ' }, 'businessName'],
    ['a name of two lines', { businessName: 'a\nb' }, 'businessName'],
    ['a name that is too long', { businessName: 'x'.repeat(121) }, 'businessName'],
    ['a text that is too long', { profile: { city: 'x'.repeat(301) } }, 'profile.city'],
    ['a number', { profile: { taxId: 7 } }, 'profile.taxId'],
    ['a list', { profile: ['x'] }, 'profile'],
  ])('400 VALIDATION_ERROR for %s, and nothing is merged', async (_, body, path) => {
    const answer = await patch({ posProviderPreference: 'beta', ...body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(Object(answer.body).issues).toMatchObject([{ path }]);
    expect((await overview()).body).toMatchObject({ tenant: { name: 'Shop', onboarding: {} } });
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    '400 VALIDATION_ERROR for the key %s, at any depth',
    async (key) => {
      for (const body of [`{"${key}": {"x": 1}}`, `{"profile": {"${key}": {"x": 1}}}`]) {
        expect(await patch(body)).toMatchObject({
          status: 400,
          body: { code: 'VALIDATION_ERROR' },
        });
      }
    },
  );

  it('200 without a change of another tenant', async () => {
    const other = await aTenant(app.db);
    const path = `${api}/tenants/${other}/onboarding`;
    const answer = await app.call({ method: 'PATCH', path, token, body: { country: 'DE' } });
    expect(answer).toMatchObject({ status: 403, body: { code: 'TENANT_FORBIDDEN' } });
    expect(await app.db('tenants').where('id', other).first()).toMatchObject({ country: null });
  });
});
