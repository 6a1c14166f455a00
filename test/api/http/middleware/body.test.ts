import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Route, route } from '../../../../api/http/route.ts';
import { type Served, serveRoutes } from '../../../support/http/serve-routes.ts';

const Order = z.object({ points: z.int().positive(), note: z.string().optional() });
const BODY_LIMIT_BYTES = 2_000;
const LARGE_BYTES = 10 * 1024 * 1024;

const routes: Route[] = [
  route({
    method: 'POST',
    path: '/orders',
    access: 'public',
    summary: 'Returns the order',
    status: 201,
    body: Order,
    bodyLimit: BODY_LIMIT_BYTES,
    response: Order,
    handle: async ({ body }) => ({ ...body, secret: 'not declared' }),
  }),
  route({
    method: 'POST',
    path: '/anything',
    access: 'public',
    summary: 'Accepts anything',
    body: z.unknown(),
    response: z.object({ ok: z.boolean() }),
    handle: () => ({ ok: true }),
  }),
  route({
    method: 'POST',
    path: '/pictures',
    access: 'public',
    summary: 'Accepts 10 MiB',
    body: z.object({ picture: z.string() }),
    bodyLimit: LARGE_BYTES + 1_000,
    response: z.object({ ok: z.boolean() }),
    handle: () => ({ ok: true }),
  }),
  route({
    method: 'GET',
    path: '/health',
    root: true,
    access: 'public',
    summary: 'Answers',
    response: z.object({ ok: z.boolean() }),
    handle: () => ({ ok: true }),
  }),
  route({
    method: 'POST',
    path: '/empty',
    access: 'public',
    summary: 'Declares no body',
    response: z.object({ ok: z.boolean() }),
    handle: () => ({ ok: true }),
  }),
  route({
    method: 'POST',
    path: '/ignored',
    access: 'public',
    summary: 'Ignores its body',
    ignoresBody: true,
    response: z.object({ ok: z.boolean() }),
    handle: () => ({ ok: true }),
  }),
  route({
    method: 'POST',
    path: '/hooks',
    access: 'signed-webhook',
    summary: 'Returns the bytes in hex',
    response: z.object({ hex: z.string() }),
    handle: ({ rawBody }) => ({ hex: rawBody.toString('hex') }),
  }),
];

const Envelope = z.object({ code: z.string() });
let served: Served;

beforeAll(async () => {
  served = await serveRoutes(routes);
});
afterAll(async () => {
  await served.close();
});

type Content = NonNullable<RequestInit['body']>;
const at = (path: string, init?: RequestInit) => fetch(`${served.url}/api/v1${path}`, init);
const json = { 'content-type': 'application/json' };
const post = (body: Content, headers: Record<string, string> = json) =>
  at('/orders', { method: 'POST', body, headers });
const chunked = (text: string) => new Blob([text]).stream();

describe('a body', () => {
  const deep = `${'{"points":'.repeat(100)}1${'}'.repeat(100)}`;
  // Deep enough to overflow a recursive walk, and small enough for the default limit.
  const nested = '['.repeat(8_000);

  it.each([
    ['of the wrong shape', '{"points":"5"}'],
    ['that is missing', ''],
    ['that is not JSON', '{"points":'],
    ['that is a scalar', '5'],
    ['that is an array', '[]'],
    ['that is null', 'null'],
    ['with the key __proto__', '{"points":5,"__proto__":{}}'],
    ['with the key __proto__, escaped', '{"points":5,"\\u005f_proto__":{}}'],
    ['with the key constructor, deep inside', '{"points":5,"a":[{"constructor":{}}]}'],
    ['with the key prototype', '{"points":5,"prototype":1}'],
    ['that is nested too deeply', deep],
    ['with a NUL in its text', '{"points":5,"note":"a\\u0000b"}'],
    ['with a NUL in a key', '{"points":5,"\\u0000":1}'],
    ['with a lone surrogate', '{"points":5,"note":"\\ud800"}'],
    ['with a number that is too large', '{"points":1e999}'],
  ])('400 VALIDATION_ERROR for a body %s', async (_, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(Envelope.parse(await response.json()).code).toBe('VALIDATION_ERROR');
  });

  it('400 VALIDATION_ERROR for a body that is not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"points":5,"note":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(Envelope.parse(await response.json()).code).toBe('VALIDATION_ERROR');
  });

  it('400 VALIDATION_ERROR with the path of every issue', async () => {
    const response = await post('{"points":0,"note":7}');
    expect(await response.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [
        { path: 'points', message: expect.any(String) },
        { path: 'note', message: expect.any(String) },
      ],
    });
  });

  it.each([
    ['a declared length', (text: string): Content => text],
    ['chunks', chunked],
  ])('413 VALIDATION_ERROR for a body that is too large, with %s', async (_, send) => {
    const text = JSON.stringify({ points: 5, note: 'x'.repeat(BODY_LIMIT_BYTES) });
    const init = { method: 'POST', headers: json, body: send(text), duplex: 'half' as const };
    const response = await at('/orders', init);
    expect(response.status).toBe(413);
    expect(Envelope.parse(await response.json()).code).toBe('VALIDATION_ERROR');
  });

  it('413 when it is too large, and the connection serves the next request', async () => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (text: string) => {
      received += text;
    });
    const size = BODY_LIMIT_BYTES * 100;
    const head = 'POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`);
    socket.write(`${' '.repeat(size)}\r\n0\r\n\r\n`);
    socket.write(`${head}Content-Length: 12\r\n\r\n{"points":5}`);
    await expect
      .poll(() => received.match(/HTTP\/1.1 \d+/g))
      .toEqual(['HTTP/1.1 413', 'HTTP/1.1 201']);
    socket.destroy();
  });

  it.each([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another JSON type', { 'content-type': 'application/json-patch+json' }],
    ['compressed JSON', { ...json, 'content-encoding': 'gzip' }],
  ])('415 VALIDATION_ERROR for %s', async (_, headers) => {
    const response = await post('{"points":5}', headers);
    expect(response.status).toBe(415);
    expect(Envelope.parse(await response.json()).code).toBe('VALIDATION_ERROR');
  });

  it('201 when its media type has parameters', async () => {
    const response = await post('{"points":5}', {
      'content-type': 'application/json; charset=utf-8',
    });
    expect(response.status).toBe(201);
  });

  it('400 and no crash for thousands of nested brackets', async () => {
    for (const body of [nested, nested + ']'.repeat(8_000)]) {
      const response = await at('/anything', { method: 'POST', headers: json, body });
      expect(response.status).toBe(400);
    }
  });
});

