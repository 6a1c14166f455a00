import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Route, route } from '../../../../api/http/route.ts';
import { ALLOWED_ORIGIN, type Served, serveRoutes } from '../../../support/http/serve-routes.ts';

const routes: Route[] = [
  route({
    method: 'GET',
    path: '/orders',
    access: 'public',
    summary: 'Answers',
    handle: () => ({}),
  }),
  route({
    method: 'GET',
    path: '/bug',
    access: 'public',
    summary: 'Throws',
    handle: () => {
      throw new Error('a bug');
    },
  }),
];

let served: Served;

beforeAll(async () => {
  served = await serveRoutes(routes);
});
afterAll(async () => {
  await served.close();
});

const at = (path: string, init?: RequestInit) => fetch(`${served.url}/api/v1${path}`, init);

describe('CORS', () => {
  const preflight = (origin: string) =>
    at('/orders', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  it('lets a listed origin read the response and the relevant headers', async () => {
    for (const path of ['/orders', '/bug']) {
      const { headers } = await at(path, { headers: { origin: ALLOWED_ORIGIN } });
      expect(headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
      expect(headers.get('vary')).toContain('Origin');
      expect(headers.get('access-control-expose-headers')?.split(',').sort()).toEqual([
        'Content-Disposition',
        'Date',
        'Idempotency-Replayed',
        'Link',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'X-Correlation-Id',
      ]);
    }
  });

  it('204 for the preflight of a listed origin, with the headers a client sends', async () => {
    const response = await preflight(ALLOWED_ORIGIN);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    expect(response.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(response.headers.get('access-control-allow-headers')?.split(',').sort()).toEqual([
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'Last-Event-ID',
      'X-Correlation-Id',
      'X-Tenant-Id',
    ]);
    expect(response.headers.get('x-correlation-id')).not.toBeNull();
  });

  it.each(['https://evil.example', `${ALLOWED_ORIGIN}.evil.example`, 'null'])(
    'sets no header for another origin: %s',
    async (origin) => {
      const answers = [await at('/orders', { headers: { origin } }), await preflight(origin)];
      expect(answers.map(({ status }) => status)).toEqual([200, 204]);
      for (const { headers } of answers) {
        const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
        expect(names).toEqual([]);
      }
    },
  );

  it.each([
    ['http://localhost:5173', true],
    ['http://localhost', true],
    ['http://127.0.0.1:4400', true],
    ['https://localhost:5173', false],
    ['http://localhost.evil.example', false],
    ['http://127.0.0.1.evil.example:80', false],
    ['http://localhost:5173@evil.example', false],
    ['http://127.0.0.2', false],
    ['loopback', false],
    ['null', false],
  ])('with loopback, %s is allowed: %s', async (origin, isAllowed) => {
    const local = await serveRoutes(routes, { settings: { corsAllowsLoopback: true } });
    const { headers } = await fetch(`${local.url}/api/v1/orders`, { headers: { origin } });
    expect(headers.get('access-control-allow-origin')).toBe(isAllowed ? origin : null);
    const closed = await at('/orders', { headers: { origin } });
    expect(closed.headers.get('access-control-allow-origin')).toBeNull();
    await local.close();
  });

  it('allows cookies only where connecting is bound to a browser', async () => {
    const headers = { origin: ALLOWED_ORIGIN };
    const without = await at('/orders', { headers });
    expect(without.headers.has('access-control-allow-credentials')).toBe(false);
    const binding = await serveRoutes(routes, { settings: { oauthBindBrowser: true } });
    const answer = (origin: string) =>
      fetch(`${binding.url}/api/v1/orders`, { headers: { origin } });
    const allowed = await answer(ALLOWED_ORIGIN);
    expect(allowed.headers.get('access-control-allow-credentials')).toBe('true');
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    const foreign = await answer('https://evil.example');
    expect(foreign.headers.has('access-control-allow-credentials')).toBe(false);
    await binding.close();
  });
});
