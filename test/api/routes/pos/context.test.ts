import { describe, expect, it } from 'vitest';
import { aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';

const app = await useApp();

const context = (token: string) => app.call({ path: '/api/v1/pos/context', token });

describe('GET /pos/context', () => {
  it('200 with the shop, the newest of several', async () => {
    const tenantId = await aTenant(app.db, { name: 'Corner Café' });
    const { token, userId } = await app.signIn({ role: 'pos_operator', member: tenantId });
    const first = await context(token);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ tenantId, name: 'Corner Café', branding: { logoUrl: null } });

    const newer = await aTenant(app.db, { name: 'Bakery' });
    await app.db('memberships').insert({ tenantId: newer, userId, role: 'pos_operator' });
    await app.db('tenants').where({ id: newer }).update({ logoPath: 'logos/x.png' });
    expect((await context(token)).body).toEqual({
      tenantId: newer,
      name: 'Bakery',
      branding: { logoUrl: 'https://api.shop.example/objects/logos/x.png' },
    });
  });

  it('403 TENANT_FORBIDDEN without a shop', async () => {
    const { token } = await app.signIn({ role: 'pos_operator' });
    expect(await context(token)).toMatchObject({
      status: 403,
      body: { code: 'TENANT_FORBIDDEN' },
    });
  });

  it('403 INSUFFICIENT_ROLE for a merchant', async () => {
    const { token } = await app.signIn({ role: 'client', member: await aTenant(app.db) });
    expect(await context(token)).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_ROLE' },
    });
  });
});
