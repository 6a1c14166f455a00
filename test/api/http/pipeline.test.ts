import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { redirect, reply } from '../../../api/http/replies/reply.ts';
import { type Route, route } from '../../../api/http/route.ts';
import { CRON_SECRET, type Served, serveRoutes } from '../../support/http/serve-routes.ts';

const Order = z.object({ points: z.int().positive(), note: z.string().optional() });

const routes: Route[] = [
  route({
    method: 'POST',
    path: '/orders',
    access: 'public',
    summary: 'Returns the order',
    status: 201,
    body: Order,
    response: Order,
    handle: async ({ body }) => ({ ...body, secret: 'not declared' }),
  }),
  route({
    method: 'GET',
    path: '/orders',
    access: 'public',
    summary: 'Returns the query',
    query: z.object({ q: z.string().optional() }),
    response: z.object({ q: z.string().nullable() }),
    handle: ({ query }) => ({ q: query.q ?? null }),
  }),
  route({
    method: 'DELETE',
    path: '/orders/:walletId',
    access: 'public',
    summary: 'Returns the id',
    response: z.object({ id: z.string() }),
    handle: ({ params }) => ({ id: params.walletId }),
  }),
  route({
    method: 'POST',
    path: '/cron',
    access: 'cron-secret',
    summary: 'Runs',
    response: z.object({ ok: z.boolean() }),
    handle: () => ({ ok: true }),
  }),
  route({
    method: 'GET',
    path: '/bug',
    access: 'public',
    summary: 'Throws',
    handle: () => {
      throw new Error('the password is 12345');
    },
  }),
  route({
    method: 'GET',
    path: '/lie',
    access: 'public',
    summary: 'Violates its response schema',
    response: z.object({ count: z.int() }),
    handle: () => ({ count: 1.5 }),
  }),
  route({
    method: 'GET',
    path: '/elsewhere',
    access: 'signed-state',
    summary: 'Redirects',
    handle: () => redirect('https://app.shop.example/pos?connected=true'),
  }),
  route({
    method: 'GET',
    path: '/teapot',
    access: 'public',
    summary: 'Replies with its own status and header',
    response: z.object({ tea: z.boolean() }),
    handle: () => reply({ body: { tea: true }, status: 202, headers: { 'X-Tea': 'green' } }),
  }),
];

const Envelope = z.object({ code: z.string(), message: z.string(), requestId: z.string() });
let served: Served;

beforeAll(async () => {
  served = await serveRoutes(routes);
});
afterAll(async () => {
  await served.close();
});

const at = (path: string, init?: RequestInit) => fetch(`${served.url}/api/v1${path}`, init);
const json = { 'content-type': 'application/json' };
const post = (body: string) => at('/orders', { method: 'POST', body, headers: json });

describe('a request that is served', () => {
  it('201 with what the response schema declares, and nothing else', async () => {
    const response = await post('{"points":5}');
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ points: 5 });
  });

  it('has the security headers, on errors too', async () => {
    for (const path of ['/orders', '/nowhere']) {
      const { headers } = await at(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('200 without a body for HEAD', async () => {
    const response = await at('/orders', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it('302 for a redirect', async () => {
    const response = await at('/elsewhere', { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('https://app.shop.example/pos?connected=true');
  });

  it('has the status and headers of its reply', async () => {
    const response = await at('/teapot');
    expect(response.status).toBe(202);
    expect(response.headers.get('x-tea')).toBe('green');
    expect(await response.json()).toEqual({ tea: true });
  });

  it('gets ids in lower case', async () => {
    const response = await at('/orders/5B2F0D3E-0C1F-4F6E-9A3B-7F1D2C3E4A5B', { method: 'DELETE' });
    expect(await response.json()).toEqual({ id: '5b2f0d3e-0c1f-4f6e-9a3b-7f1d2c3e4a5b' });
  });
});

describe('an address', () => {
  it.each([
    '/nowhere',
    '/orders/',
    '/Orders',
    '//orders',
    '/%zz',
    '/orders/not-an-id',
    '/orders/%E0%A4%A',
  ])('404 NOT_FOUND: %s', async (path) => {
    const response = await at(path, { method: 'DELETE' });
    expect(response.status).toBe(404);
    expect(Envelope.parse(await response.json()).code).toBe('NOT_FOUND');
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('405 with Allow for %s', async (method) => {
    const response = await at('/orders', { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
    expect(Envelope.parse(await response.json()).code).toBe('NOT_FOUND');
  });
});

describe('a query', () => {
  it.each([
    ['a parameter given twice', 'q=a&q=b'],
    ['a NUL', 'q=%00'],
    ['text that is not UTF-8', 'q=%c3%28'],
  ])('400 VALIDATION_ERROR for %s', async (_, query) => {
    const response = await at(`/orders?${query}`);
    expect(response.status).toBe(400);
    expect(Envelope.parse(await response.json()).code).toBe('VALIDATION_ERROR');
  });

  it('200 with unknown parameters', async () => {
    const response = await at('/orders?q=a%20b&other=1&other=2');
    expect(await response.json()).toEqual({ q: 'a b' });
  });
});

describe('a cron route', () => {
  it('200 with any of the secrets', async () => {
    for (const secret of [CRON_SECRET, 'another secret, going out']) {
      const response = await at('/cron', { method: 'POST', headers: { 'x-cron-secret': secret } });
      expect(response.status).toBe(200);
    }
  });

  it.each([
    ['no secret', undefined],
    ['an empty secret', ''],
    ['another secret', 'something else entirely'],
    ['the beginning of a secret', CRON_SECRET.slice(0, -1)],
    ['both secrets, joined', `another secret, going out, ${CRON_SECRET}`],
  ])('401 UNAUTHORIZED with %s', async (_, secret) => {
    const headers = new Headers(secret === undefined ? {} : { 'x-cron-secret': secret });
    const response = await at('/cron', { method: 'POST', headers });
    expect(response.status).toBe(401);
    expect(Envelope.parse(await response.json()).code).toBe('UNAUTHORIZED');
  });
});

describe('a bug', () => {
  it.each(['/bug', '/lie'])(
    '500 INTERNAL_ERROR that reveals nothing, and is reported: %s',
    async (path) => {
      served.reported.length = 0;
      const response = await at(path, { headers: { 'x-correlation-id': `bug-${path.slice(1)}` } });
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({
        code: 'INTERNAL_ERROR',
        message: 'Something went wrong on our side. If it happens again, report the requestId.',
        requestId: `bug-${path.slice(1)}`,
      });
      expect(served.reported).toHaveLength(1);
      const line = served.log.find((entry) => entry.includes(`bug-${path.slice(1)}`));
      expect(JSON.parse(line ?? '')).toMatchObject({
        level: 50,
        correlationId: `bug-${path.slice(1)}`,
        err: { stack: expect.stringContaining('Error') },
      });
    },
  );
});
