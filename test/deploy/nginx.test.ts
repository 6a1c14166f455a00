import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ErrorEnvelope } from '../../api/http/replies/errors.ts';
import { pathOf } from '../../api/http/route.ts';
import { routes } from '../../api/routes/index.ts';
import { TIMING } from '../../api/streams/timing.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { needs } from '../support/needs.ts';
import type { Member } from '../topology/member.ts';
import { ACCESS_LOG, startProxy } from '../topology/proxy.ts';

const MIB = 1024 * 1024;
const CONFIRM = '/api/v1/consumer/wallets/W/redeem/confirm';
const LOGO = '/api/v1/client/tenants/T/branding/logo';
const WEBHOOK = '/api/v1/webhooks/alpha';
const CRON = '/api/v1/internal/cron/alpha-poll-payments';
const LONG = JSON.stringify(Array.from({ length: 100 }, () => ({ balance: 1250 })));
const text = readFileSync(new URL('../../deploy/nginx/nginx.conf', import.meta.url), 'utf8');

describe('what the proxy sends again', () => {
  const patterns = [...text.matchAll(/^ *"~(\^yes [^"]+)" 1;$/gm)].map(
    ([, pattern = '']) => new RegExp(pattern),
  );
  const writes = routes.filter(
    ({ method, access }) => method !== 'GET' && access !== 'signed-webhook',
  );

  it.each(writes.map((route) => [`${route.method} ${pathOf(route)}`, route] as const))(
    '%s: with a key, if the route honours one',
    (name, route) => {
      const request = `yes ${name.replace(/:\w+/g, 'c0ffee')}`;
      const isRepeatable = patterns.filter((pattern) => pattern.test(request)).length > 0;
      expect(isRepeatable).toBe(route.idempotent === true);
    },
  );
});

describe('streams of events', () => {
  const [, location = ''] = /location ~ [^{]*events\$ \{([^}]*)\}/.exec(text) ?? [];

  it('are not gathered, and not cut off between two comments', () => {
    expect(location).toContain('proxy_buffering off;');
    const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(location) ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThan(2 * TIMING.keepAliveAfterMs);
  });

  it('of all kinds are served so', () => {
    const [, pattern = ''] = /location ~ (\S*events\$) /.exec(text) ?? [];
    const paths = routes.filter(({ events }) => events !== undefined).map(pathOf);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) expect(path).toMatch(new RegExp(pattern));
  });
});

type Seen = { api: number; method: string; url: string; headers: IncomingMessage['headers'] };

