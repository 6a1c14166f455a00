import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAlpha } from '../../../../gateways/providers/alpha/client.ts';
import { InvalidPayload, ProviderError } from '../../../../gateways/providers/shared/error.ts';
import { type AlphaSimulator, startAlpha } from '../../../../sandbox/providers/alpha/simulator.ts';

let simulator: AlphaSimulator;
let token: string;
beforeEach(async () => {
  simulator = await startAlpha({
    port: 0,
    appId: 'app',
    appSecret: 'secret',
    signatureKey: 'key',
    seed: 5,
    webhookUrl: 'http://127.0.0.1:9/nobody',
  });
  simulator.addMerchant({ id: 'ML1', name: 'One' });
  token = simulator.issueToken('ML1').accessToken;
});
afterEach(() => simulator.stop());

const at = (origin: string) => createAlpha({ environment: 'sandbox', origin });
const find = (id: string, bearer = token) => at(simulator.url).findCustomer(bearer, id);
const aCustomer = (email?: string, phone?: string) =>
  simulator.addCustomer({
    merchantId: 'ML1',
    givenName: 'Ada',
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
  }).id;

async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof ProviderError) return error;
  throw new Error(`Expected a ProviderError, got ${String(error)}.`);
}

describe('findCustomer', () => {
  it('returns the contacts as the customer wrote them', async () => {
    const id = aCustomer('Ada@Example.com', '+1-212-555-0101');
    expect(await find(id)).toEqual({ email: 'Ada@Example.com', phone: '+1-212-555-0101' });
  });

  it('returns no contacts for an instant profile', async () => {
    expect(await find(aCustomer())).toEqual({ email: null, phone: null });
  });

  it('follows a merge to the remaining customer', async () => {
    const [from, into] = [aCustomer('old@example.com'), aCustomer('new@example.com')];
    simulator.mergeCustomers(from, into);
    expect(await find(from)).toMatchObject({ email: 'new@example.com' });
  });

  it.each(['', '.', '..'])('sends no request for the id %j, which is another path', async (id) => {
    expect(await find(id)).toBeNull();
    expect(await at(simulator.url).findPayment(token, id)).toBeNull();
    expect(simulator.journal().filter(({ kind }) => kind === 'request')).toEqual([]);
  });

  it('returns null for an unknown customer and for one of another merchant', async () => {
    simulator.addMerchant({ id: 'ML2', name: 'Two' });
    const other = simulator.addCustomer({ merchantId: 'ML2', email: 'x@example.com' });
    expect(await find('NONE')).toBeNull();
    expect(await find(other.id)).toBeNull();
  });

  it('returns null without permission to read customers', async () => {
    const id = aCustomer('ada@example.com');
    const { accessToken } = simulator.issueToken('ML1', { scopes: ['PAYMENTS_READ'] });
    expect(await find(id, accessToken)).toBeNull();
  });

  it('escapes the id, so that it can address only that customer', async () => {
    expect(await find('a/b?c#d e')).toBeNull();
    expect(simulator.journal()).toMatchObject([
      { method: 'GET', url: '/v2/customers/a%2Fb%3Fc%23d%20e', status: 404 },
    ]);
  });
});

