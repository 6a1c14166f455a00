import { get, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Listener, listenOnLoopback } from '../../../sandbox/processes/listen.ts';
import { startAlpha } from '../../../sandbox/providers/alpha/simulator.ts';

let listener: Listener;
let handled: number;
beforeEach(async () => {
  handled = 0;
  listener = await listenOnLoopback(0);
  listener.answerWith((_, response) => {
    handled += 1;
    response.end('the page');
  });
});
afterEach(() => listener.stop());

function ask(host: string, port = listener.port): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, headers: { host } }, async (response) => {
      resolve({ status: response.statusCode ?? 0, body: await text(response) });
    }).on('error', reject);
  });
}

it.each(['127.0.0.1', 'localhost', 'LOCALHOST', 'localhost:8080', '[::1]:1'])(
  'answers to %s',
  async (host) => {
    expect(await ask(host)).toEqual({ status: 200, body: 'the page' });
  },
);

it.each([
  'a.evil',
  'a.evil:4400',
  '127.0.0.1.evil',
  'localhost.evil:4400',
  'evil.localhost',
  '127.0.0.1@evil',
])('421 for the name %j, which a page elsewhere may have made to point here', async (host) => {
  expect(await ask(host)).toMatchObject({ status: 421 });
  expect(handled).toBe(0);
});

it('the tills are behind it: no order of a foreign page is carried out', async () => {
  const at = { port: 0, webhookUrl: 'http://127.0.0.1:9', redirectUrl: 'http://127.0.0.1:9' };
  const alpha = await startAlpha({ ...at, appId: 'a', appSecret: 'b', signatureKey: 'c' });
  const { port } = new URL(alpha.url);
  try {
    const status = await new Promise((resolve, reject) => {
      const headers = {
        host: 'a.evil',
        origin: 'http://a.evil',
        'content-type': 'application/json',
      };
      const order = { host: '127.0.0.1', port, path: '/_sim/merchants', method: 'POST', headers };
      request(order, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end('{}');
    });
    expect(status).toBe(421);
  } finally {
    await alpha.stop();
  }
});