describe('the proxy', needs('nginx'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-proxy-'));
  const seen: Seen[] = [];
  const apis: Server[] = [];
  let isFailing = false;
  let proxy: Member;
  let url = '';

  beforeAll(async () => {
    const apiPorts = [await freePort(), await freePort()];
    for (const [index, port] of apiPorts.entries()) {
      const api = createServer((request, response) => serve(index, request, response));
      await new Promise<void>((resolve) => api.listen(port, '127.0.0.1', resolve));
      apis.push(api);
    }
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    proxy = await startProxy({ folder, port, apiPorts, oneAddress: false });
  });
  afterAll(async () => {
    await proxy?.stop();
    for (const api of apis) {
      api.closeAllConnections();
      api.close();
    }
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    seen.length = 0;
    isFailing = false;
  });

  /** An API that may end its connection after it has read a request. */
  function serve(api: number, request: IncomingMessage, response: ServerResponse): void {
    request.resume().on('end', () => {
      const { method = '', url: path = '', headers } = request;
      seen.push({ api, method, url: path, headers });
      if (path.endsWith('/events')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
        return;
      }
      if (isFailing) request.socket.destroy();
      else {
        const body = path.endsWith('/consumers') ? LONG : '{}';
        const headers = {
          'X-Correlation-Id': 'from-the-api',
          'Content-Type': 'application/json',
          'Content-Length': body.length,
        };
        response.writeHead(200, headers).end(body);
      }
    });
  }

  type Sent = { from?: string; key?: string; bytes?: number; headers?: Record<string, string> };
  async function post(path: string, { from, key, bytes = 2, headers }: Sent = {}) {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body: Buffer.alloc(bytes),
      headers: {
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(from !== undefined && { 'x-forwarded-for': from }),
        ...headers,
      },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  it('sends a request again only when it is sure to have the same effect', async () => {
    isFailing = true;
    expect((await post(CONFIRM)).status).toBe(502);
    expect(seen).toHaveLength(1);
    seen.length = 0;
    await post(LOGO, { key: 'k' });
    expect(seen).toHaveLength(1);
    seen.length = 0;
    await post(CONFIRM, { key: 'k' });
    expect(new Set(seen.map(({ api }) => api))).toEqual(new Set([0, 1]));
    seen.length = 0;
    await post(WEBHOOK);
    expect(new Set(seen.map(({ api }) => api))).toEqual(new Set([0, 1]));
  });

  it.each([
    [CONFIRM, 16 * 1024],
    [WEBHOOK, MIB],
    [LOGO, 11 * MIB],
  ])('%s: passes on %i bytes, and refuses more with the error envelope', async (path, bytes) => {
    expect((await post(path, { bytes })).status).toBe(200);
    seen.length = 0;
    const refused = await post(path, { bytes: bytes + 1 });
    expect(refused.status).toBe(413);
    const { code, issues, requestId } = ErrorEnvelope.parse(JSON.parse(refused.text));
    expect([code, issues?.[0]?.code]).toEqual(['VALIDATION_ERROR', 'too_large']);
    expect(refused.headers.get('x-correlation-id')).toBe(requestId);
    expect(seen).toEqual([]);
  });

  it('closes the internal routes to everybody but itself', async () => {
    expect((await post(CRON)).status).toBe(200);
    seen.length = 0;
    for (const path of [CRON, CRON.replace('internal', '%69nternal'), `/x/..${CRON}`]) {
      const refused = await post(path, { from: '203.0.113.9' });
      expect([refused.status, ErrorEnvelope.parse(JSON.parse(refused.text)).code]).toEqual([
        404,
        'NOT_FOUND',
      ]);
    }
    expect((await post(CRON, { from: '127.0.0.1, 203.0.113.9' })).status).toBe(404);
    expect(seen).toEqual([]);
  });

  it('compresses long lists, and no answer that is short enough to hold a secret', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const long = await post('/api/v1/client/tenants/T/consumers', { headers });
    expect([long.headers.get('content-encoding'), long.text]).toEqual(['gzip', LONG]);
    const short = await post(CONFIRM, { headers });
    expect([short.headers.get('content-encoding'), short.text]).toEqual([null, '{}']);
  });

  it('tells the API the address that it knows, and no protocol', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    await post(CONFIRM, { from: '198.51.100.7, 203.0.113.9', headers });
    expect(seen[0]?.headers['x-forwarded-for']).toBe('203.0.113.9');
    expect(seen[0]?.headers).not.toHaveProperty('x-forwarded-proto');
  });

  it.each(['/api/v1/consumer/events', '/api/v1/pos/events'])(
    '%s: passes on each event at once',
    async (path) => {
      const leave = new AbortController();
      const response = await fetch(`${url}${path}`, { signal: leave.signal });
      const reader = response.body?.getReader();
      const first = await reader?.read();
      expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n');
      leave.abort();
    },
  );

  it('429 with the envelope for an address that asks too often, and for no other', async () => {
    const burst = (from: string, path: string) =>
      Promise.all(Array.from({ length: 400 }, () => post(path, { from })));
    const answers = await burst('203.0.113.50', '/api/v1/auth/me');
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(50);
    for (const { status, headers, text: body } of refused) {
      expect([status, headers.get('retry-after')]).toEqual([429, '1']);
      expect(ErrorEnvelope.parse(JSON.parse(body)).code).toBe('RATE_LIMITED');
    }
    expect((await post('/api/v1/auth/me', { from: '203.0.113.51' })).status).toBe(200);
    const events = await burst('203.0.113.52', WEBHOOK);
    expect(events.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('counts all addresses of IPv6 that begin with the same 64 bits as one', async () => {
    const refusedOf = async (addressOf: (n: number) => string) => {
      const numbers = Array.from({ length: 400 }, (_, n) => n + 1);
      const answers = await Promise.all(
        numbers.map((n) => post('/api/v1/auth/me', { from: addressOf(n) })),
      );
      return answers.filter(({ status }) => status === 429).length;
    };
    expect(await refusedOf((n) => `2001:db8:1:2:${n}:3:4:5`)).toBeGreaterThan(50);
    expect(await refusedOf((n) => `2001:db8:1:3::${n}`)).toBeGreaterThan(50);
    expect(await refusedOf((n) => `2001:db8:2::${n}`)).toBeGreaterThan(50);
    expect(await refusedOf((n) => `2001:db8:3:${n}::1`)).toBe(0);
    expect(await refusedOf((n) => `::ffff:198.51.${n >> 8}.${n & 255}`)).toBe(0);
  });

  it('logs the address and the correlation id of each request, and no query', async () => {
    await post('/api/v1/oauth/alpha/callback?code=secret', { from: '203.0.113.99' });
    const Line = z.looseObject({ address: z.string(), path: z.string() });
    const lineOf = () =>
      readFileSync(join(folder, ACCESS_LOG), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => Line.parse(JSON.parse(line)))
        .find(({ address }) => address === '203.0.113.99');
    await expect.poll(lineOf).toMatchObject({
      method: 'POST',
      path: '/api/v1/oauth/alpha/callback',
      status: '200',
      correlationId: 'from-the-api',
    });
    isFailing = true;
    expect((await post('/api/v1/oauth/alpha/callback?code=secret')).status).toBe(502);
    for (const log of [ACCESS_LOG, 'nginx/nginx.log']) {
      expect(readFileSync(join(folder, log), 'utf8')).not.toContain('secret');
    }
  });
});
