import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';

const app = await useApp();

const context = (token: string, shop?: string) =>
  app.call({
    path: '/api/v1/pos/context',
    token,
    ...(shop !== undefined && { headers: { 'x-tenant-id': shop } }),
  });

let oldest: TenantId;
let operator: SignedIn;
beforeEach(async () => {
  oldest = await aTenant(app.db, { name: 'Corner Café' });
  operator = await app.signIn({ role: 'pos_operator', member: oldest });
});

describe('GET /pos/context', () => {
  it('200 with the only shop', async () => {
    const answer = await context(operator.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      tenantId: oldest,
      name: 'Corner Café',
      branding: { logoUrl: null, color: null },
      currency: null,
      timeZone: null,
      tillAttach: false,
      memberships: [{ tenantId: oldest, name: 'Corner Café' }],
    });
  });

  it('200 with the oldest of several, or the one that the header names', async () => {
    const { userId, token } = operator;
    const newer = await aTenant(app.db, { name: 'Bakery' });
    await app.db('memberships').insert({ tenantId: newer, userId, role: 'pos_operator' });
    await app.db('tenants').where({ id: newer }).update({ logoPath: 'logos/x.png', country: 'DE' });
    const memberships = [
      { tenantId: oldest, name: 'Corner Café' },
      { tenantId: newer, name: 'Bakery' },
    ];
    expect((await context(token)).body).toMatchObject({ tenantId: oldest, memberships });
    expect((await context(token, newer.toUpperCase())).body).toEqual({
      tenantId: newer,
      name: 'Bakery',
      branding: { logoUrl: 'https://api.shop.example/objects/logos/x.png', color: null },
      currency: null,
      timeZone: 'Europe/Berlin',
      tillAttach: false,
      memberships,
    });
  });

  it('200 with the lowest id of those joined at the same moment', async () => {
    const { userId, token } = operator;
    const shops = [oldest, await aTenant(app.db), await aTenant(app.db), await aTenant(app.db)];
    for (const tenantId of shops.slice(1))
      await app.db('memberships').insert({ tenantId, userId, role: 'pos_operator' });
    await app.db('memberships').where({ userId }).update({ createdAt: '2026-01-15T10:00:00Z' });
    const answer = await context(token);
    const { memberships } = answer.json<{ memberships: { tenantId: string }[] }>();
    expect(answer.body).toMatchObject({ tenantId: [...shops].sort()[0] });
    expect(memberships.map(({ tenantId }) => tenantId)).toEqual([...shops].sort());
  });

  it.each([
    ['403 TENANT_FORBIDDEN', () => aTenant(app.db)],
    ['404 TENANT_NOT_FOUND', async () => crypto.randomUUID()],
    ['404 TENANT_NOT_FOUND', async () => 'none'],
  ])('%s when the header names another shop', async (refused, shop) => {
    const { status, body } = await context(operator.token, await shop());
    expect(`${status} ${Reflect.get(Object(body), 'code')}`).toBe(refused);
  });

  it('403 TENANT_FORBIDDEN without a shop', async () => {
    const { token } = await app.signIn({ role: 'pos_operator' });
    expect(await context(token)).toMatchObject({
      status: 403,
      body: { code: 'TENANT_FORBIDDEN' },
    });
  });

  it('403 INSUFFICIENT_ROLE for a merchant', async () => {
    const { token } = await app.signIn({ role: 'client', member: oldest });
    for (const shop of [undefined, oldest]) {
      expect(await context(token, shop)).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_ROLE' },
      });
    }
  });
});
