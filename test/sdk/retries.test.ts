import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createClient, isLoyaltyError, LoyaltyError } from '../../sdk/index.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { type HttpReply, type HttpServer, startHttpServer } from '../support/http/http-server.ts';

// What the client does when a service, or a proxy before it, answers in a certain way.

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const OK: HttpReply = { status: 200, body: [] };
const busy = (headers: Record<string, string> = {}): HttpReply => ({
  status: 429,
  body: { code: 'RATE_LIMITED', message: 'Too many requests.', requestId: 'r-1' },
  headers,
});

/** A service that gives these answers, one after the other, and then the last one again. */
async function serviceWith(...answers: (HttpReply | 'hangs')[]) {
  const server = await startHttpServer(() => answers.shift() ?? OK);
  servers.push(server);
  return server;
}
const clientOf = (server: HttpServer, options = {}) =>
  createClient({ baseUrl: `${server.url}/`, retries: { firstWaitMs: 1 }, ...options });
const confirm = (client: ReturnType<typeof clientOf>) =>
  client.confirmRedemption({ walletId: 'w', body: { pointsToRedeem: 1 } });

describe('retries', () => {
  it('wait as long as Retry-After says, and no less', async () => {
    const server = await serviceWith(busy({ 'retry-after': '1' }), OK);
    const began = performance.now();
    expect(await clientOf(server).listWallets()).toEqual([]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    expect(server.requests).toHaveLength(2);
  });

  it('understand a date, and do not wait for one that is past', async () => {
    const past = new Date(Date.now() - 60_000).toUTCString();
    const server = await serviceWith(busy({ 'retry-after': past }), OK);
    expect(await clientOf(server).listWallets()).toEqual([]);
    const soon = new Date(Date.now() + 3_600_000).toUTCString();
    const other = await serviceWith(busy({ 'retry-after': soon }));
    await expect(clientOf(other).listWallets()).rejects.toMatchObject({
      retryAfterSeconds: expect.closeTo(3600, -1),
    });
  });

  it('leave a longer time to the caller, who is told it', async () => {
    const server = await serviceWith(busy({ 'retry-after': '60' }));
    const call = clientOf(server).listWallets();
    await expect(call).rejects.toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      retryAfterSeconds: 60,
      correlationId: 'r-1',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('end after four attempts, with the last answer', async () => {
    const down: HttpReply = {
      status: 503,
      body: '<html>',
      headers: { 'content-type': 'text/html' },
    };
    const server = await serviceWith(down, down, down, down, OK);
    const error = await clientOf(server)
      .listWallets()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 503, code: 'UNEXPECTED_ANSWER' });
    expect(server.requests).toHaveLength(4);
  });

  it('keep the key of a write, and give each write one of its own', async () => {
    const running = { status: 409, body: {}, headers: { 'retry-after': '0' } };
    const server = await serviceWith({ status: 502 }, running, OK, OK);
    const client = clientOf(server);
    await confirm(client);
    await confirm(client);
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
    expect(server.requests.map(({ body }) => body)).toEqual(Array(4).fill('{"pointsToRedeem":1}'));
  });

  it('are not made for a write that takes no key, even if one was given', async () => {
    const server = await serviceWith({ status: 502 }, OK);
    const call = clientOf(server).lookupRedemption(
      { body: { code: '0123456789AB' } },
      { idempotencyKey: 'mine' },
    );
    await expect(call).rejects.toBeInstanceOf(LoyaltyError);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers['idempotency-key']).toBeUndefined();
  });

  it.each([400, 403, 404, 409, 422])('are not made after %s', async (status) => {
    const server = await serviceWith({ status, body: {} }, OK);
    await expect(confirm(clientOf(server))).rejects.toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  it('follow an attempt that takes too long', async () => {
    const server = await serviceWith('hangs', OK);
    expect(await clientOf(server, { timeoutMs: 100 }).listWallets()).toEqual([]);
    const dead = await serviceWith('hangs', 'hangs');
    const client = clientOf(dead, { timeoutMs: 50, retries: { attempts: 2, firstWaitMs: 1 } });
    const error = await client.listWallets().catch((thrown: unknown) => thrown);
    expect(isLoyaltyError(error) && error.message).toMatch(/^No answer in 50 ms: GET /);
  });

  it.each([
    [{ 'content-disposition': 'attachment; filename="a.json"' }, 1],
    [{}, 2],
  ])('with %j: an answer that comes slowly is asked for %i times', async (headers, times) => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.write('[');
      setTimeout(() => response.end(']'), 400);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.int() }).parse(server.address());
    const retries = { attempts: 2, firstWaitMs: 1 };
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 200, retries });
    const answer = await client.listWallets().catch((error: unknown) => error);
    expect([answer, asked]).toEqual([times === 1 ? [] : expect.any(LoyaltyError), times]);
    server.closeAllConnections();
    server.close();
  });

  it('are not made for a download that breaks off: each may count, as those of a day', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      const headers = { 'content-disposition': 'attachment; filename="a.json"' };
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.write('[', () => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.int() }).parse(server.address());
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      retries: { firstWaitMs: 1 },
    });
    await expect(client.exportOwnData()).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(asked).toBe(1);
    server.close();
  });

  it('follow one also when garbage was collected while it waited', async () => {
    const server = await serviceWith('hangs', OK);
    // Longer than the garbage of a process with many test files takes.
    const call = clientOf(server, { timeoutMs: 3_000 }).listWallets();
    await expect.poll(() => server.requests.length).toBe(1);
    await collectGarbage();
    expect(await call).toEqual([]);
  });
});

describe('a signal', () => {
  it('ends a call that waits for its answer, also when garbage was collected', async () => {
    const server = await serviceWith('hangs');
    const leave = new AbortController();
    const call = clientOf(server).listWallets({}, { signal: leave.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    await collectGarbage();
    leave.abort(new Error('The screen was left.'));
    await expect(call).rejects.toThrow('The screen was left.');
    expect(server.requests).toHaveLength(1);
  });

  it('ends the wait for the next attempt', async () => {
    const server = await serviceWith(busy({ 'retry-after': '15' }));
    const leave = new AbortController();
    const call = clientOf(server).listWallets({}, { signal: leave.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    leave.abort(new Error('The screen was left.'));
    await expect(call).rejects.toThrow('The screen was left.');
  });

  it('ends a call before it is made', async () => {
    const server = await serviceWith();
    const call = clientOf(server).listWallets({}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.requests).toHaveLength(0);
  });
});
