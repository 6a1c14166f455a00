import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as tenantOverview from '../../../db/tenants/overview.ts';
import * as tenants from '../../../db/tenants/tenants.ts';
import type { TenantId } from '../../../domain/ids.ts';
import type { OnboardingPatch } from '../../../domain/onboarding.ts';
import type { Provider } from '../../../domain/payment.ts';
import { aTenant, aWallet, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
beforeEach(async () => {
  tenantId = await aTenant(db, { name: 'Shop', country: 'CH' });
});

const mergeAll = (patch: OnboardingPatch) =>
  db.transaction((tx) => tenantOverview.mergeOnboarding(tx, tenantId, patch));
const merge = async (patch: OnboardingPatch) => (await mergeAll(patch)).after.onboarding;

describe('get', () => {
  it('is empty for a new tenant', async () => {
    expect(await tenantOverview.get(db, tenantId)).toEqual({
      onboarding: {},
      posConnection: null,
      consumerCount: 0,
      transactionCount: 0,
    });
  });

  it('counts only this tenant’s wallets', async () => {
    for (const id of [tenantId, tenantId, await aTenant(db)]) await aWallet(db, { tenantId: id });
    expect(await tenantOverview.get(db, tenantId)).toMatchObject({ consumerCount: 2 });
  });

  it.each([
    { alpha: 'active', beta: 'active', shown: 'beta', because: 'it is the newest' },
    { alpha: 'active', beta: 'disconnected', shown: 'alpha', because: 'it alone is active' },
    { alpha: 'disconnected', beta: 'disconnected', shown: 'beta', because: 'it is the newest' },
  ] as const)('shows $shown of $alpha alpha and $beta beta: $because', async (connections) => {
    for (const provider of ['alpha', 'beta'] satisfies Provider[]) {
      const context = { tenantId, provider, field: 'access_token' };
      const id = await posConnections.connect(db, {
        tenantId,
        provider,
        merchantId: randomUUID(),
        tokenExpiresAt: null,
        sealedAccessToken: testSealer.seal('token', context),
        sealedRefreshToken: null,
      });
      await db('pos_connections').where({ id }).update({ status: connections[provider] });
    }
    const { posConnection } = await tenantOverview.get(db, tenantId);
    expect(posConnection).toEqual({
      id: expect.any(String),
      provider: connections.shown,
      status: connections[connections.shown],
      accountName: null,
      lastError: null,
      lastEventAt: null,
      lastPolledAt: null,
      lastSaleAt: null,
      needsReconnectSince: null,
      gapSince: null,
      tokenExpiresAt: null,
      watermark: connections.shown === 'alpha' ? expect.any(Date) : null,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
  });
});

describe('mergeOnboarding', () => {
  it('keeps what a patch does not name, and removes what is null', async () => {
    await merge({ posProviderPreference: 'beta', profile: { city: 'Bern', taxId: '7' } });
    expect(await merge({ profile: { taxId: null, addressLine: 'Road 1' } })).toEqual({
      posProviderPreference: 'beta',
      profile: { city: 'Bern', addressLine: 'Road 1' },
    });
    expect(await merge({ posProviderPreference: null, profile: null })).toEqual({});
    expect(await merge({})).toEqual({});
    expect(await merge({ profile: { city: 'Bern' } })).toEqual({ profile: { city: 'Bern' } });
  });

  it('sets name and country on the tenant as well, and never removes the name', async () => {
    const named = () => tenants.find(db, tenantId);
    await merge({ businessName: 'Café', country: 'DE' });
    expect(await named()).toMatchObject({ name: 'Café', country: 'DE' });
    await merge({ profile: { city: 'Bern' } });
    expect(await named()).toMatchObject({ name: 'Café', country: 'DE' });
    expect(await merge({ businessName: null, country: null })).toEqual({
      profile: { city: 'Bern' },
    });
    expect(await named()).toMatchObject({ name: 'Café', country: null });
  });

  it('says what the tenant was and is', async () => {
    await merge({ businessName: 'Café', currency: 'EUR' });
    expect(await mergeAll({ businessName: 'Bar', profile: { city: 'Bern' } })).toEqual({
      before: {
        name: 'Café',
        country: 'CH',
        currency: 'EUR',
        onboarding: { businessName: 'Café' },
      },
      after: {
        name: 'Bar',
        country: 'CH',
        currency: 'EUR',
        onboarding: { businessName: 'Bar', profile: { city: 'Bern' } },
      },
    });
  });

  it('keeps all of several concurrent patches', async () => {
    const fields = [
      'taxId',
      'addressLine',
      'city',
      'alphaLocationHint',
      'betaMerchantRef',
    ] as const;
    const patches: OnboardingPatch[] = [
      { businessName: 'Café' },
      { country: 'DE' },
      { posProviderPreference: 'other' },
      ...fields.map((field) => ({ profile: { [field]: field } })),
    ];
    await Promise.all(patches.map(merge));
    expect((await tenantOverview.get(db, tenantId)).onboarding).toEqual({
      businessName: 'Café',
      country: 'DE',
      posProviderPreference: 'other',
      profile: Object.fromEntries(fields.map((field) => [field, field])),
    });
  });
});
