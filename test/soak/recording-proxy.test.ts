import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../sandbox/processes/ports.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

let port: number;
let proxy: RecordingProxy;
let api: Server | undefined;
beforeEach(async () => {
  port = await freePort();
  proxy = await startRecordingProxy(port);
});
afterEach(async () => {
  await proxy.stop();
  api?.closeAllConnections();
  api?.close();
  api = undefined;
});

async function serve(handler: RequestListener): Promise<void> {
  api = createServer(handler).listen(port, '127.0.0.1');
  await once(api, 'listening');
}

const post = (path: string) =>
  fetch(`${proxy.url}/api/v1${path}`, { method: 'POST', body: 'sale' });

describe('the recording proxy', () => {
  it('passes requests and answers on, and records webhooks only', async () => {
    await serve((request, response) => {
      response.setHeader('x-correlation-id', request.url ?? '');
      request.pipe(response);
    });
    expect(await (await post('/webhooks/alpha')).text()).toBe('sale');
    expect(await (await post('/consumer/wallets')).text()).toBe('sale');
    expect(proxy.acknowledged).toEqual(['/api/v1/webhooks/alpha']);
    expect(proxy.takeWaits()).toHaveLength(1);
    expect(proxy.takeWaits()).toEqual([]);
  });

  it('records no other answer as acknowledged', async () => {
    await serve((_, response) => response.writeHead(503).end());
    expect((await post('/webhooks/beta')).status).toBe(503);
    expect([...proxy.statuses]).toEqual([[503, 1]]);
    expect(proxy.acknowledged).toEqual([]);
  });

  it('answers 502 while the API is down', async () => {
    expect((await post('/webhooks/alpha')).status).toBe(502);
    expect([...proxy.statuses]).toEqual([[502, 1]]);
  });

  it('goes on when a provider does not wait for the answer', async () => {
    await serve((_, response) => void setTimeout(() => response.end('late'), 200));
    const path = `${proxy.url}/api/v1/webhooks/alpha`;
    const impatient = fetch(path, { method: 'POST', signal: AbortSignal.timeout(50) });
    await expect(impatient).rejects.toThrow();
    await expect.poll(() => [...proxy.statuses]).toEqual([[502, 1]]);
    expect(proxy.acknowledged).toEqual([]);
  });

  it('does not take an answer that is cut off for one', async () => {
    await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 50);
    });
    await expect(post('/webhooks/alpha').then((answer) => answer.text())).rejects.toThrow();
    await expect.poll(() => [...proxy.statuses]).toEqual([[502, 1]]);
    expect(proxy.acknowledged).toEqual([]);
  });
});
