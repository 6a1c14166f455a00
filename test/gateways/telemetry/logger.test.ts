import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Route, route } from '../../../api/http/route.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { type Served, serveRoutes } from '../../support/http/serve-routes.ts';

const get = { method: 'GET', access: 'public' } as const;
const routes: Route[] = [
  route({ ...get, path: '/orders', summary: 'Answer', handle: () => ({}) }),
  route({
    ...get,
    path: '/bug',
    summary: 'Throw',
    handle: () => {
      throw new Error('a bug');
    },
  }),
  route({
    ...get,
    path: '/logs',
    summary: 'Write a log line',
    handle: async ({ log }) => {
      await new Promise((resolve) => setImmediate(resolve));
      log.info({ token: 'very secret', headers: { authorization: 'Bearer x' } }, 'from within');
      return {};
    },
  }),
];

const Envelope = z.object({ requestId: z.string() });
let served: Served;

beforeAll(async () => {
  served = await serveRoutes(routes);
});
afterAll(async () => {
  await served.close();
});

const at = (path: string, init?: RequestInit) => fetch(`${served.url}/api/v1${path}`, init);

describe('the correlation id', () => {
  it('is the one of the request, on success and on errors', async () => {
    for (const path of ['/orders', '/nowhere', '/bug']) {
      const response = await at(path, { headers: { 'x-correlation-id': 'abc.DEF_1-2' } });
      expect(response.headers.get('x-correlation-id')).toBe('abc.DEF_1-2');
    }
  });

  it.each(['a b', 'ä', 'x'.repeat(129), 'a/b', ''])(
    'is generated instead of "%s"',
    async (given) => {
      const headers = { 'x-correlation-id': encodeURI(given).replaceAll('%20', ' ') };
      const response = await at('/nowhere', { headers });
      const id = response.headers.get('x-correlation-id');
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(Envelope.parse(await response.json()).requestId).toBe(id);
    },
  );

  it('is in every line logged while the request is served', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `parallel-${index}`);
    await Promise.all(ids.map((id) => at('/logs', { headers: { 'x-correlation-id': id } })));
    for (const id of ids) {
      const lines = served.log.filter((line) => JSON.parse(line).correlationId === id);
      expect(lines.map((line) => JSON.parse(line).msg).sort()).toEqual([
        'Request served',
        'from within',
      ]);
    }
  });
});

describe('the log', () => {
  it('has one line per request, with the route pattern and without request data', async () => {
    const headers = { 'x-correlation-id': 'access', authorization: 'Bearer abc' };
    await at('/orders?q=personal', { headers });
    const lines = served.log.filter((line) => line.includes('"access"'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      method: 'GET',
      route: '/api/v1/orders',
      status: 200,
      ms: expect.any(Number),
    });
    expect(lines[0]).not.toMatch(/personal|Bearer/);
  });

  it('redacts secrets that are logged by mistake', async () => {
    await at('/logs', { headers: { 'x-correlation-id': 'mistake' } });
    const line = served.log.find((entry) => entry.includes('mistake')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      token: '[Redacted]',
      headers: { authorization: '[Redacted]' },
    });
  });
});

describe('a logged error', () => {
  const logged = (error: unknown) => {
    let line = '';
    const log = createLogger(
      { level: 'info', service: 'test' },
      { write: (text) => (line = text) },
    );
    log.error({ err: error }, 'failed');
    return JSON.parse(line).err;
  };

  it('omits the invalid value that Postgres quotes', () => {
    const error = new Error('invalid input syntax for type uuid: "ada@example.com"');
    const described = logged(Object.assign(error, { code: '22P02' }));
    expect(described).toMatchObject({ message: 'Postgres refused a value', code: '22P02' });
    expect(JSON.stringify(described)).not.toContain('ada@example.com');
    expect(described.stack).toContain('logger.test.ts');
  });

  it('may be its own cause', () => {
    const error = new Error('a circle');
    error.cause = error;
    expect(logged(error)).toMatchObject({ message: 'a circle', cause: { message: 'a circle' } });
  });
});
