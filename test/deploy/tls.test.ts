import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../sandbox/processes/ports.ts';
import { startHttpServer } from '../support/http/http-server.ts';
import { needs } from '../support/needs.ts';

const script = (name: string) =>
  fileURLToPath(new URL(`../../deploy/tls/${name}`, import.meta.url));
const DAY_MS = 86_400_000;
const SOON = { timeout: 20_000, interval: 100 };
const folder = mkdtempSync(join(tmpdir(), 'loyalty-tls-'));
const at = (...names: string[]) => join(folder, ...names);
for (const name of ['certificates', 'challenges/.well-known/acme-challenge', 'made', 'bin']) {
  mkdirSync(at(name), { recursive: true });
}
// nginx's workers run as another user.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = {
  PATH: `${at('bin')}:/usr/sbin:${process.env.PATH}`,
  API_BASE_URL: 'https://api.shop.example',
  FRONTEND_URL: 'https://shop.example',
  APPS_CLIENT_ID: 'loyalty-apps',
  TLS_FOLDER: folder,
  TLS_CERTIFICATES: at('certificates'),
  TLS_CHALLENGES: at('challenges'),
  TLS_FIGURES: folder,
};

function makeCertificate(): void {
  const names = 'subjectAltName=DNS:api.shop.example,DNS:shop.example';
  const files = ['-keyout', at('made/privkey.pem'), '-out', at('made/fullchain.pem')];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=shop', '-addext'];
  execFileSync('openssl', [...args, names, ...files], { stdio: 'ignore' });
}

describe('what ends TLS', needs('nginx'), () => {
  it('answers challenges, takes a certificate that comes later, and passes on', async () => {
    const seen: string[] = [];
    const behind = (name: string) =>
      startHttpServer(({ path, headers }) => {
        seen.push(`${name} ${headers.host}${path} ${headers['x-forwarded-for']}`);
        return { status: 200, body: name };
      });
    const [api, apps] = [await behind('api'), await behind('apps')];
    let isApiThere = true;
    const [http, https] = [await freePort(), await freePort()];
    const process = spawn('sh', [script('start.sh')], {
      detached: true,
      stdio: 'ignore',
      env: {
        ...env,
        TLS_RESOLVER: ' ',
        TLS_HTTP: String(http),
        TLS_HTTPS: String(https),
        TLS_API: new URL(api.url).host,
        TLS_APPS: new URL(apps.url).host,
        TLS_EVERY: '1',
        TLS_LOG: at('tls.log'),
      },
    });
    try {
      writeFileSync(at('challenges/.well-known/acme-challenge/token'), 'the answer');
      const plain = (path: string) =>
        fetch(`http://127.0.0.1:${http}${path}`, { redirect: 'manual' });
      const challenge = async () =>
        (await plain('/.well-known/acme-challenge/token').catch(() => undefined))?.text();
      await expect.poll(challenge, SOON).toBe('the answer');
      expect((await plain('/wallet/')).status).toBe(301);
      const get = (host: string) => getOverTls(https, host).catch(() => undefined);
      expect(await get('shop.example')).toBeUndefined();

      makeCertificate();
      cpSync(at('made'), at('certificates'), { recursive: true });
      await expect.poll(() => get('shop.example'), SOON).toBe('apps');
      expect(await get('api.shop.example')).toBe('api');
      expect(seen).toContain('api api.shop.example/x 127.0.0.1');
      await api.close();
      isApiThere = false;
      await get('api.shop.example');
      // nginx writes it once it has answered.
      const log = () => readFileSync(at('tls.log'), 'utf8');
      await expect.poll(log, SOON).toMatch(/^\S+ 502 GET api.shop.example\/x$/m);
    } finally {
      if (process.pid !== undefined) globalThis.process.kill(-process.pid, 'SIGTERM');
      await once(process, 'exit');
      await Promise.all([isApiThere && api.close(), apps.close()]);
    }
  }, 60_000);
});

describe('what gets certificates', () => {
  const given = (name: string) => readFileSync(at('certificates', name), 'utf8');
  const made = (name: string) => readFileSync(at('made', name), 'utf8');

  /** Runs it for one round with a certbot of ours, after what earlier ones have left. */
  function runOnce(certbot: string, others: Record<string, string> = {}): void {
    writeFileSync(at('bin/certbot'), `#!/bin/sh\n${certbot}\n`);
    writeFileSync(at('bin/sleep'), '#!/bin/sh\nexit 1\n');
    for (const name of ['certbot', 'sleep']) chmodSync(at('bin', name), 0o755);
    execFileSync('sh', [script('certificates.sh')], {
      env: { ...env, ACME_EMAIL: 'ops@shop.example', ...others },
    });
    rmSync(at('bin/sleep'));
  }

  it('asks for both names, and hands over what it got', () => {
    makeCertificate();
    rmSync(at('certificates'), { recursive: true });
    mkdirSync(at('certificates'));
    // Keeps it where certbot does.
    const live = at('certificates/acme/live/loyalty');
    runOnce(`printf '%s\\n' "$@" >${at('asked')}
      mkdir -p ${live}
      cp ${at('made')}/* ${live}/`);
    const asked = readFileSync(at('asked'), 'utf8');
    expect(asked).toContain('--email\nops@shop.example\n');
    expect(asked).toContain('-d\napi.shop.example\n-d\nshop.example\n');
    expect(asked).not.toContain('--server');
    expect(asked).toContain(`--config-dir\n${at('certificates/acme')}\n`);
    for (const name of ['fullchain.pem', 'privkey.pem']) expect(given(name)).toBe(made(name));
    // What node-exporter reads: it ends in thirty days, which is what openssl makes.
    const [, end] =
      /^loyalty_certificate_end_timestamp_seconds (\d+)\n$/.exec(
        readFileSync(at('certificate.prom'), 'utf8'),
      ) ?? [];
    expect((Number(end) * 1_000 - Date.now()) / DAY_MS).toBeCloseTo(30, 1);
  });

  it('asks for no name that leads elsewhere: that of the apps, where they are not here', () => {
    runOnce(`printf '%s\\n' "$@" >${at('asked')}`, { APPS_CLIENT_ID: '' });
    const names = readFileSync(at('asked'), 'utf8').match(/(?<=^-d\n).*/gm);
    expect(names).toEqual(['api.shop.example']);
  });

  it('hands over what certbot got before it was stopped, which is not due for long', () => {
    makeCertificate();
    rmSync(at('certificates'), { recursive: true });
    mkdirSync(at('certificates/acme/live'), { recursive: true });
    cpSync(at('made'), at('certificates/acme/live/loyalty'), { recursive: true });
    runOnce('echo Certificate not yet due for renewal');
    for (const name of ['fullchain.pem', 'privkey.pem']) expect(given(name)).toBe(made(name));
  });
});

function getOverTls(port: number, servername: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(at('made/fullchain.pem'));
    const options = { host: '127.0.0.1', port, path: '/x', servername, ca };
    request({ ...options, headers: { host: servername } }, (answer) => {
      text(answer).then(resolve, reject);
    })
      .on('error', reject)
      .end();
  });
}
