import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Beta, betaOrigins, createBeta } from '../../../../gateways/providers/beta/client.ts';
import { betaClient } from '../../../../gateways/providers/beta/index.ts';
import { InvalidPayload, ProviderError } from '../../../../gateways/providers/shared/error.ts';
import {
  type HttpReply,
  type HttpServer,
  startHttpServer,
} from '../../../support/http/http-server.ts';
import { unconfiguredOAuth } from '../../../support/providers/oauth.ts';

const MERCHANT = 'BETAMERCH0001';
const BELOW = `/v3/merchants/${MERCHANT}`;
const PAYMENT = {
  id: 'BETAPAY000001',
  amount: 1250,
  tipAmount: 150,
  result: 'SUCCESS',
  offline: false,
  createdTime: 1768471200000,
  modifiedTime: 1768471203000,
  order: { id: 'BETAORD000001', currency: 'EUR' },
};

let server: HttpServer;
let responses: Map<string, HttpReply>;
let beta: Beta;
beforeEach(async () => {
  responses = new Map();
  const notFound = { status: 404, body: { message: 'Not Found', details: 'Customer not found' } };
  server = await startHttpServer(({ path }) => responses.get(path.split('?')[0] ?? '') ?? notFound);
  beta = at(server.url);
});
afterEach(() => server.close());

function at(apiOrigin: string): Beta {
  return createBeta({ environment: 'sandbox', region: 'na', apiOrigin });
}

const respond = (path: string, body: unknown) =>
  responses.set(`${BELOW}${path}`, { status: 200, body });
const requested = () => server.requests.map(({ path }) => path);

async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof ProviderError) return error;
  throw new Error(`Expected a ProviderError, got ${String(error)}.`);
}

describe('betaOrigins', () => {
  it.each([
    { environment: 'sandbox', region: 'na', web: 'sandbox.dev', api: 'apisandbox.dev' },
    { environment: 'sandbox', region: 'eu', web: 'sandbox.dev', api: 'apisandbox.dev' },
    { environment: 'sandbox', region: 'la', web: 'sandbox.dev', api: 'apisandbox.dev' },
    { environment: 'production', region: 'na', web: 'www', api: 'api' },
    { environment: 'production', region: 'eu', web: 'www.eu', api: 'api.eu' },
    { environment: 'production', region: 'la', web: 'www.la', api: 'api.la' },
  ] as const)('$environment $region: $web, $api', ({ environment, region, web, api }) => {
    expect(betaOrigins({ environment, region })).toEqual({
      web: `https://${web}.clover.com`,
      api: `https://${api}.clover.com`,
    });
  });

  it('replaces each origin by the one given', () => {
    const location = { environment: 'sandbox', region: 'na' } as const;
    expect(betaOrigins({ ...location, apiOrigin: 'http://127.0.0.1:1' })).toEqual({
      web: 'https://sandbox.dev.clover.com',
      api: 'http://127.0.0.1:1',
    });
    expect(betaOrigins({ ...location, webOrigin: 'http://127.0.0.1:2' })).toEqual({
      web: 'http://127.0.0.1:2',
      api: 'https://apisandbox.dev.clover.com',
    });
  });
});

describe('findAccount', () => {
  const found = () =>
    betaClient({ api: beta, oauth: unconfiguredOAuth.beta }).findAccount('token', MERCHANT);

  it('returns the account that was asked for', async () => {
    respond('', { id: MERCHANT, name: 'Shop', defaultCurrency: 'EUR' });
    expect(await found()).toEqual({ name: 'Shop', currency: 'EUR', country: null });
  });

  it.each(['BETAMERCH0002', MERCHANT.toLowerCase()])(
    'returns null for the account %s, which webhooks name otherwise',
    async (id) => {
      respond('', { id, name: 'Shop', defaultCurrency: 'EUR' });
      expect(await found()).toBeNull();
    },
  );
});

describe('a request', () => {
  it('of each kind has the path, the expansions and the token that beta expects', async () => {
    respond('', { id: MERCHANT, defaultCurrency: 'EUR' });
    respond('/payments/BETAPAY000001', PAYMENT);
    respond('/orders/BETAORD000001', { id: 'BETAORD000001' });
    respond('/customers/BETACUST00001', { id: 'BETACUST00001' });
    await beta.findMerchant('token', MERCHANT);
    await beta.findPayment('token', MERCHANT, 'BETAPAY000001');
    await beta.findOrder('token', MERCHANT, 'BETAORD000001');
    await beta.findOrder('token', MERCHANT, 'BETAORD000001', { withPayments: true });
    await beta.findCustomer('token', MERCHANT, 'BETACUST00001');
    expect(requested()).toEqual([
      `${BELOW}?expand=properties%2Caddress`,
      `${BELOW}/payments/BETAPAY000001?expand=order%2Crefunds`,
      `${BELOW}/orders/BETAORD000001?expand=customers`,
      `${BELOW}/orders/BETAORD000001?expand=customers%2Cpayments`,
      `${BELOW}/customers/BETACUST00001?expand=emailAddresses%2CphoneNumbers`,
    ]);
    for (const { method, headers } of server.requests) {
      expect([method, headers.authorization]).toEqual(['GET', 'Bearer token']);
    }
  });

  it.each(['..', '.', '', 'a/b', 'a?b', 'a#b', '%2e%2e', 'é', 'x'.repeat(65)])(
    'is not sent for the id "%s"',
    async (id) => {
      expect(await beta.findMerchant('token', id)).toBeNull();
      expect(await beta.findOrder('token', MERCHANT, id)).toBeNull();
      expect(await beta.findCustomer('token', MERCHANT, id)).toBeNull();
      await expect(beta.findPayment('token', MERCHANT, id)).rejects.toThrow(InvalidPayload);
      expect(requested()).toEqual([]);
    },
  );
});

