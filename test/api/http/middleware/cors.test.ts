import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Route, route } from '../../../../api/http/route.ts';
import { ALLOWED_ORIGIN, type Served, serveRoutes } from '../../../support/serve-routes.ts';

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
      'X-Correlation-Id',
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
});
