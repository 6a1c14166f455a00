import { describe, expect, it } from 'vitest';
import { aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { type Answer, type Call, nextPath } from '../../../support/http/app.ts';

const app = await useApp();
const { db } = app;
const token = (await app.signIn({ role: 'admin', email: 'ada@staff.example' })).token;

const ask = (method: string, path: string, rest: Omit<Call, 'method' | 'path'> = {}) =>
  app.call({ method, path: `/api/v1${path}`, ...rest });

const list = (query = '') => ask('GET', `/admin/audit-logs${query}`, { token });

const itemsOf = ({ body }: Answer): unknown[] => (Array.isArray(body) ? body : []);

async function rest(answer: Answer): Promise<unknown[]> {
  const path = nextPath(answer);
  if (path === undefined) return [];
  const next = await app.call({ path, token });
  return [...itemsOf(next), ...(await rest(next))];
}

describe('GET /admin/audit-logs', () => {
  it('200 with each action, its actor and its request, newest first', async () => {
    const walletId = await aWallet(db);
    const wallet = await db('wallets').where({ id: walletId }).first('tenantId', 'userId');
    const { tenantId, userId: targetUserId } = wallet;
    const { id: actorUserId } = await db('users').where({ email: 'ada@staff.example' }).first('id');
    const userId = await aUser(db, { status: 'pending_approval' });

    await ask('POST', `/admin/wallets/${walletId}/adjust`, {
      token,
      body: { points: 5, reason: '  A gift. ' },
      headers: { 'x-correlation-id': 'gift-1' },
    });
    await ask('PATCH', `/admin/users/${userId}/approve`, { token });

    const { status, body } = await list();
    expect(status).toBe(200);
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
    expect(body).toEqual([
      expect.objectContaining({ action: 'user.approve', targetType: 'user', targetId: userId }),
      {
        id: expect.any(String),
        actor: 'user',
        actorUserId,
        actorEmail: 'ada@staff.example',
        operator: null,
        action: 'wallet.adjust',
        targetType: 'wallet',
        targetId: walletId,
        tenantId,
        tenantName: expect.any(String),
        tenantCurrency: null,
        targetUserId,
        targetContact: expect.stringContaining('@'),
        reason: 'A gift.',
        before: { balance: 0 },
        after: { balance: 5, points: 5, ledgerEntryId: expect.any(String) },
        requestId: 'gift-1',
        generatedRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt,
      },
    ]);
  });

  it('200 with pages of 50 by default, each entry once, while others are added', async () => {
    const walletId = await aWallet(db);
    const freeze = () => ask('POST', `/admin/wallets/${walletId}/freeze`, { token });
    for (let nth = 0; nth < 60; nth++) await freeze();

    const first = await list();
    expect(first.body).toHaveLength(50);
    expect(nextPath(first)).toMatch(/^\/api\/v1\/admin\/audit-logs\?cursor=/);

    await freeze();
    const ids = new Set([...itemsOf(first), ...(await rest(first))].map((item) => Object(item).id));
    const all = await list('?limit=7');
    // The entry added in the meantime comes before the first page, not into the next one.
    expect([...itemsOf(all), ...(await rest(all))]).toHaveLength(ids.size + 1);
    expect(ids.size).toBe(62);
  });

  it('200 with the entries of a filter, on every page', async () => {
    const [walletId, other] = [await aWallet(db), await aWallet(db)];
    const act = (id: string, action: string) =>
      ask('POST', `/admin/wallets/${id}/${action}`, { token });
    for (const action of ['freeze', 'unfreeze', 'freeze']) await act(walletId, action);
    await act(other, 'freeze');

    const first = await list(`?target=${walletId}&action=wallet.freeze&limit=1`);
    const found = [...itemsOf(first), ...(await rest(first))];
    expect(found).toMatchObject([
      { action: 'wallet.freeze', targetId: walletId },
      { action: 'wallet.freeze', targetId: walletId },
    ]);
    const { createdAt, actorUserId } = Object(found[1]);
    const of = (more: string) => list(`?target=${walletId}&actor=${actorUserId}${more}`);
    expect(itemsOf(await of(''))).toHaveLength(3);
    expect(itemsOf(await of(`&from=${createdAt}`))).toHaveLength(3);
    expect(itemsOf(await of(`&to=${createdAt}`))).toHaveLength(0);
    expect(itemsOf(await of('&from=2000-01-01T00:00:00%2B02:00&to=2001-01-01T00:00:00Z'))).toEqual(
      [],
    );
    expect(itemsOf(await list(`?actor=${walletId}`))).toEqual([]);
    const { userId } = await db('wallets').where({ id: walletId }).first('userId');
    expect(itemsOf(await list(`?targetUser=${userId}&action=wallet.unfreeze`))).toMatchObject([
      { targetId: walletId, targetUserId: userId },
    ]);
  });

  it.each([
    'action=wallet.melt',
    'action=',
    'actor=ada',
    'target=1',
    'targetUser=ada@example.com',
    'from=yesterday',
    'to=2026-01-15',
    'limit=0',
    'limit=x',
    'cursor=x',
    'cursor=WyJzZXEiLCIxIl0',
  ])('400 VALIDATION_ERROR for %s', async (query) => {
    expect(await list(`?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    });
  });

  it.each(['client', 'pos_operator', 'consumer'] as const)(
    '403 INSUFFICIENT_ROLE for a %s',
    async (role) => {
      const other = (await app.signIn({ role })).token;
      expect(await ask('GET', '/admin/audit-logs', { token: other })).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_ROLE' },
      });
    },
  );
});