describe('a body of many parts', () => {
  const postTo = (path: string, body: string) => at(path, { method: 'POST', headers: json, body });
  const issueOf = async (response: Response) =>
    z.object({ issues: z.array(z.object({ code: z.string() })) }).parse(await response.json())
      .issues[0]?.code;

  it('400 too_complex for 10 MiB of empty arrays, and the parser never sees them', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const arrays = `[${'[],'.repeat(LARGE_BYTES / 3 - 1)}[]]`;
    const refused = postTo('/pictures', `{"picture":"","x":${arrays}}`);
    const alive = await fetch(`${served.url}/health`);
    expect(alive.status).toBe(200);
    const response = await refused;
    const seen = parse.mock.calls.filter(([text]) => text.length > 1_000);
    parse.mockRestore();
    expect(response.status).toBe(400);
    expect(await issueOf(response)).toBe('too_complex');
    expect(seen).toEqual([]);
  });

  it('200 for one string of 10 MiB, whatever is in it', async () => {
    const picture = '[{,\\"'.repeat(LARGE_BYTES / 5).slice(0, LARGE_BYTES - 5);
    expect(
      (await postTo('/pictures', JSON.stringify({ picture: 'A'.repeat(LARGE_BYTES) }))).status,
    ).toBe(200);
    expect((await postTo('/pictures', `{"picture":"${picture}"}`)).status).toBe(200);
  });

  it('400 above 1,000 elements or 20 levels on any route', async () => {
    for (const body of [`[${'0,'.repeat(1_000)}0]`, `${'['.repeat(21)}${']'.repeat(21)}`]) {
      const response = await postTo('/anything', body);
      expect([response.status, await issueOf(response)]).toEqual([400, 'too_complex']);
    }
    expect((await postTo('/anything', `[${'0,'.repeat(999)}0]`)).status).toBe(200);
  });

  it('413 above 16 KiB where the route sets no limit', async () => {
    const text = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect((await postTo('/anything', text(16 * 1024))).status).toBe(200);
    expect((await postTo('/anything', text(16 * 1024 + 1))).status).toBe(413);
  });
});

describe('an unknown field', () => {
  const postTo = (path: string, body: string) => at(path, { method: 'POST', headers: json, body });

  it('400 with its name, beside every other issue', async () => {
    const response = await postTo('/orders', '{"point":5,"nota":"x","note":7}');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [
        { path: 'point', code: 'unknown_field', message: expect.stringContaining('no such field') },
        { path: 'nota', code: 'unknown_field' },
        { path: 'points', code: 'required' },
        { path: 'note', code: 'wrong_type' },
      ],
    });
  });

  it('400 where no body is declared, unless the route ignores it', async () => {
    expect((await postTo('/empty', '{"a":1}')).status).toBe(400);
    expect((await postTo('/empty', '{}')).status).toBe(200);
    expect((await postTo('/empty', '')).status).toBe(200);
    expect((await postTo('/ignored', '{"a":{"b":1}}')).status).toBe(200);
  });

  it('400 with no more of its name than fits a line', async () => {
    const response = await postTo('/pictures', `{"picture":"","${'x'.repeat(100_000)}":1}`);
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(1_000);
  });

  it.each(['null', '5', '"x"', 'true'])('400 that asks for an object, for %s', async (body) => {
    const response = await postTo('/anything', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: 'The body must be a JSON object. Send one.',
      issues: [{ path: '', code: 'wrong_type' }],
    });
  });
});

describe('a webhook', () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x00, 0xff, 0x7b]);

  it.each(['application/json', 'text/plain', 'application/octet-stream'])(
    'reaches its handler byte for byte, as %s',
    async (type) => {
      const headers = { 'content-type': type };
      const response = await at('/hooks', { method: 'POST', body: bytes, headers });
      expect(await response.json()).toEqual({ hex: bytes.toString('hex') });
    },
  );

  it('may have no body at all', async () => {
    const response = await at('/hooks', { method: 'POST' });
    expect(await response.json()).toEqual({ hex: '' });
  });

  it('415 when its body is compressed', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const response = await at('/hooks', { method: 'POST', body: bytes, headers });
    expect(response.status).toBe(415);
  });

  it('413 above 1 MiB, and the connection serves the next request', async () => {
    const body = Buffer.alloc(1024 * 1024 + 1);
    const response = await at('/hooks', { method: 'POST', body });
    expect(response.status).toBe(413);
    const largest = await at('/hooks', { method: 'POST', body: body.subarray(1) });
    expect(largest.status).toBe(200);
  });
});
