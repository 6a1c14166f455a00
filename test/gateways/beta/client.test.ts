import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Beta, betaOrigins, createBeta } from '../../../gateways/beta/client.ts';
import { InvalidPayload, ProviderError } from '../../../gateways/provider/error.ts';
import { type HttpReply, type HttpServer, startHttpServer } from '../../support/http-server.ts';

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
let answers: Map<string, HttpReply>;
let beta: Beta;
beforeEach(async () => {
  answers = new Map();
  const nothing = { status: 404, body: { message: 'Not Found', details: 'Customer not found' } };
  server = await startHttpServer(({ path }) => answers.get(path.split('?')[0] ?? '') ?? nothing);
  beta = at(server.url);
});
afterEach(() => server.close());

function at(apiOrigin: string): Beta {
  return createBeta({ environment: 'sandbox', region: 'na', apiOrigin, maxConcurrency: 4 });
}

const says = (path: string, body: unknown) => answers.set(`${BELOW}${path}`, { status: 200, body });
const asked = () => server.requests.map(({ path }) => path);

async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof ProviderError) return error;
  throw new Error(`Expected a ProviderError, got ${String(error)}.`);
}

describe('where beta is', () => {
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

  it('is each where it is said to be', () => {
    const place = { environment: 'sandbox', region: 'na' } as const;
    expect(betaOrigins({ ...place, apiOrigin: 'http://127.0.0.1:1' })).toEqual({
      web: 'https://sandbox.dev.clover.com',
      api: 'http://127.0.0.1:1',
    });
    expect(betaOrigins({ ...place, webOrigin: 'http://127.0.0.1:2' })).toEqual({
      web: 'http://127.0.0.1:2',
      api: 'https://apisandbox.dev.clover.com',
    });
  });
});

