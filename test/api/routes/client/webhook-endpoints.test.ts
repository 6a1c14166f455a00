import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';

const deliverEventsLater = vi.fn();
const app = await useApp({ orchestrator: { deliverEventsLater } });
const { db } = app;

let merchant: SignedIn;
let tenantId: TenantId;
beforeEach(async () => {
  merchant = await app.signIn({ role: 'client' });
  tenantId = await aTenant(db, { ownerId: merchant.userId });
  deliverEventsLater.mockClear();
});

const call = (method: string, path = '', body?: unknown, headers = {}) =>
  app.call({
    method,
    path: `/api/v1/client/tenants/${tenantId}/webhook-endpoints${path}`,
    token: merchant.token,
    headers,
    ...(body !== undefined && { body }),
  });
type Created = { id: string; secret: string };
const create = async (body: object = { url: 'https://shop.example/hooks' }) =>
  (await call('POST', '', body)).json<Created>();

describe('POST …/webhook-endpoints', () => {
  it('200 with the secret, which is shown once and stored sealed', async () => {
    const answer = await call('POST', '', { url: 'https://shop.example/hooks?a=b' });
    expect(answer.status).toBe(200);
    const { secret, ...endpoint } = answer.json<Created>();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toEqual({
      id: expect.any(String),
      url: 'https://shop.example/hooks?a=b',
      types: null,
      status: 'active',
      disabledReason: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await call('GET')).body).toEqual([endpoint]);
    expect((await call('GET', `/${endpoint.id}`)).body).toEqual(endpoint);
    const stored = await db('webhook_endpoint_secrets').where({ endpointId: endpoint.id });
    expect(stored).toMatchObject([{ sealedSecret: expect.stringMatching(/^v1\.k1\./) }]);
  });

  it('200 for the first only once what had read that nobody is told has ended', async () => {
    const sale = await db.transaction();
    await sale('tenants').where({ id: tenantId }).first('tellsEvents');
    const creating = call('POST', '', { url: 'https://shop.example/hooks' });
    const tells = () => db('tenants').where({ id: tenantId }).first('tellsEvents');
    try {
      await expect.poll(tells).toEqual({ tellsEvents: true });
      expect(await db('webhook_endpoints').where({ tenantId })).toEqual([]);
    } finally {
      await sale.commit();
    }
    expect((await creating).status).toBe(200);
  });

  it('200 again with the same secret under the same key, stored sealed', async () => {
    const key = { 'idempotency-key': `key-${tenantId}` };
    const [one, other] = [
      await call('POST', '', { url: 'https://a.example/' }, key),
      await call('POST', '', { url: 'https://a.example/' }, key),
    ];
    expect(other.headers.get('idempotency-replayed')).toBe('true');
    expect(other.body).toEqual(one.body);
    const stored = await db('idempotency_keys').where({ userId: merchant.userId });
    expect(JSON.stringify(stored)).not.toContain('whsec_');
  });

  it.each(['http://shop.example/', 'https://10.1.2.3/', 'https://u:p@shop.example/'])(
    '400 address_not_public for %s',
    async (url) => {
      const answer = await call('POST', '', { url });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        code: 'VALIDATION_ERROR',
        issues: [{ path: 'url', code: 'address_not_public' }],
      });
    },
  );

  it('400 for no types', async () => {
    const answer = await call('POST', '', { url: 'https://a.example/', types: [] });
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'types' }] } });
  });

  it('422 too_many_endpoints for the eleventh, until one is deleted', async () => {
    const made = [];
    for (let nth = 0; nth < 10; nth++) made.push(await create());
    const body = { url: 'https://a.example/' };
    expect(await call('POST', '', body)).toMatchObject({
      status: 422,
      body: { code: 'RULE_REJECTED', issues: [{ path: '', code: 'too_many_endpoints' }] },
    });
    await call('DELETE', `/${made[0]?.id}`);
    expect((await call('POST', '', body)).status).toBe(200);
  });
});

describe('PATCH and DELETE …/webhook-endpoints/:endpointId', () => {
  it('200, with an audit entry each that names no path', async () => {
    const { id } = await create();
    const patched = await call('PATCH', `/${id}`, {
      url: 'https://b.example/secret-path',
      types: ['rule.published'],
      status: 'disabled',
    });
    expect(patched.body).toMatchObject({ types: ['rule.published'], status: 'disabled' });
    expect(deliverEventsLater).not.toHaveBeenCalled();
    expect((await call('PATCH', `/${id}`, { status: 'active', types: null })).body).toMatchObject({
      types: null,
      status: 'active',
    });
    expect(deliverEventsLater).toHaveBeenCalledTimes(1);
    expect((await call('POST', `/${id}/rotate-secret`)).json<Created>().secret).toMatch(/^whsec_/);
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { ok: true, id } });
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { ok: true, id } });
    expect((await call('GET', `/${id}`)).status).toBe(404);
    expect((await call('PATCH', `/${id}`, {})).status).toBe(404);
    const audited = await db('audit_log').where({ targetId: id }).orderBy('seq');
    expect(audited.map(({ action }) => action)).toEqual([
      'endpoint.create',
      'endpoint.update',
      'endpoint.update',
      'endpoint.rotate',
      'endpoint.delete',
    ]);
    expect(JSON.stringify(audited)).not.toMatch(/secret-path|whsec_/);
  });

  it('400 address_not_public, and nothing of the request is taken', async () => {
    const { id } = await create();
    const answer = await call('PATCH', `/${id}`, { url: 'https://[::1]/', status: 'disabled' });
    expect(answer).toMatchObject({
      status: 400,
      body: { issues: [{ code: 'address_not_public' }] },
    });
    expect((await call('GET', `/${id}`)).body).toMatchObject({ status: 'active' });
  });

  it('404 for another tenant’s endpoint, and for one that never was', async () => {
    const { id } = await create();
    tenantId = await aTenant(db, { ownerId: merchant.userId });
    for (const method of ['GET', 'DELETE']) expect((await call(method, `/${id}`)).status).toBe(404);
    for (const path of ['/test', '/rotate-secret'])
      expect((await call('POST', `/${id}${path}`)).status).toBe(404);
    expect((await call('GET', `/${id}/deliveries`)).status).toBe(404);
  });
});
