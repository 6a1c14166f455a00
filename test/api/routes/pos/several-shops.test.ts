import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

// A till whose operator works at two shops.

const app = await useApp();

let here: TenantId;
let there: TenantId;
let operator: SignedIn;
beforeEach(async () => {
  here = await aTenant(app.db, { name: 'Corner Café' });
  there = await aTenant(app.db, { name: 'Bakery' });
  operator = await app.signIn({ role: 'pos_operator', member: here });
  const { userId } = operator;
  await app.db('memberships').insert({ tenantId: there, userId, role: 'pos_operator' });
});

const aCode = async (tenantId: TenantId) => {
  const walletId = await aWallet(app.db, { balance: 100, tenantId });
  return (await aRedemption(app.db, { walletId })).code;
};
const ask = (step: string, code: string, headers: Record<string, string> = {}) =>
  app.call({
    method: 'POST',
    path: `/api/v1/pos/redemptions/${step}`,
    token: operator.token,
    body: { code },
    headers,
  });
const at = (shop: string) => ({ 'x-tenant-id': shop });

describe.each(['lookup', 'complete'])('POST /pos/redemptions/%s at one of two shops', (step) => {
  it('200 at the shop that the header names, which the answer names too', async () => {
    for (const [shop, name] of [
      [here, 'Corner Café'],
      [there, 'Bakery'],
    ] as const) {
      const answer = await ask(step, await aCode(shop), at(shop));
      expect(answer).toMatchObject({ status: 200, body: { tenant: { id: shop, name } } });
    }
  });

  it('404 for the other shop’s code', async () => {
    const answer = await ask(step, await aCode(there), at(here));
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('400 shop_required without the header', async () => {
    expect(await ask(step, await aCode(here))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: '', code: 'shop_required' }] },
    });
  });

  it('403 TENANT_FORBIDDEN for a shop of others, 404 TENANT_NOT_FOUND for none', async () => {
    const code = await aCode(here);
    const foreign = await ask(step, code, at(await aTenant(app.db)));
    expect(foreign).toMatchObject({ status: 403, body: { code: 'TENANT_FORBIDDEN' } });
    for (const unknown of [crypto.randomUUID(), 'none', '', `${here}, ${there}`]) {
      const answer = await ask(step, code, at(unknown));
      expect(answer).toMatchObject({ status: 404, body: { code: 'TENANT_NOT_FOUND' } });
    }
  });
});

it('an Idempotency-Key belongs to the shop as well', async () => {
  const code = await aCode(here);
  const key = { 'idempotency-key': 'till-1' };
  const first = await ask('complete', code, { ...key, ...at(here) });
  expect(first.status).toBe(200);
  const again = await ask('complete', code, { ...key, ...at(here.toUpperCase()) });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  expect(await ask('complete', code, { ...key, ...at(there) })).toMatchObject({
    status: 422,
    body: { code: 'IDEMPOTENCY_REPLAY' },
  });
});
