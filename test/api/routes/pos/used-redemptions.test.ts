import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import { aTenant, aUser, aWallet, required } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath, type SignedIn } from '../../../support/http/app.ts';
import { aRedemption, redemptionRow } from '../../../support/points/redemptions.ts';

const app = await useApp();
const { db } = app;

let tenantId: TenantId;
let walletId: WalletId;
let operator: SignedIn;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
  const userId = await aUser(db, { email: `ada-${crypto.randomUUID()}@example.com` });
  walletId = await aWallet(db, { balance: 100, tenantId, userId });
  const email = `grace-${crypto.randomUUID()}@example.com`;
  const name = 'Grace Hopper';
  operator = await app.signIn({ role: 'pos_operator', member: tenantId, email, name });
});

const list = (query = '', headers: Record<string, string> = {}) =>
  app.call({
    path: query.startsWith('/') ? query : `/api/v1/pos/redemptions${query}`,
    token: operator.token,
    headers,
  });
const burned = async () => {
  const { id, code } = await aRedemption(db, { walletId, points: 10 });
  await app.call({
    method: 'POST',
    path: '/api/v1/pos/redemptions/complete',
    token: operator.token,
    body: { code },
  });
  return id;
};
const idsOf = ({ json }: Awaited<ReturnType<typeof list>>) =>
  json<{ id: string }[]>().map(({ id }) => id);

describe('GET /pos/redemptions', () => {
  it('200 with what the shop has used, by which colleague, and of whom the initials', async () => {
    const id = await burned();
    await aRedemption(db, { walletId, points: 10 });
    const { usedAt } = await redemptionRow(db, id);
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      {
        id,
        points: 10,
        discountValueMinorUnits: 10,
        currency: 'EUR',
        reward: null,
        usedAt: usedAt?.toISOString(),
        usedBy: { userId: operator.userId, email: 'g***@example.com', name: 'Grace Hopper' },
        customer: { initials: 'A' },
      },
    ]);
  });

  it('200 page by page, last used first, of the last 24 hours or since a time', async () => {
    const ids = [await burned(), await burned(), await burned()];
    const first = await list('?limit=2');
    const second = await list(nextPath(first) ?? '');
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.toReversed());
    // What is closed stays as it is, but for the owner of the schema.
    await app.owner.raw('alter table redemptions disable trigger redemptions_close_once');
    await app.owner.raw(
      `update redemptions set used_at = used_at - interval '25 hours' where id = :id`,
      { id: required(ids[0]) },
    );
    await app.owner.raw('alter table redemptions enable trigger redemptions_close_once');
    expect(idsOf(await list())).toEqual([ids[2], ids[1]]);
    const past = new Date(Date.now() - 26 * 3_600_000).toISOString();
    expect(idsOf(await list(`?from=${past}`))).toEqual(ids.toReversed());
    expect(idsOf(await list(`?from=${new Date(Date.now() + 60_000).toISOString()}`))).toEqual([]);
  });

  it('200 in the shop that the header names, 400 shop_required without it', async () => {
    const id = await burned();
    const other = await aTenant(db);
    const { userId } = operator;
    await db('memberships').insert({ tenantId: other, userId, role: 'pos_operator' });
    expect(idsOf(await list('', { 'x-tenant-id': tenantId }))).toEqual([id]);
    expect(idsOf(await list('', { 'x-tenant-id': other }))).toEqual([]);
    expect(await list()).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ code: 'shop_required' }] },
    });
  });

  it('403 TENANT_FORBIDDEN for a shop of others, INSUFFICIENT_ROLE for a consumer', async () => {
    const foreign = await list('', { 'x-tenant-id': await aTenant(db) });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'TENANT_FORBIDDEN' } });
    operator = await app.signIn({ role: 'consumer' });
    expect(await list()).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_ROLE' } });
  });

  it.each(['from=yesterday', 'from=', 'cursor=none'])('400 VALIDATION_ERROR for %s', async (q) => {
    expect(await list(`?${q}`)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });
});
