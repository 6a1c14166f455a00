import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import * as connectionTokens from '../../../../db/connections/tokens.ts';
import { required } from '../../../support/factories.ts';
import { useConnecting } from '../../../support/fixtures.ts';
import { type Answer, nextPath, startApp } from '../../../support/http/app.ts';
import type { Merchant } from '../../../support/providers/connecting.ts';
import { ALPHA_APP, BETA_APP } from '../../../support/providers/oauth.ts';

const service = await useConnecting();
const db = service.app.db;

let merchant: Merchant;
beforeEach(async () => {
  merchant = await service.aMerchant();
  service.polling.length = 0;
});

const base = (of = merchant) => `/api/v1/client/tenants/${of.tenantId}/pos-connections`;
const list = (query = '', of = merchant): Promise<Answer> =>
  service.app.call({ path: base(of) + query, token: of.token });
const remove = (id: string, of = merchant): Promise<Answer> =>
  service.app.call({ method: 'DELETE', path: `${base(of)}/${id}`, token: of.token });

/** Connects both providers and returns the ids of the connections, alpha's first. */
async function connectBoth(): Promise<[string, string]> {
  service.alpha.setConsent('approve', service.alpha.addMerchant({ name: 'Café' }).id);
  service.beta.setConsent('approve', service.beta.addMerchant({ name: 'Café' }).id);
  for (const provider of ['alpha', 'beta'] as const) {
    await service.callback(provider, await service.consent(provider, merchant));
  }
  const rows = await db('pos_connections')
    .where({ tenantId: merchant.tenantId })
    .orderBy('provider');
  return [required(rows[0]).id, required(rows[1]).id];
}

describe('GET /client/tenants/:tenantId/pos-connections', () => {
  it('200 with all connections, newest first, without tokens', async () => {
    expect(await list()).toMatchObject({ status: 200, body: [] });
    const [alpha, beta] = await connectBoth();
    const { body } = await list();
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    expect(body).toEqual([
      {
        ...times,
        id: beta,
        posType: 'beta',
        status: 'active',
        accountName: 'Café',
        lastError: null,
        needsReconnectSince: null,
        gapSince: null,
        lastEventAt: null,
        lastSaleAt: null,
      },
      {
        ...times,
        id: alpha,
        posType: 'alpha',
        status: 'active',
        accountName: 'Café',
        lastError: null,
        needsReconnectSince: null,
        gapSince: null,
        lastEventAt: null,
        lastSaleAt: null,
        lastPolledAt: null,
        watermark: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        tokenExpiresAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      },
    ]);
  });

  it('200 page by page', async () => {
    const [alpha, beta] = await connectBoth();
    const first = await list('?limit=1');
    expect(first.body).toMatchObject([{ id: beta }]);
    const second = await service.app.call({
      path: required(nextPath(first)),
      token: merchant.token,
    });
    expect(second.body).toMatchObject([{ id: alpha }]);
    expect(nextPath(second)).toBeUndefined();
    expect(await list('?limit=0')).toMatchObject({ status: 400 });
  });

  it('200 with the error, here, in the overview and for administrators', async () => {
    const [alpha] = await connectBoth();
    await db('pos_connections').where({ provider: 'beta' }).delete();
    const row = required(await db('pos_connections').where({ id: alpha }).first());
    await connectionTokens.flag(db, row, 'The merchant must connect again: alpha.');
    const lastError = 'The merchant must connect again: alpha.';
    const needsReconnectSince = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await list()).toMatchObject({ body: [{ id: alpha, lastError, needsReconnectSince }] });

    const path = `/api/v1/client/tenants/${merchant.tenantId}`;
    expect(await service.app.call({ path, token: merchant.token })).toMatchObject({
      body: { posConnection: { id: alpha, lastError, tokenExpiresAt: expect.any(String) } },
    });
    const admin = await service.app.signIn({ role: 'admin' });
    const detail = await service.app.call({
      path: `/api/v1/admin/tenants/${merchant.tenantId}`,
      token: admin.token,
    });
    expect(detail).toMatchObject({
      body: { posConnection: { lastError }, lastError: { provider: 'alpha', message: lastError } },
    });
  });
});