describe('a resource that does not exist', () => {
  it('is null; a payment throws, because it may not be readable yet', async () => {
    expect(await beta.findMerchant('token', MERCHANT)).toBeNull();
    expect(await beta.findOrder('token', MERCHANT, 'O1')).toBeNull();
    expect(await beta.findCustomer('token', MERCHANT, 'C1')).toBeNull();
    const error = await failure(beta.findPayment('token', MERCHANT, 'BETAPAY000001'));
    expect(error).toMatchObject({ status: 404, isTransient: true });
    respond('/payments/BETAPAY000001', PAYMENT);
    expect(await beta.findPayment('token', MERCHANT, 'BETAPAY000001')).toMatchObject({
      providerPaymentId: 'BETAPAY000001',
      state: 'settled',
      amountMinorUnits: 1250,
    });
  });
});

describe('an error response', () => {
  const refuse = (said: HttpReply) => responses.set(`${BELOW}/customers/C1`, said);
  const find = () => failure(beta.findCustomer('token', MERCHANT, 'C1'));

  it('401: a bad token or a missing permission, not transient', async () => {
    refuse({ status: 401, body: { message: '401 Unauthorized' } });
    const error = await find();
    expect(error).toMatchObject({ status: 401, isTransient: false, code: null });
    expect(JSON.stringify(error)).not.toContain('token');
  });

  it('5xx: transient', async () => {
    refuse({ status: 503 });
    expect(await find()).toMatchObject({ status: 503, isTransient: true });
  });

  it('429: transient, and the token pauses for as long as beta asked', async () => {
    refuse({ status: 429, headers: { 'retry-after': '60' } });
    expect(await find()).toMatchObject({ status: 429, isTransient: true, retryAfterMs: 60_000 });
    respond('', { id: MERCHANT });
    const error = await failure(beta.findMerchant('token', MERCHANT));
    expect(error).toMatchObject({ status: 429, isTransient: true });
    expect(error.retryAfterMs).toBeGreaterThan(0);
    expect(requested()).toHaveLength(1);
    expect(await beta.findMerchant('another token', MERCHANT)).toMatchObject({ id: MERCHANT });
  });

  it('InvalidPayload for an unexpected shape, without the values in it', async () => {
    respond('/customers/C1', { id: 'C1', emailAddresses: [{ emailAddress: ['ada@example.com'] }] });
    const error: unknown = await beta
      .findCustomer('token', MERCHANT, 'C1')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidPayload);
    expect(String(error)).not.toContain('ada@');
  });
});

describe('findCurrency', () => {
  it('asks once for each merchant, even for concurrent calls', async () => {
    respond('', { id: MERCHANT, defaultCurrency: 'EUR' });
    responses.set('/v3/merchants/M2', { status: 200, body: { id: 'M2', defaultCurrency: 'USD' } });
    const concurrent = Array.from({ length: 5 }, () => beta.findCurrency('token', MERCHANT));
    expect(await Promise.all(concurrent)).toEqual(Array(5).fill('EUR'));
    expect(await beta.findCurrency('token', 'M2')).toBe('USD');
    expect(await beta.findCurrency('token', MERCHANT)).toBe('EUR');
    expect(requested()).toHaveLength(2);
  });

  it('asks again after a failure or a missing currency', async () => {
    responses.set(BELOW, { status: 503 });
    await failure(beta.findCurrency('token', MERCHANT));
    respond('', { id: MERCHANT });
    expect(await beta.findCurrency('token', MERCHANT)).toBeNull();
    respond('', { id: MERCHANT, defaultCurrency: 'EUR' });
    expect(await beta.findCurrency('token', MERCHANT)).toBe('EUR');
    expect(requested()).toHaveLength(3);
  });
});

describe('concurrent requests', () => {
  it('are at most five for a token and ten in total', async () => {
    const held: ServerResponse[] = [];
    const open: string[] = [];
    const peak = { total: 0, ofOne: 0 };
    const slow = createServer((request, response) => {
      open.push(`${request.headers.authorization}`);
      held.push(response);
      peak.total = Math.max(peak.total, open.length);
      peak.ofOne = Math.max(peak.ofOne, open.filter((token) => token === 'Bearer a').length);
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const address = slow.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    beta = at(`http://127.0.0.1:${port}`);
    const tokens = ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c', 'd'];
    const calls = tokens.map((token) => beta.findMerchant(token, MERCHANT));
    await expect.poll(() => open.length).toBe(10);
    const answering = async () => {
      for (let answered = 0; answered < calls.length; ) {
        if (held.length > 0) answered++;
        open.shift();
        held.shift()?.end(JSON.stringify({ id: MERCHANT }));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const [found] = await Promise.all([Promise.all(calls), answering()]);
    expect(found).toHaveLength(13);
    expect(peak).toEqual({ total: 10, ofOne: 5 });
    slow.close();
    slow.closeAllConnections();
  });
});
