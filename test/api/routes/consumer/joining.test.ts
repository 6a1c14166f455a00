import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aRule, aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aTill } from '../../../support/points/payments.ts';

const app = await useApp();
const { db } = app;

const join = (token: string, tenantId: string, headers: Record<string, string> = {}) =>
  app.call({
    method: 'POST',
    path: '/api/v1/consumer/wallets',
    token,
    body: { tenantId },
    headers,
  });
const shop = (token: string, tenantId: string) =>
  app.call({ path: `/api/v1/consumer/shops/${tenantId}`, token });
const aCustomer = () => app.signIn({ role: 'consumer', email: `${randomUUID()}@example.com` });

describe('POST /consumer/wallets', () => {
  it('201 with an empty wallet, then 200 with the same, as the shop shows it', async () => {
    const tenantId = await aTenant(db, { name: 'Corner Café' });
    const { token, userId } = await aCustomer();
    const before = { tenantId, name: 'Corner Café', walletId: null };
    expect(await shop(token, tenantId)).toMatchObject({ status: 200, body: before });

    const joined = await join(token, tenantId);
    expect(joined).toMatchObject({
      status: 201,
      body: {
        tenantId,
        balance: 0,
        available: 0,
        status: 'active',
        tenant: { name: 'Corner Café' },
      },
    });
    const { id: walletId } = joined.json<{ id: string }>();
    expect(await join(token, tenantId)).toMatchObject({ status: 200, body: { id: walletId } });
    expect((await shop(token, tenantId)).body).toMatchObject({ walletId });
    expect(await db('wallets').where({ userId })).toHaveLength(1);
  });

  it('opens one wallet, however often it is sent at once, also beside the first sale', async () => {
    const tenantId = await aTenant(db);
    await aRule(db, tenantId);
    const email = `${randomUUID()}@example.com`;
    const { token, userId } = await app.signIn({ role: 'consumer', email });
    const sell = await aTill(db, tenantId);
    const [, ...answers] = await Promise.all([
      sell({ email, amount: 500 }),
      ...Array.from({ length: 5 }, () => join(token, tenantId)),
    ]);
    for (const { status } of answers) expect([200, 201]).toContain(status);
    expect(await db('wallets').where({ userId })).toMatchObject([{ tenantId, balance: 500 }]);
  });

  it('201 for the answer of before to the same key', async () => {
    const tenantId = await aTenant(db);
    const { token } = await aCustomer();
    const key = { 'idempotency-key': randomUUID() };
    const first = await join(token, tenantId, key);
    expect(first.status).toBe(201);
    expect(await join(token, tenantId, key)).toMatchObject({ status: 201, body: first.body });
  });

  it('404 for an unknown shop, 403 for a suspended one, which members still see', async () => {
    const { token } = await aCustomer();
    const unknown = { status: 404, body: { code: 'TENANT_NOT_FOUND' } };
    expect(await join(token, randomUUID())).toMatchObject(unknown);
    expect(await shop(token, randomUUID())).toMatchObject(unknown);
    const tenantId = await aTenant(db);
    const { token: member } = await aCustomer();
    expect((await join(member, tenantId)).status).toBe(201);
    await db('tenants').where({ id: tenantId }).update({ suspendedAt: new Date() });
    expect(await join(token, tenantId)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [{ code: 'tenant_suspended' }] },
    });
    expect((await join(member, tenantId)).status).toBe(200);
  });

  it('422 for somebody whose purchases could not be recognised', async () => {
    const tenantId = await aTenant(db);
    const email = `${randomUUID()}@example.com`;
    const { token, userId } = await app.signIn({ role: 'consumer', email, emailVerified: false });
    expect(await join(token, tenantId)).toMatchObject({
      status: 422,
      body: { code: 'RULE_REJECTED', issues: [{ code: 'contact_unverified' }] },
    });
    expect(await db('wallets').where({ userId })).toEqual([]);
  });
});

describe('the overview of a shop', () => {
  it('has the address to which its poster leads', async () => {
    const tenantId = await aTenant(db);
    const { token } = await app.signIn({ role: 'client', member: tenantId });
    const { body } = await app.call({ path: `/api/v1/client/tenants/${tenantId}`, token });
    const joinUrl = `https://app.shop.example/join/${tenantId}`;
    expect(body).toMatchObject({ tenant: { joinUrl } });
  });
});