describe('POST /client/tenants/:tenantId/pos-connections/:provider/connect', () => {
  it('200 with the authorization address of alpha', async () => {
    const url = new URL(await service.connect('alpha', merchant));
    expect(url.origin).toBe(service.alpha.url);
    expect(url.searchParams.get('client_id')).toBe(ALPHA_APP.id);
    const { nonce, ...claims } = decodeJwt(url.searchParams.get('state') ?? '');
    const { tenantId, userId } = merchant;
    expect(claims).toMatchObject({
      tenantId,
      userId,
      provider: 'alpha',
      origin: service.alpha.url,
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(600);
    expect(await db('oauth_states').where({ nonce })).toMatchObject([{ tenantId, userId }]);
  });

  it('200 with the authorization address of beta, and its redirect address', async () => {
    const url = new URL(await service.connect('beta', merchant));
    expect(url.origin).toBe(service.beta.url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: BETA_APP.id,
      redirect_uri: 'https://api.shop.example/api/v1/oauth/beta/callback',
    });
  });

  it.each([undefined, {}])('200 for a body of %j', async (body) => {
    const path = `${base()}/alpha/connect`;
    const request = { method: 'POST', path, token: merchant.token, ...(body && { body }) };
    expect(await service.app.call(request)).toMatchObject({ status: 200 });
  });

  it('503 INTERNAL_ERROR that names the missing configuration', async () => {
    const app = await startApp();
    const { token, userId } = await app.signIn({ role: 'client' });
    const workspace = { method: 'POST', path: '/api/v1/client/bootstrap-merchant-workspace' };
    await app.call({ ...workspace, token });
    const { tenantId } = required(await app.db('memberships').where({ userId }).first());
    for (const provider of ['alpha', 'beta']) {
      const path = `/api/v1/client/tenants/${tenantId}/pos-connections/${provider}/connect`;
      const { status, body } = await app.call({ method: 'POST', path, token });
      expect(status).toBe(503);
      const name = provider.toUpperCase();
      expect(body).toMatchObject({
        code: 'INTERNAL_ERROR',
        message: expect.stringContaining(`${name}_APP_ID and ${name}_APP_SECRET`),
      });
    }
    expect(await app.db('oauth_states').select()).toEqual([]);
    expect(app.reported).toEqual([]);
    await app.close();
  });
});

describe('DELETE /client/tenants/:tenantId/pos-connections/:connectionId', () => {
  it('200 disconnected: polling stops, and the access is revoked once', async () => {
    const [alpha, beta] = await connectBoth();
    for (let time = 0; time < 2; time++) {
      expect(await remove(alpha)).toMatchObject({
        status: 200,
        body: { ok: true, connectionId: alpha, status: 'disconnected' },
      });
    }
    expect(service.polling).toEqual([alpha, alpha]);
    await remove(beta);
    const due = service.app.db('due_work').where({ kind: 'revoke_authorization' });
    expect(await due.pluck('subject_id')).toEqual([alpha]);
    expect(service.polling).toEqual([alpha, alpha]);
    expect(await list()).toMatchObject({
      body: [
        { id: beta, status: 'disconnected' },
        { id: alpha, status: 'disconnected' },
      ],
    });
  });

  it('200, and connecting again uses the same record', async () => {
    const [alpha] = await connectBoth();
    await remove(alpha);
    await service.callback('alpha', await service.consent('alpha', merchant));
    expect(await list()).toMatchObject({
      body: [{ posType: 'beta' }, { id: alpha, status: 'active' }],
    });
  });

  it('leaves an entry in the audit log, once, as connecting does', async () => {
    const [alpha] = await connectBoth();
    for (let time = 0; time < 2; time++) await remove(alpha);
    const entries = await db('audit_log').where({ targetId: alpha }).orderBy('seq');
    const { merchantId } = await db('pos_connections').where({ id: alpha }).first('merchantId');
    const by = {
      actor: 'user',
      actorUserId: merchant.userId,
      tenantId: merchant.tenantId,
      targetType: 'connection',
      generatedRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    };
    expect(entries).toMatchObject([
      {
        ...by,
        action: 'connection.connect',
        before: { provider: 'alpha', merchantId: null, status: null },
        after: { provider: 'alpha', merchantId, status: 'active' },
      },
      { ...by, action: 'connection.disconnect', after: { merchantId, status: 'disconnected' } },
    ]);
  });

  it('404 NOT_FOUND for an unknown connection, and for another tenant’s, which stays', async () => {
    const [alpha] = await connectBoth();
    const other = await service.aMerchant();
    for (const answer of [await remove(alpha, other), await remove(randomUUID())]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    const row = await db('pos_connections').where({ id: alpha }).first();
    expect(row).toMatchObject({ status: 'active' });
  });
});
