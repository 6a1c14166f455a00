import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ErrorEnvelope } from '../../../../api/http/replies/errors.ts';
import { answerMalformed } from '../../../../api/http/requests/malformed-requests.ts';
import { route } from '../../../../api/http/route.ts';
import { CRON_SECRET, type Served, serveRoutes } from '../../../support/http/serve-routes.ts';

const Ok = z.object({ ok: z.boolean() });
const ok = () => ({ ok: true });
const shared = { root: true, summary: 'Answers', response: Ok, handle: ok } as const;
const routes = [
  route({ ...shared, method: 'GET', path: '/docs', access: 'public' }),
  route({ ...shared, method: 'POST', path: '/things', access: 'cron-secret' }),
];

let served: Served;
beforeAll(async () => {
  served = await serveRoutes(routes);
});
afterAll(() => served.close());

/** Sends bytes and returns everything received until the connection closes. */
async function say(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes, 'latin1');
  return text(socket);
}

async function ask(lines: readonly string[], body = '') {
  const head = [...lines, 'Host: x', 'Connection: close', '', ''].join('\r\n');
  const said = await say(served.url, `${head}${body}`);
  const [first = '', ...rest] = said.split('\r\n');
  const correlationId = rest.find((line) => /^x-correlation-id: /i.test(line))?.split(': ')[1];
  const json: unknown = JSON.parse(said.slice(said.indexOf('\r\n\r\n') + 4));
  return { status: Number(first.split(' ')[1]), correlationId, json };
}

describe('a request that is not HTTP', () => {
  const post = ['POST /things HTTP/1.1', `X-Cron-Secret: ${CRON_SECRET}`];
  it.each([
    { what: 'a broken first line', lines: ['NONSENSE'], status: 400 },
    { what: 'raw bytes in an address', lines: ['GET /\xff HTTP/1.1'], status: 400 },
    { what: 'a control character', lines: ['GET /docs HTTP/1.1', 'A: a\x01b'], status: 400 },
    {
      what: 'two lengths',
      lines: [...post, 'Content-Length: 1', 'Content-Length: 2'],
      status: 400,
    },
    {
      what: 'large headers',
      lines: ['GET /docs HTTP/1.1', `A: ${'x'.repeat(20_000)}`],
      status: 431,
    },
  ])('$status with the error envelope: $what', async ({ lines, status }) => {
    const answer = await ask(lines);
    expect(answer.status).toBe(status);
    const envelope = ErrorEnvelope.strict().parse(answer.json);
    expect(envelope).toMatchObject({ code: 'VALIDATION_ERROR', requestId: answer.correlationId });
  });

  it('400 without an error report for an invalid chunk of a body', async () => {
    const lines = [...post, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    expect(await ask(lines, 'no chunk\r\n')).toMatchObject({ status: 400 });
    await expect.poll(() => served.log.join('\n')).toContain('"route":"/things","status":400');
    expect(served.reported).toEqual([]);
  });

  it('closes the connection without a response when another response has begun', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('begun');
    });
    answerMalformed(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    const socket = connect(address.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.once('data', () => socket.write('NONSENSE\r\n\r\n'));
    socket.on('error', () => undefined);
    expect(await text(socket)).not.toContain('400');
    server.close();
  });
});

describe('an unusual HTTP request', () => {
  it.each(['http://[/docs', '*', 'http://x'])('404 for the target %s', async (target) => {
    const answer = await ask([`GET ${target} HTTP/1.1`]);
    expect(answer).toMatchObject({ status: 404, json: { requestId: answer.correlationId } });
    expect(served.reported).toEqual([]);
  });

  it('200 for a full URL with a known path', async () => {
    expect(await ask(['GET http://elsewhere.example/docs HTTP/1.1'])).toMatchObject({
      status: 200,
      json: { ok: true },
    });
  });

  it('200 with an unknown expectation, which is ignored', async () => {
    expect(await ask(['GET /docs HTTP/1.1', 'Expect: a-miracle'])).toMatchObject({ status: 200 });
  });
});
