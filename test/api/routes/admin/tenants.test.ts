import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  aBetaConnection,
  anAlphaConnection,
  aRule,
  aTenant,
  aUser,
  aWallet,
} from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { type Call, nextPath } from '../../../support/http/app.ts';
import { aDelivery } from '../../../support/http/endpoints.ts';
import { aTill } from '../../../support/points/payments.ts';

const app = await useApp();
const { db } = app;
const token = (await app.signIn({ role: 'admin' })).token;

const get = (path: string, rest: Partial<Call> = {}) =>
  app.call({ path: `/api/v1${path}`, token, ...rest });
const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);

describe('GET /admin/tenants', () => {
  it('200 with every tenant, newest first, page by page', async () => {
    const older = await aTenant(db, { name: 'Older' });
    const newer = await aTenant(db, { name: 'Newer', country: 'DE' });
    await anAlphaConnection(db, { tenantId: newer, merchantId: 'MERCHANT_1' });
    await aWallet(db, { tenantId: newer });

    const first = await get('/admin/tenants?limit=1');
    expect(first).toMatchObject({ status: 200 });
    expect(first.body).toEqual([
      {
        id: newer,
        name: 'Newer',
        country: 'DE',
        status: 'active',
        needsAttention: false,
        lastHeardAt: null,
        connections: [
          {
            posType: 'alpha',
            status: 'active',
            needsReconnect: false,
            isSilent: false,
            lastHeardAt: null,
          },
        ],
        lastDay: { credited: 0, notCredited: [] },
        deliveries: { waiting: 0, disabledEndpoints: 0 },
        consumerCount: 1,
        createdAt,
      },
    ]);
    const second = await app.call({ path: nextPath(first) ?? '', token });
    expect(second.body).toMatchObject([{ id: older, country: null, connections: [] }]);
    expect(nextPath(second)).toBeUndefined();
  });

  it('200 with what needs attention first, page by page, and why', async () => {
    const lost = await aTenant(db, { name: 'Lost one' });
    const sells = await aTenant(db, { name: 'Lost none' });
    const ring = await aTill(db, sells);
    await ring({ createdAt: new Date() });
    await ring({ createdAt: new Date() });
    await ring({ email: 'nobody@example.com', createdAt: new Date() });
    await ring({ createdAt: new Date(Date.now() - 25 * 3_600_000) });
    await anAlphaConnection(db, { tenantId: lost, merchantId: 'MERCHANT_LOST' });
    await aDelivery(db, lost);
    await db('pos_connections')
      .where({ tenantId: lost })
      .update({ needsReconnectSince: new Date() });
    const first = await get('/admin/tenants?limit=1&q=lost');
    expect(first.body).toMatchObject([
      {
        id: lost,
        needsAttention: true,
        connections: [{ needsReconnect: true }],
        deliveries: { waiting: 1 },
      },
    ]);
    const next = await app.call({ path: nextPath(first) ?? '', token });
    const notCredited = [
      { reason: 'no_contacts', count: 2 },
      { reason: 'no_match', count: 1 },
    ];
    const lastDay = { credited: 0, notCredited };
    expect(next.body).toMatchObject([
      { id: sells, needsAttention: false, lastHeardAt: createdAt, lastDay },
    ]);
    expect(nextPath(next)).toBeUndefined();
  });

  it('200 with those whose name contains the text, in any case, page by page', async () => {
    const [first, second] = [
      await aTenant(db, { name: 'Ärztehaus 100% Süd' }),
      await aTenant(db, { name: 'Kiosk am ärztehaus' }),
    ];
    await aTenant(db, { name: 'Ärzte 1000' });
    const found = await get(`/admin/tenants?limit=1&q=${encodeURIComponent(' ÄRZTEHAUS ')}`);
    expect(found.body).toMatchObject([{ id: second }]);
    const next = await app.call({ path: nextPath(found) ?? '', token });
    expect(next.body).toMatchObject([{ id: first }]);
    expect(nextPath(next)).toBeUndefined();
    expect((await get('/admin/tenants?q=100%25')).body).toMatchObject([{ id: first }]);
    expect((await get(`/admin/tenants?q=${'x'.repeat(201)}`)).status).toBe(400);
  });

  it.each(['limit=0', 'cursor=x', 'cursor=WyJ0ZW5hbnQiLCJ4Iiwib3RoZXIiXQ'])(
    '400 VALIDATION_ERROR for %s',
    async (query) => {
      expect(await get(`/admin/tenants?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      });
    },
  );
});

describe('GET /admin/tenants/:tenantId', () => {
  it('200 with the overview, the owner and the latest payment', async () => {
    const ownerId = await aUser(db, { role: 'client', email: 'owner@example.com' });
    const tenantId = await aTenant(db, { name: 'Corner Café', ownerId });
    await aRule(db, tenantId, { conversionRate: 0.5 });
    const transactionId = await (await aTill(db, tenantId))({});

    const { status, body } = await get(`/admin/tenants/${tenantId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tenant: {
        id: tenantId,
        name: 'Corner Café',
        country: null,
        branding: { logoUrl: null, color: null },
      },
      posConnection: { posType: 'alpha', status: 'active' },
      connections: [{ posType: 'alpha', status: 'active' }],
      activeRule: { version: 1, ruleConfig: { conversionRate: 0.5 } },
      stats: { consumerCount: 0, transactionCount: 1 },
      owner: { userId: ownerId, email: 'owner@example.com', status: 'active' },
      lastIngest: { transactionId, provider: 'alpha', outcome: 'stored_anonymous', at: createdAt },
      lastError: null,
    });
  });

  it('200 with the latest error', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId: 'MERCHANT_2' });
    await db('pos_connections').where({ tenantId }).update({ lastError: 'The token was refused.' });
    expect((await get(`/admin/tenants/${tenantId}`)).body).toMatchObject({
      lastIngest: null,
      lastError: { provider: 'alpha', message: 'The token was refused.', at: createdAt },
    });
  });

  it('200 with all connections, newest first, whatever their state', async () => {
    const tenantId = await aTenant(db);
    expect((await get(`/admin/tenants/${tenantId}`)).body).toMatchObject({ connections: [] });
    await anAlphaConnection(db, { tenantId, merchantId: 'MERCHANT_3' });
    await aBetaConnection(db, { tenantId, merchantId: 'MERCHANT_4' });
    const connection = (provider: string) => db('pos_connections').where({ tenantId, provider });
    await connection('alpha').update({ needsReconnectSince: new Date() });
    await connection('beta').update({ status: 'disconnected' });
    expect((await get(`/admin/tenants/${tenantId}`)).body).toMatchObject({
      posConnection: { posType: 'alpha' },
      connections: [
        { posType: 'beta', status: 'disconnected', needsReconnectSince: null },
        { posType: 'alpha', status: 'active', needsReconnectSince: createdAt },
      ],
    });
  });

  it('404 TENANT_NOT_FOUND for an unknown tenant', async () => {
    for (const id of [randomUUID(), 'not-an-id']) {
      expect(await get(`/admin/tenants/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'TENANT_NOT_FOUND' },
      });
    }
  });
});

it.each(['client', 'pos_operator', 'consumer'] as const)(
  '403 INSUFFICIENT_ROLE for a %s, even of the tenant',
  async (role) => {
    const tenantId = await aTenant(db);
    const person = await app.signIn({ role, ...(role !== 'consumer' && { member: tenantId }) });
    for (const path of ['/admin/tenants', `/admin/tenants/${tenantId}`]) {
      expect(await get(path, { token: person.token })).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_ROLE' },
      });
    }
  },
);
