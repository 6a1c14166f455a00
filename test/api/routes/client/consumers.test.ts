import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId } from '../../../../domain/ids.ts';
import { nextPath } from '../../../support/app.ts';
import { aTenant, aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';

let tenantId: TenantId;
let token: string;
const app = await useApp();
const { db } = app;
beforeEach(async () => {
  tenantId = await aTenant(db);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
});

const list = (query = '', by = token) =>
  app.call({ path: `/api/v1/client/tenants/${tenantId}/consumers${query}`, token: by });

describe('GET …/consumers', () => {
  it('200 with each balance, contacts masked, newest wallet first', async () => {
    const nameless = await aWallet(db, { tenantId });
    await db('users')
      .whereIn('id', db('wallets').where({ id: nameless }).select('userId'))
      .update({ email: null });
    const userId = await aUser(db, { email: 'anna@example.com', phone: '+4915112345678' });
    const walletId = await aWallet(db, { tenantId, userId, balance: 25 });

    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        userId,
        walletId,
        email: 'a***@example.com',
        phone: '***678',
        balance: 25,
        status: 'active',
        lastActivityAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      },
      expect.objectContaining({
        walletId: nameless,
        email: null,
        phone: null,
        balance: 0,
        lastActivityAt: null,
      }),
    ]);
  });

  it('200 page by page, without consumers of another tenant', async () => {
    const made: string[] = [];
    for (let nth = 0; nth < 3; nth++) made.push(await aWallet(db, { tenantId }));
    await aWallet(db);
    const first = await list('?limit=2');
    const second = await app.call({ path: nextPath(first) ?? '', token });
    expect(nextPath(second)).toBeUndefined();
    const ids = [first, second].flatMap((page) =>
      page.json<{ walletId: string }[]>().map(({ walletId }) => walletId),
    );
    expect(ids).toEqual(made.toReversed());
  });

  it.each(['?limit=0', '?limit=1.5', '?cursor=x'])('400 VALIDATION_ERROR for %s', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  it('403 for an operator of the tenant, and for a merchant of another tenant', async () => {
    const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
    expect(await list('', operator.token)).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_ROLE' },
    });
    const other = await app.signIn({ role: 'client', member: await aTenant(db) });
    expect(await list('', other.token)).toMatchObject({
      status: 403,
      body: { code: 'TENANT_FORBIDDEN' },
    });
  });
});
