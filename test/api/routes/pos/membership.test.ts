import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';

const app = await useApp();

let shop: TenantId;
let operator: SignedIn;
beforeEach(async () => {
  shop = await aTenant(app.db);
  operator = await app.signIn({ role: 'pos_operator', member: shop });
});

const leave = (tenantId: string, { token } = operator) =>
  app.call({ method: 'DELETE', path: `/api/v1/pos/membership/${tenantId}`, token });

describe('DELETE /pos/membership/:tenantId', () => {
  it('200, and the operator is a consumer; again 200', async () => {
    for (let time = 0; time < 2; time++) {
      const answer = await leave(shop);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ok: true, tenantId: shop });
    }
    const me = await app.call({ path: '/api/v1/auth/me', token: operator.token });
    expect(me.body).toMatchObject({ role: 'consumer', tenantIds: [] });
    expect(await app.db('audit_log').where({ tenantId: shop })).toMatchObject([
      { action: 'operator.leave', actorUserId: operator.userId, targetId: operator.userId },
    ]);
  });

  it('200, and the operator of another shop stays one', async () => {
    const other = await aTenant(app.db);
    const { userId, token } = operator;
    await app.db('memberships').insert({ tenantId: other, userId, role: 'pos_operator' });
    await leave(shop);
    const me = await app.call({ path: '/api/v1/auth/me', token });
    expect(me.body).toMatchObject({ role: 'pos_operator', tenantIds: [other] });
  });

  it('404 for a shop that one never worked at, and for an unknown one', async () => {
    const elsewhere = await aTenant(app.db);
    expect(await leave(elsewhere)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const consumer = await app.signIn({ role: 'consumer' });
    expect((await leave(shop, consumer)).status).toBe(404);
    for (const unknown of [randomUUID(), 'none']) {
      const answer = await leave(unknown);
      expect(answer).toMatchObject({ status: 404, body: { code: 'TENANT_NOT_FOUND' } });
    }
  });

  it('403 FORBIDDEN for a merchant, and for an administrator', async () => {
    for (const person of [{ role: 'client', member: shop }, { role: 'admin' }] as const) {
      expect(await leave(shop, await app.signIn(person))).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    }
  });
});