describe('an error response', () => {
  it('401: the token is revoked or unknown, not transient', async () => {
    simulator.revokeTokens('ML1');
    for (const bearer of [token, 'unknown']) {
      expect(await failure(find('C1', bearer))).toMatchObject({
        status: 401,
        isTransient: false,
        message: expect.stringMatching(
          /^alpha answered 401 ACCESS_TOKEN_REVOKED|^alpha answered 401 UNAUTHORIZED/,
        ),
      });
    }
  });

  it.each([
    { retryAfterSeconds: 7, retryAfterMs: 7_000 },
    { retryAfterSeconds: 0, retryAfterMs: undefined },
    { retryAfterSeconds: 86_400, retryAfterMs: 900_000 },
    { retryAfterSeconds: undefined, retryAfterMs: undefined },
  ])('429 with Retry-After $retryAfterSeconds: retry after $retryAfterMs ms', async (row) => {
    const { retryAfterSeconds, retryAfterMs } = row;
    simulator.fail({
      path: '/v2/customers',
      status: 429,
      code: 'RATE_LIMITED',
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
    const error = await failure(find('C1'));
    expect(error).toMatchObject({ status: 429, isTransient: true });
    expect(error.retryAfterMs).toBe(retryAfterMs);
  });

  it.each([500, 503])('%i: transient, and the next call succeeds', async (status) => {
    const id = aCustomer('ada@example.com');
    simulator.fail({ path: '/v2/customers', status, code: 'INTERNAL_SERVER_ERROR' });
    expect(await failure(find(id))).toMatchObject({ status, isTransient: true });
    expect(await find(id)).toMatchObject({ email: 'ada@example.com' });
  });

  it('400: not transient', async () => {
    simulator.fail({ path: '/v2/customers', status: 400, code: 'BAD_REQUEST' });
    expect(await failure(find('C1'))).toMatchObject({ status: 400, isTransient: false });
  });

  it('no connection: transient, without the token in the error', async () => {
    const { url } = simulator;
    await simulator.stop();
    const error = await failure(at(url).findCustomer(token, 'C1'));
    expect(error).toMatchObject({
      status: null,
      isTransient: true,
      message: 'alpha could not be reached.',
    });
    expect(JSON.stringify(error)).not.toContain(token);
  });
});

describe('an unexpected response', () => {
  let server: Server | undefined;
  afterEach(async () => {
    server?.close();
    server?.closeAllConnections();
    if (server?.listening) await once(server, 'close');
  });

  /** Starts a server with this listener and returns its origin. */
  async function startServer(listener: RequestListener): Promise<string> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    return `http://127.0.0.1:${address.port}`;
  }

  it('a redirect is not followed, so that the token is sent to nobody else', async () => {
    const id = aCustomer('ada@example.com');
    const origin = await startServer((request, response) => {
      response.writeHead(302, { location: `${simulator.url}${request.url}` }).end();
    });
    const error = await failure(at(origin).findCustomer(token, id));
    expect(error).toMatchObject({ status: null, isTransient: true });
    expect(simulator.journal()).toEqual([]);
  });

  it('a body that is not JSON is transient: a proxy may have sent it', async () => {
    const origin = await startServer((_, response) => response.end('<html>Please wait'));
    expect(await failure(at(origin).findCustomer(token, 'C1'))).toMatchObject({
      status: null,
      isTransient: true,
      message: 'alpha did not answer with JSON.',
    });
  });

  it('a truncated body is transient', async () => {
    const origin = await startServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"customer"');
      setImmediate(() => response.destroy());
    });
    expect(await failure(at(origin).findCustomer(token, 'C1'))).toMatchObject({
      status: null,
      isTransient: true,
    });
  });

  it('JSON of another shape is an InvalidPayload, without the values in it', async () => {
    const origin = await startServer((_, response) =>
      response.end('{"customer":{"email_address":["ada@example.com"]}}'),
    );
    const error = await at(origin)
      .findCustomer(token, 'C1')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidPayload);
    expect(String(error)).toContain('customer.email_address');
    expect(String(error)).not.toContain('ada@');
  });

  it('a Retry-After that is a date or invalid is ignored', async () => {
    for (const header of ['Wed, 21 Oct 2026 07:28:00 GMT', 'soon', '-5']) {
      const origin = await startServer((_, response) => {
        response.writeHead(429, { 'retry-after': header }).end();
      });
      expect((await failure(at(origin).findCustomer(token, 'C1'))).retryAfterMs).toBeUndefined();
      server?.close();
    }
  });
});

describe('ProviderError', () => {
  it.each([
    { status: null, isTransient: true },
    { status: 408, isTransient: true },
    { status: 429, isTransient: true },
    { status: 500, isTransient: true },
    { status: 599, isTransient: true },
    { status: 400, isTransient: false },
    { status: 401, isTransient: false },
    { status: 404, isTransient: false },
    { status: 304, isTransient: false },
  ])('isTransient is $isTransient for status $status', ({ status, isTransient }) => {
    expect(new ProviderError('x', status)).toMatchObject({ isTransient, name: 'ProviderError' });
  });
});
