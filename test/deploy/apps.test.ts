import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppServer, startAppServer } from '../../sandbox/apps/server.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { builtApps } from '../../web/build.ts';
import { appHeaders } from '../../web/policy.ts';
import { needs } from '../support/needs.ts';
import { createMember, type Member } from '../topology/member.ts';
import { startNginx } from '../topology/proxy.ts';

// The container of the apps, without the container: its nginx with the files of its image.

const SETTINGS = {
  API_BASE_URL: 'https://api.shop.example',
  OIDC_ISSUER: 'https://identity.example/realms/loyalty',
  APPS_CLIENT_ID: 'loyalty-apps',
  APPS_SCOPE: 'openid profile',
  APPS_AUDIENCE: '',
  OIDC_SCOPES: 'true',
  APPS_CONNECT_SRC: '',
  APPS_SUPPORT: 'help@shop.example',
};
const read = (path: string) =>
  readFileSync(new URL(`../../deploy/apps/${path}`, import.meta.url), 'utf8');

describe('nginx with the apps', needs('nginx'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-apps-'));
  let nginx: Member;
  let sandbox: AppServer;
  let url = '';
  beforeAll(async () => {
    const files = await builtApps();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    // As the entry point of the image does it: names that are set, and no others.
    const server = read('server.conf.template').replaceAll(
      /\$\{(\w+)\}/g,
      (whole, name: string) => {
        return Object.entries(SETTINGS).find(([known]) => known === name)?.[1] ?? whole;
      },
    );
    const asRoot = process.getuid?.() === 0 ? 'user root;\n' : '';
    const text = read('nginx.conf')
      .replaceAll(/\/tmp\/(apps\/)?/g, `${folder}/`)
      .replace('/dev/stdout', `${folder}/access.log`);
    writeFileSync(join(folder, 'nginx.conf'), `daemon off;\n${asRoot}${text}`);
    writeFileSync(
      join(folder, 'server.conf'),
      server
        .replace('listen 8080', `listen 127.0.0.1:${port}`)
        .replace('/usr/share/loyalty-apps', files),
    );
    nginx = createMember('nginx', () => startNginx(folder, port));
    await nginx.start();
    const config = () => ({ api: SETTINGS.API_BASE_URL, issuer: SETTINGS.OIDC_ISSUER, ...CLIENT });
    sandbox = await startAppServer({ port: 0, folder: files, config });
  });
  afterAll(async () => {
    await nginx?.stop();
    await sandbox?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const CLIENT = { clientId: SETTINGS.APPS_CLIENT_ID, scope: SETTINGS.APPS_SCOPE };
  const PAGES = [
    '/',
    '/wallet/',
    '/wallet/codes/1',
    '/wallet/signed-in?code=x',
    '/till',
    '/till/list',
    '/portal/rules',
    '/office/people/1',
    '/pos?connected=true&provider=alpha',
    '/invites/1',
    '/join/1',
  ];

  it.each(PAGES)('answers %s as the sandbox does, with the page that shows it', async (path) => {
    const [served, expected] = await Promise.all(
      [url, sandbox.url].map(async (origin) => {
        const answer = await fetch(`${origin}${path}`);
        const { status, headers } = answer;
        const names = ['cache-control', 'content-type', ...Object.keys(appHeaders([]))];
        const said = names.map((name) => [
          name,
          headers.get(name)?.toLowerCase().replaceAll(/ ?; ?/g, ';'),
        ]);
        return { status, said, text: await answer.text() };
      }),
    );
    expect(served).toEqual(expected);
    expect(served?.status).toBe(200);
  });

  it.each([
    [{}, 'en'],
    [{ 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' }, 'de'],
    [{ 'accept-language': 'fr-DE, en-GB;q=0.9, de;q=0.8' }, 'en'],
    [{ 'accept-language': 'fr' }, 'en'],
    [{ 'accept-language': 'en', cookie: 'a=1; language=de' }, 'de'],
    [{ 'accept-language': 'de', cookie: 'language=xx' }, 'de'],
  ])('answers who sends %j in %s', async (headers, language) => {
    for (const origin of [url, sandbox.url]) {
      const answer = await fetch(`${origin}/wallet/codes`, { headers });
      expect(await answer.text()).toContain(`<html lang="${language}">`);
    }
  });

  it('has the files of a page also for who has chosen another language since', async () => {
    for (const language of ['en', 'de']) {
      const at = (chosen: string) => ({ headers: { cookie: `language=${chosen}` } });
      const page = await (await fetch(`${url}/office/`, at(language))).text();
      const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)];
      expect(files.length).toBeGreaterThan(5);
      for (const [, file] of files) {
        for (const origin of [url, sandbox.url]) {
          const answer = await fetch(`${origin}${file}`, at(language === 'en' ? 'de' : 'en'));
          expect(answer.status, file).toBe(200);
          expect(answer.headers.get('cache-control')).toContain('immutable');
          await answer.body?.cancel();
        }
      }
    }
  });

  it('keeps what is named by its content for a year, compressed', async () => {
    const page = await (await fetch(`${url}/wallet/`)).text();
    const [, asset = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
    const answer = await fetch(`${url}${asset}`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-type')).toContain('javascript');
  });

  it.each(['/assets/gone.js', '/nothing', '/nginx.conf'])('404 for %s', async (path) => {
    const answer = await fetch(`${url}${path}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBeNull();
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('leads developers from the start page to the guide of the API', async () => {
    expect(await (await fetch(`${url}/`)).text()).toContain('href="/build-an-app"');
    for (const origin of [url, sandbox.url]) {
      const answer = await fetch(`${origin}/build-an-app`, { redirect: 'manual' });
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toBe('https://api.shop.example/docs/build-an-app');
    }
  });

  it('tells the apps where they are', async () => {
    const answer = await fetch(`${url}/config.json`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({
      api: SETTINGS.API_BASE_URL,
      ownScope: 'true',
      issuer: SETTINGS.OIDC_ISSUER,
      ...CLIENT,
      audience: '',
      support: SETTINGS.APPS_SUPPORT,
    });
  });
});
