import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeApi } from '../../../api/openapi/document.ts';
import { docsRoutes } from '../../../api/routes/docs.ts';
import { showHealth } from '../../../api/routes/service.ts';
import { listStatementKeys } from '../../../api/routes/statement-keys.ts';
import { type Served, serveRoutes } from '../../support/http/serve-routes.ts';

const named = { showHealth, listStatementKeys };
const ISSUER = 'https://issuer.shop.example/realm';

let served: Served;
let withSignIn: Served;

beforeAll(async () => {
  const routes = Object.values({ ...named, ...docsRoutes(named) });
  served = await serveRoutes(routes);
  const settings = { oidcIssuer: ISSUER, docsClientId: 'reference' };
  withSignIn = await serveRoutes(routes, { settings });
});
afterAll(async () => {
  await served.close();
  await withSignIn.close();
});

const policyOf = (response: Response) =>
  (response.headers.get('content-security-policy') ?? '').split(';');

describe.each([
  ['openapi.json', '/api/v1/statement-keys', '/health'],
  ['openapi-internal.json', '/health', '/api/v1/statement-keys'],
])('GET /api/v1/%s', (name, own, other) => {
  it('200 with the document of its routes', async () => {
    const response = await fetch(`${served.url}/api/v1/${name}`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const document = z
      .object({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) })
      .parse(await response.json());
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain(own);
    expect(Object.keys(document.paths)).not.toContain(other);
  });

  it('304 for a caller who has it already', async () => {
    const url = `${served.url}/api/v1/${name}`;
    const first = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(first.headers.get('vary')).toBe('Origin, Accept-Encoding');
    // Not by fetch, which disables caching when this header is set.
    const tag = first.headers.get('etag') ?? '';
    const headers = { 'if-none-match': tag, 'accept-encoding': 'gzip' };
    const [again] = await once(get(url, { headers }), 'response');
    again.resume();
    expect(again.statusCode).toBe(304);
  });
});

describe('GET /docs', () => {
  it.each([
    ['/docs', 2],
    ['/docs/try', 2],
    ['/docs/build-an-app', 1],
  ])('200 with %s, whose files all come from this service', async (path, count) => {
    const page = await fetch(`${served.url}${path}`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await page.text();
    const files = [
      ...html.matchAll(/<(?:script(?: type="module")? src|link rel="stylesheet" href)="([^"]+)"/g),
    ];
    expect(files).toHaveLength(count);
    for (const [, file = ''] of files) {
      const address = new URL(file, `${served.url}${path}`);
      expect(address.origin).toBe(served.url);
      const response = await fetch(address);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe(
        file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      );
      expect((await response.text()).length).toBeGreaterThan(100);
    }
  });

  it('200 with every operation and schema of the document, none of them twice', async () => {
    const page = await (await fetch(`${served.url}/docs`)).text();
    const document = describeApi({ ...named, ...docsRoutes(named) }, { version: '1' });
    const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item));
    const ids = operations.map(({ operationId }) => operationId);
    const schemas = Object.keys(document.components?.schemas ?? {}).map((name) => `schema-${name}`);
    expect(ids).toContain('listStatementKeys');
    for (const id of [...ids, ...schemas]) expect(page.split(`id="${id}"`)).toHaveLength(2);
    for (const [, name] of page.matchAll(/href="#([^"]+)"/g))
      expect(page).toContain(`id="${name}"`);
  });

  it.each(['/docs/', '/api/v1'])('302 to the page from %s', async (path) => {
    const response = await fetch(`${served.url}${path}`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('https://api.shop.example/docs');
  });

  it('200 with a policy that allows scripts of its own origin only, and none inline', async () => {
    const policy = policyOf(await fetch(`${served.url}/docs/try`));
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self'",
      ]),
    );
    for (const path of ['/docs', '/docs/build-an-app']) {
      const strict = policyOf(await fetch(`${served.url}${path}`));
      expect(strict).toContain("style-src 'self'");
      expect(strict).toContain("script-src 'self'");
    }
    for (const path of ['/health', '/docs/start.js', '/docs/signed-in']) {
      const elsewhere = policyOf(await fetch(`${served.url}${path}`));
      expect(elsewhere.join()).not.toMatch(/script-src|unsafe-inline/);
    }
  });

  it('200 with a start script that points at the document, and asks no other host', async () => {
    const script = await (await fetch(`${served.url}/docs/start.js`)).text();
    const [, url = ''] = /url: '([^']+)'/.exec(script) ?? [];
    expect((await fetch(new URL(url, `${served.url}/docs/try`))).status).toBe(200);
    expect(script).toContain('const signIn = null;');
    expect(script).not.toMatch(/https?:/);
  });

  it.each(['/docs/package.json', '/docs/..%2f..%2fpackage.json', '/docs/%2e%2e/package.json'])(
    '404 for any other file: %s',
    async (path) => {
      expect((await fetch(`${served.url}${path}`)).status).toBe(404);
    },
  );
});

describe('signing in to send requests', () => {
  it('is at the configured client of the issuer, which the page may then ask', async () => {
    const script = await (await fetch(`${withSignIn.url}/docs/start.js`)).text();
    const signIn = JSON.stringify({ issuer: ISSUER, clientId: 'reference' });
    expect(script).toContain(`const signIn = ${signIn};`);
    const page = await fetch(`${withSignIn.url}/docs/try`);
    expect(policyOf(page)).toContain("connect-src 'self' https://issuer.shop.example");
    // The page watches the window that it opens; the page where that ends lets it.
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    const end = await fetch(`${withSignIn.url}/docs/signed-in?code=x`);
    expect([end.status, end.headers.get('cross-origin-opener-policy')]).toEqual([
      200,
      'unsafe-none',
    ]);
  });

  it('302 to the description that the issuer gives of itself', async () => {
    const path = '/.well-known/openid-configuration';
    const response = await fetch(`${withSignIn.url}${path}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, `${ISSUER}${path}`]);
  });
});
