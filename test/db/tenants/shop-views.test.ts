import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { listShopViews, type ShopPosition } from '../../../db/tenants/shop-views.ts';
import { TenantId } from '../../../domain/ids.ts';
import { aBetaConnection, anAlphaConnection, aTenant, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anEndpoint } from '../../support/http/endpoints.ts';

const { db } = await useDatabase();
const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

async function viewOf(tenantId: TenantId) {
  const views = await listShopViews(db, { limit: 100, days: 1 });
  return views.find(({ id }) => id === tenantId);
}

const connect = (tenantId: TenantId) =>
  anAlphaConnection(db, { tenantId, merchantId: randomUUID() });
const heard = (tenantId: TenantId, receivedAt: Date) =>
  db('last_events').insert({ tenantId, provider: 'alpha', receivedAt });

it('lists the newest first, with their customers and connections', async () => {
  const plain = await aTenant(db, { name: 'Plain' });
  const busy = await aTenant(db, { name: 'Busy', country: 'DE' });
  await aBetaConnection(db, { tenantId: busy, merchantId: randomUUID() });
  await connect(busy);
  await heard(busy, ago(1));
  await aWallet(db, { tenantId: busy });
  await aWallet(db, { tenantId: busy });

  const [first, second] = await listShopViews(db, { limit: 2, days: 1 });
  const state = { status: 'active', needsReconnect: false, isSilent: false };
  expect(first).toEqual({
    id: busy,
    name: 'Busy',
    country: 'DE',
    status: 'active',
    createdAt: expect.any(Date),
    needsAttention: false,
    lastHeardAt: expect.any(Date),
    connections: [
      { ...state, provider: 'alpha', lastHeardAt: expect.any(Date) },
      { ...state, provider: 'beta', lastHeardAt: null },
    ],
    credited: 0,
    notCredited: {},
    deliveriesWaiting: 0,
    endpointsDisabled: 0,
    consumerCount: 2,
  });
  expect(second).toMatchObject({
    id: plain,
    country: null,
    connections: [],
    consumerCount: 0,
    lastHeardAt: null,
  });
});

it.each([
  [
    'has lost its connection',
    true,
    async (tenantId: TenantId) => {
      await connect(tenantId);
      await db('pos_connections')
        .where({ tenantId })
        .update({ needsReconnectSince: ago(1) });
    },
  ],
  [
    'was not heard for three days',
    true,
    async (tenantId: TenantId) => {
      await connect(tenantId);
      await heard(tenantId, ago(73));
    },
  ],
  [
    'was never heard in three days',
    true,
    async (tenantId: TenantId) => {
      await connect(tenantId);
      await db('pos_connections')
        .where({ tenantId })
        .update({ createdAt: ago(73) });
    },
  ],
  [
    'has an endpoint that was given up',
    true,
    async (tenantId: TenantId) => {
      const { id } = await anEndpoint(db, tenantId);
      const row = { status: 'disabled', disabledReason: 'failing' };
      await db('webhook_endpoints').where({ id }).update(row);
    },
  ],
  [
    'was heard yesterday',
    false,
    async (tenantId: TenantId) => {
      await connect(tenantId);
      await heard(tenantId, ago(24));
    },
  ],
  [
    'disconnected',
    false,
    async (tenantId: TenantId) => {
      await connect(tenantId);
      await heard(tenantId, ago(99));
      const row = { status: 'disconnected', needsReconnectSince: ago(1) };
      await db('pos_connections').where({ tenantId }).update(row);
    },
  ],
  [
    'is suspended',
    false,
    async (tenantId: TenantId) => {
      await connect(tenantId);
      await heard(tenantId, ago(99));
      await db('tenants')
        .where({ id: tenantId })
        .update({ suspendedAt: ago(1) });
    },
  ],
] as const)('a shop that %s needs attention: %s', async (_, needsAttention, make) => {
  const tenantId = await aTenant(db);
  await make(tenantId);
  expect(await viewOf(tenantId)).toMatchObject({ needsAttention });
});

it('continues after a shop: those in need first, also among shops of one moment', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => aTenant(db, { name: 'Paged' })));
  await db('tenants').whereIn('id', made).update({ createdAt: '2030-01-01T00:00:00.000001Z' });
  const inNeed = made.slice(0, 2);
  for (const tenantId of inNeed) {
    await connect(tenantId);
    await heard(tenantId, ago(99));
  }
  const seen: TenantId[] = [];
  for (let after: ShopPosition | undefined; ; ) {
    const [next] = await listShopViews(db, { limit: 1, days: 1, named: 'paged', after });
    if (next === undefined) break;
    after = next;
    seen.push(next.id);
  }
  expect([...seen].sort()).toEqual([...made].sort());
  expect(seen.slice(0, 2).sort()).toEqual([...inNeed].sort());
});

it('is empty after a shop that does not exist', async () => {
  const after = { id: TenantId.parse(randomUUID()), needsAttention: true };
  expect(await listShopViews(db, { limit: 10, days: 1, after })).toEqual([]);
});
