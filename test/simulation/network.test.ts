import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Network, startNetwork } from './network.ts';
import { createSecrets } from './secrets.ts';

const TOKEN = 'alpha-access-AAAAAAAAAAAAAAAAAAAAAAAA';
const secrets = createSecrets();
const provider = createServer(async (request, response) => {
  const body = await text(request);
  const { method, url, headers } = request;
  response.writeHead(201, { 'x-from': 'provider', location: '/back?code=0123456789abcdef01' });
  response.end(JSON.stringify({ method, url, body, token: headers.authorization, code: 'ERROR' }));
});
let network: Network;

beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const address = provider.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  network = await startNetwork(`http://127.0.0.1:${port}`, secrets.hear);
});
afterAll(async () => {
  await network.close();
  provider.close();
});

const ask = () =>
  fetch(`${network.url}/token?state=aaaaaaaaaaaaaaaa.bbbb`, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: '{"code": "fedcba9876543210"}',
  });

describe('startNetwork', () => {
  it('passes requests and answers on as they are, and hears what is secret in them', async () => {
    const response = await ask();
    expect(response.status).toBe(201);
    expect(response.headers.get('x-from')).toBe('provider');
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/token?state=aaaaaaaaaaaaaaaa.bbbb',
      body: '{"code": "fedcba9876543210"}',
      token: `Bearer ${TOKEN}`,
    });
    const heard = secrets.needles().map(({ kind, value }) => `${kind}: ${value}`);
    expect(heard.sort()).toEqual([
      'OAuth code: 0123456789abcdef01',
      'OAuth code: fedcba9876543210',
      'OAuth state: aaaaaaaaaaaaaaaa.bbbb',
      `a provider's token: ${TOKEN}`,
    ]);
  });

  it('lets what passes for a while be late, and says when all has arrived', async () => {
    const delayed = network.delay({ forMs: 300, mostMs: 600 });
    const answers = Promise.all([ask(), ask(), ask(), ask(), ask()]);
    await delayed;
    const after = performance.now();
    expect((await answers).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(performance.now() - after).toBeLessThan(200);
  });
});

describe('createSecrets', () => {
  it('lets a mail hold what is its recipient’s, and forgets all once it was looked for', () => {
    const own = createSecrets();
    own.addContact('ada-1', 'e-mail', 'ada@people.example');
    own.addContact('bob-1', 'e-mail', 'bob@people.example');
    own.addCode('ada-1', '9F86D081884C');
    expect(own.allowedTo('ada@people.example')).toEqual(['ada@people.example', '9F86D081884C']);
    expect(own.allowedTo('bob@people.example')).toEqual(['bob@people.example']);
    expect(own.needles()).toHaveLength(3);
    own.forget();
    expect(own.needles()).toEqual([]);
  });
});
