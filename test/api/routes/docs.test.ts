import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { docsRoutes } from '../../../api/routes/docs.ts';
import { showHealth } from '../../../api/routes/service.ts';
import { type Served, serveRoutes } from '../../support/serve-routes.ts';

let served: Served;

beforeAll(async () => {
  served = await serveRoutes([showHealth, ...docsRoutes([showHealth])]);
});
afterAll(async () => {
  await served.close();
});

describe('GET /api/v1/openapi.json', () => {
  it('200 with the document of all routes, its own included', async () => {
    const response = await fetch(`${served.url}/api/v1/openapi.json`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const document = z
      .object({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) })
      .parse(await response.json());
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/health', '/docs', '/api/v1/openapi.json']),
    );
  });

  it('304 for a caller who has it already', async () => {
    const url = `${served.url}/api/v1/openapi.json`;
    const tag = (await fetch(url)).headers.get('etag') ?? '';
    // Not by fetch, which disables caching when this header is set.
    const [again] = await once(get(url, { headers: { 'if-none-match': tag } }), 'response');
    expect(again.statusCode).toBe(304);
    again.resume();
  });
});

describe('GET /docs', () => {
  it('200 with a page whose files all come from this service, with their media type', async () => {
    const page = await fetch(`${served.url}/docs`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await page.text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    const ours = files.filter((file) => !file.startsWith('data:'));
    expect(ours).toHaveLength(3);
    for (const file of ours) {
      const address = new URL(file, `${served.url}/docs`);
      expect(address.origin).toBe(served.url);
      const response = await fetch(address);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe(
        file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      );
      expect((await response.text()).length).toBeGreaterThan(100);
    }
  });

  it.each(['/docs/', '/api/v1'])('302 to the page from %s', async (path) => {
    const response = await fetch(`${served.url}${path}`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('https://api.shop.example/docs');
  });

  it('200 with a policy that allows scripts of its own origin only, and none inline', async () => {
    const page = await fetch(`${served.url}/docs`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy.split(';')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self'",
      ]),
    );
    const elsewhere = await fetch(`${served.url}/health`);
    expect(elsewhere.headers.get('content-security-policy')).not.toContain('unsafe-inline');
  });

  it('200 with a start script that points at the document', async () => {
    const script = await (await fetch(`${served.url}/docs/start.js`)).text();
    const [, url = ''] = /url: '([^']+)'/.exec(script) ?? [];
    expect((await fetch(new URL(url, `${served.url}/docs`))).status).toBe(200);
  });

  it.each([
    '/docs/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs/swagger-ui.css.map',
  ])('404 for any other file: %s', async (path) => {
    expect((await fetch(`${served.url}${path}`)).status).toBe(404);
  });
});
