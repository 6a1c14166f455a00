import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEventStore } from '../../api/intake/group-commit.ts';
import { routes } from '../../api/routes/index.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { useDatabase } from '../support/fixtures.ts';
import { type Served, serveRoutes } from '../support/http/serve-routes.ts';
import { createSlowSenders, type SlowSenders } from '../support/http/slow-senders.ts';
import { needs } from '../support/needs.ts';
import { providerSettings } from '../support/providers/providers.ts';
import type { Member } from '../topology/member.ts';
import { startProxy } from '../topology/proxy.ts';

const SECRET = 'the secret of beta in the tests';
const SLOW = '203.0.113.7';
const BETA = '/api/v1/webhooks/beta';
const ALPHA = '/api/v1/webhooks/alpha';
const SHOP = '/api/v1/client/tenants/3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10';
const LOGO = `${SHOP}/branding/logo`;
const IMPORTS = `${SHOP}/imports`;
const { db } = await useDatabase();

describe('behind the proxy', needs('nginx'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-slow-'));
  let slow: SlowSenders;
  let api: Served;
  let proxy: Member;
  let port = 0;

  beforeAll(async () => {
    api = await serveRoutes(routes, {
      db,
      eventStore: createEventStore({ db, dispatcher: { add() {} } }),
      settings: { providers: providerSettings({ BETA_WEBHOOK_SECRET: SECRET }) },
    });
    port = await freePort();
    const apiPort = Number(new URL(api.url).port);
    proxy = await startProxy({ folder, port, apiPorts: [apiPort, apiPort], oneAddress: false });
  });
  beforeEach(() => {
    slow = createSlowSenders(port, SLOW);
  });
  afterEach(() => slow.stop());
  afterAll(async () => {
    await proxy?.stop();
    await api?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function deliver(bytes: number, { isChunked = false, secret = SECRET } = {}) {
    const merchants = '{"merchants":{"BETAMERCH0001":[]}}'.padEnd(bytes);
    const response = await fetch(`http://127.0.0.1:${port}${BETA}`, {
      method: 'POST',
      headers: { 'x-beta-auth': secret },
      body: isChunked ? new Blob([merchants]).stream() : merchants,
      ...(isChunked && { duplex: 'half' }),
    });
    return response.status;
  }

  it('64 slow senders at one address keep out no event of beta, large or chunked', async () => {
    for (let nth = 0; nth < 64; nth++) slow.begin(BETA, nth % 2 === 0 ? 1_000_000 : 'chunked');
    await sleep(500);
    expect(await deliver(12_000)).toBe(200);
    expect(await deliver(100_000)).toBe(200);
    expect(await deliver(100, { isChunked: true })).toBe(200);
    expect(await deliver(100_000, { secret: 'wrong' })).toBe(401);
  });

  it('nor a large one of alpha: they take the places of their address, and no others', async () => {
    for (let nth = 0; nth < 64; nth++) slow.begin(ALPHA, nth % 2 === 0 ? 1_000_000 : 'chunked');
    await sleep(500);
    const body = 'x'.repeat(12_000);
    const from = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      const url = `http://127.0.0.1:${port}${ALPHA}`;
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    // It is not signed, so that it was read, and judged.
    expect(await from('198.51.100.1')).toBe(401);
    expect(await from(SLOW)).toBe(503);
    expect(await deliver(12_000)).toBe(200);
  });

  it('nor an import of members, but two at an address', async () => {
    for (let nth = 0; nth < 64; nth++) slow.begin(IMPORTS, nth % 2 === 0 ? 1_000_000 : 'chunked');
    await sleep(500);
    const from = async (address: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${IMPORTS}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
        body: '{}',
      });
      return response.status;
    };
    expect(await from('198.51.100.3')).toBe(401);
    expect(await from('198.51.100.3', { 'idempotency-key': 'k' })).toBe(401);
    expect(await from(SLOW)).toBe(429);
    expect(await from(SLOW, { 'idempotency-key': 'k' })).toBe(429);
    // Each holds 1 MiB at most of the place for the bodies of events.
    expect(await deliver(12_000)).toBe(200);
  });

  it('and nothing else is held here that is larger than its API takes', async () => {
    const path = '/api/v1/consumer/wallets';
    const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' };
    const body = new Blob([' '.repeat(40_000)]).stream();
    const sent = { method: 'POST', headers, body, duplex: 'half' } as const;
    expect((await fetch(`http://127.0.0.1:${port}${path}`, sent)).status).toBe(413);
  });

  it('nor a logo: whoever is not signed in is answered before it is read', async () => {
    for (let nth = 0; nth < 16; nth++) slow.begin(LOGO, 10_000_000);
    await sleep(500);
    const response = await fetch(`http://127.0.0.1:${port}${LOGO}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.2' },
      body: '{}',
    });
    expect(response.status).toBe(401);
    expect(readdirSync(join(folder, 'nginx', 'client_body'))).toEqual([]);
  });
});

describe('an answer that is taken slowly', needs('nginx'), () => {
  it('waits on no disk of the proxy', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loyalty-slow-answer-'));
    let isTaken = false;
    const large = createServer((_, response) => {
      response.on('finish', () => {
        isTaken = true;
      });
      response.end(Buffer.alloc(20_000_000));
    });
    const apiPort = await freePort();
    await new Promise<void>((resolve) => large.listen(apiPort, '127.0.0.1', resolve));
    const port = await freePort();
    const proxy = await startProxy({
      folder,
      port,
      apiPorts: [apiPort, apiPort],
      oneAddress: false,
    });
    const socket = connect(port, '127.0.0.1').pause();
    try {
      socket.write('GET /api/v1/client/tenants/T/transactions HTTP/1.1\r\nHost: x\r\n\r\n');
      await sleep(1_500);
      // Its files have no names, but then it has taken all of the answer.
      expect(isTaken).toBe(false);
    } finally {
      socket.destroy();
      await proxy.stop();
      large.closeAllConnections();
      large.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