describe('a request', () => {
  it('of each kind has the address, the expansions and the token that beta wants', async () => {
    says('', { id: MERCHANT, defaultCurrency: 'EUR' });
    says('/payments/BETAPAY000001', PAYMENT);
    says('/orders/BETAORD000001', { id: 'BETAORD000001' });
    says('/customers/BETACUST00001', { id: 'BETACUST00001' });
    await beta.findMerchant('token', MERCHANT);
    await beta.findPayment('token', MERCHANT, 'BETAPAY000001');
    await beta.findOrder('token', MERCHANT, 'BETAORD000001');
    await beta.findOrder('token', MERCHANT, 'BETAORD000001', { withPayments: true });
    await beta.findCustomer('token', MERCHANT, 'BETACUST00001');
    expect(asked()).toEqual([
      `${BELOW}?expand=properties`,
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
    'is never made of an id like "%s"',
    async (id) => {
      expect(await beta.findMerchant('token', id)).toBeNull();
      expect(await beta.findOrder('token', MERCHANT, id)).toBeNull();
      expect(await beta.findCustomer('token', MERCHANT, id)).toBeNull();
      await expect(beta.findPayment('token', MERCHANT, id)).rejects.toThrow(InvalidPayload);
      expect(asked()).toEqual([]);
    },
  );
});

describe('what is not there', () => {
  it('is null, but for a payment, which may be on its way', async () => {
    expect(await beta.findMerchant('token', MERCHANT)).toBeNull();
    expect(await beta.findOrder('token', MERCHANT, 'O1')).toBeNull();
    expect(await beta.findCustomer('token', MERCHANT, 'C1')).toBeNull();
    const error = await failure(beta.findPayment('token', MERCHANT, 'BETAPAY000001'));
    expect(error).toMatchObject({ status: 404, isTransient: true });
    says('/payments/BETAPAY000001', PAYMENT);
    expect(await beta.findPayment('token', MERCHANT, 'BETAPAY000001')).toMatchObject({
      providerPaymentId: 'BETAPAY000001',
      state: 'settled',
      amountMinorUnits: 1250,
    });
  });
});

describe('what went wrong', () => {
  const refuse = (said: HttpReply) => answers.set(`${BELOW}/customers/C1`, said);
  const find = () => failure(beta.findCustomer('token', MERCHANT, 'C1'));

  it('401: the token or a permission, and asking again is of no use', async () => {
    refuse({ status: 401, body: { message: '401 Unauthorized' } });
    const error = await find();
    expect(error).toMatchObject({ status: 401, isTransient: false, code: null });
    expect(JSON.stringify(error)).not.toContain('token');
  });

  it('5xx: transient', async () => {
    refuse({ status: 503 });
    expect(await find()).toMatchObject({ status: 503, isTransient: true });
  });

  it('429: transient, and the token is left alone for as long as beta says', async () => {
    refuse({ status: 429, headers: { 'retry-after': '60' } });
    expect(await find()).toMatchObject({ status: 429, isTransient: true, retryAfterMs: 60_000 });
    says('', { id: MERCHANT });
    const error = await failure(beta.findMerchant('token', MERCHANT));
    expect(error).toMatchObject({ status: 429, isTransient: true });
    expect(error.retryAfterMs).toBeGreaterThan(0);
    expect(asked()).toHaveLength(1);
    expect(await beta.findMerchant('another token', MERCHANT)).toMatchObject({ id: MERCHANT });
  });

  it('an answer that is none of beta’s is an InvalidPayload, without the values in it', async () => {
    says('/customers/C1', { id: 'C1', emailAddresses: [{ emailAddress: ['ada@example.com'] }] });
    const error: unknown = await beta
      .findCustomer('token', MERCHANT, 'C1')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidPayload);
    expect(String(error)).not.toContain('ada@');
  });
});

describe('findCurrency', () => {
  it('asks once for each merchant, also when it is wanted many times at once', async () => {
    says('', { id: MERCHANT, defaultCurrency: 'EUR' });
    answers.set('/v3/merchants/M2', { status: 200, body: { id: 'M2', defaultCurrency: 'USD' } });
    const wanted = Array.from({ length: 5 }, () => beta.findCurrency('token', MERCHANT));
    expect(await Promise.all(wanted)).toEqual(Array(5).fill('EUR'));
    expect(await beta.findCurrency('token', 'M2')).toBe('USD');
    expect(await beta.findCurrency('token', MERCHANT)).toBe('EUR');
    expect(asked()).toHaveLength(2);
  });

  it('asks again for what it could not have', async () => {
    answers.set(BELOW, { status: 503 });
    await failure(beta.findCurrency('token', MERCHANT));
    says('', { id: MERCHANT });
    expect(await beta.findCurrency('token', MERCHANT)).toBeNull();
    says('', { id: MERCHANT, defaultCurrency: 'EUR' });
    expect(await beta.findCurrency('token', MERCHANT)).toBe('EUR');
    expect(asked()).toHaveLength(3);
  });
});

describe('requests at once', () => {
  it('are three for a token and four altogether', async () => {
    const held: ServerResponse[] = [];
    const out: string[] = [];
    const most = { all: 0, ofOne: 0 };
    const slow = createServer((request, response) => {
      out.push(`${request.headers.authorization}`);
      held.push(response);
      most.all = Math.max(most.all, out.length);
      most.ofOne = Math.max(most.ofOne, out.filter((who) => who === 'Bearer a').length);
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const address = slow.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    beta = at(`http://127.0.0.1:${port}`);
    const calls = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map((token) =>
      beta.findMerchant(token, MERCHANT),
    );
    await expect
      .poll(() => out.toSorted())
      .toEqual(['Bearer a', 'Bearer a', 'Bearer a', 'Bearer b']);
    const answering = async () => {
      for (let answered = 0; answered < calls.length; ) {
        if (held.length > 0) answered++;
        out.shift();
        held.shift()?.end(JSON.stringify({ id: MERCHANT }));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const [found] = await Promise.all([Promise.all(calls), answering()]);
    expect(found).toHaveLength(7);
    expect(most).toEqual({ all: 4, ofOne: 3 });
    slow.close();
    slow.closeAllConnections();
  });
});
