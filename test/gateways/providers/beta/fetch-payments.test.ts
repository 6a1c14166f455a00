import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBeta } from '../../../../gateways/providers/beta/client.ts';
import { fetchBetaPayments } from '../../../../gateways/providers/beta/fetch-payments.ts';
import { InvalidPayload } from '../../../../gateways/providers/shared/error.ts';
import {
  type HttpReply,
  type HttpServer,
  startHttpServer,
} from '../../../support/http/http-server.ts';

const MERCHANT = 'BETAMERCH0001';
const RECORDED =
  '{"appId":"BETAAPP000001","merchants":{"BETAMERCH0001":[{"objectId":"O:BETAORD000001",' +
  '"type":"UPDATE","ts":1768471199000},{"objectId":"P:BETAPAY000001","type":"CREATE",' +
  '"ts":1768471200000},{"objectId":"P:BETAPAY000001","type":"UPDATE","ts":1768471203000}]}}';
const PAYMENT = JSON.parse(
  '{"id":"BETAPAY000001","order":{"id":"BETAORD000001","currency":"EUR","total":1250,' +
    '"state":"locked","paymentState":"PAID"},' +
    '"device":{"id":"1f6c2f0e-3c1a-4e0b-9c58-0d8f5f0a7c11"},"tender":{"id":"BETATEND00001"},' +
    '"amount":1250,"tipAmount":150,"taxAmount":208,"cashbackAmount":0,' +
    '"employee":{"id":"BETAEMPL00001"},"createdTime":1768471200000,' +
    '"clientCreatedTime":1768471199500,"modifiedTime":1768471203000,"offline":false,' +
    '"result":"SUCCESS","refunds":{"elements":[]}}',
);
const ORDER = JSON.parse(
  '{"id":"BETAORD000001","currency":"EUR","total":1250,"state":"locked",' +
    '"paymentState":"PAID","customers":{"elements":[{"id":"BETACUST00001","firstName":"Ada",' +
    '"lastName":"Byron"}]}}',
);
const CUSTOMER = JSON.parse(
  '{"id":"BETACUST00001","firstName":"Ada","lastName":"Byron",' +
    '"emailAddresses":{"elements":[{"id":"BETAMAIL00001","emailAddress":"Ada@Example.com",' +
    '"primaryEmail":true}]},"phoneNumbers":{"elements":[{"id":"BETAPHON00001",' +
    '"phoneNumber":"(212) 555-0101"}]}}',
);
const ADA = {
  providerCustomerId: 'BETACUST00001',
  email: 'Ada@Example.com',
  phone: '(212) 555-0101',
};
const NO_CUSTOMER = { providerCustomerId: null, email: null, phone: null };

let server: HttpServer;
let answers: Map<string, HttpReply>;
let decided: string[];
let stop: AbortController;
/** Ends the attempt with the request of that number. */
let stopsAt: number;
let fetchFor: (body: string | Buffer) => ReturnType<typeof fetchBetaPayments>;
beforeEach(async () => {
  const nothing = { status: 404, body: { message: 'Not Found' } };
  stop = new AbortController();
  stopsAt = Number.POSITIVE_INFINITY;
  server = await startHttpServer(({ path }) => {
    if (server.requests.length >= stopsAt) stop.abort();
    return answers.get(pathOf(path)) ?? nothing;
  });
  answers = new Map();
  decided = [];
  serve('/payments/BETAPAY000001', PAYMENT);
  serve('/orders/BETAORD000001', ORDER);
  serve('/customers/BETACUST00001', CUSTOMER);
  serve('', { id: MERCHANT, defaultCurrency: 'GBP' });
  const beta = createBeta({
    environment: 'sandbox',
    region: 'na',
    apiOrigin: server.url,
  });
  const isDecided = async (id: string) => decided.includes(id);
  fetchFor = (body) =>
    fetchBetaPayments(
      { beta, isDecided, signal: stop.signal },
      { merchantId: MERCHANT },
      'token',
      Buffer.from(body),
    );
});
afterEach(() => server.close());

const pathOf = (path: string) =>
  (path.split('?')[0] ?? '').replace(`/v3/merchants/${MERCHANT}`, '') || '/';
const serve = (path: string, body: unknown) => answers.set(path || '/', { status: 200, body });
const fail = (path: string, status: number) => answers.set(path || '/', { status });
const requestedPaths = () => server.requests.map(({ path }) => pathOf(path));
const eventAbout = (...objectIds: string[]) =>
  JSON.stringify({
    merchants: { [MERCHANT]: objectIds.map((objectId) => ({ objectId, type: 'UPDATE', ts: 1 })) },
  });

describe('fetchBetaPayments, for a payment', () => {
  it('requests only the payment when it has its consumer already', async () => {
    decided.push('BETAPAY000001');
    const { payments } = await fetchFor(eventAbout('P:BETAPAY000001'));
    expect(payments).toMatchObject([{ providerPaymentId: 'BETAPAY000001', currency: 'EUR' }]);
    expect(requestedPaths()).toEqual(['/payments/BETAPAY000001']);
  });

  it('returns the payment with the contacts of its order’s customer', async () => {
    expect(await fetchFor(eventAbout('P:BETAPAY000001'))).toEqual({
      failures: [],
      payments: [
        {
          provider: 'beta',
          providerPaymentId: 'BETAPAY000001',
          state: 'settled',
          amountMinorUnits: 1250,
          tipMinorUnits: 150,
          refundedMinorUnits: 0,
          currency: 'EUR',
          occurredAt: new Date('2026-01-15T10:00:00.000Z'),
          changedAt: new Date('2026-01-15T10:00:03.000Z'),
          locationId: null,
          ...ADA,
        },
      ],
    });
    expect(requestedPaths()).toEqual([
      '/payments/BETAPAY000001',
      '/orders/BETAORD000001',
      '/customers/BETACUST00001',
    ]);
  });

  it('requests each object once when the body names it several times', async () => {
    serve('/orders/BETAORD000001', { ...ORDER, payments: { elements: [PAYMENT] } });
    const { payments } = await fetchFor(RECORDED);
    expect(payments).toMatchObject([{ providerPaymentId: 'BETAPAY000001', ...ADA }]);
    expect(requestedPaths().sort()).toEqual([
      '/customers/BETACUST00001',
      '/orders/BETAORD000001',
      '/payments/BETAPAY000001',
    ]);
  });

  it('does not request the order when the payment includes its customers', async () => {
    const { customers } = ORDER;
    serve('/payments/BETAPAY000001', { ...PAYMENT, order: { ...PAYMENT.order, customers } });
    expect((await fetchFor(eventAbout('P:BETAPAY000001'))).payments).toMatchObject([ADA]);
    expect(requestedPaths()).toEqual(['/payments/BETAPAY000001', '/customers/BETACUST00001']);
  });

  it.each([
    ['the order is unknown', () => fail('/orders/BETAORD000001', 404)],
    ['the order has no customer', () => serve('/orders/BETAORD000001', { id: 'BETAORD000001' })],
    ['there is no order', () => serve('/payments/BETAPAY000001', { ...PAYMENT, order: {} })],
  ])('returns the payment without a customer when %s', async (_, given) => {
    given();
    expect(await fetchFor(eventAbout('P:BETAPAY000001'))).toMatchObject({
      failures: [],
      payments: [NO_CUSTOMER],
    });
  });

  it.each([
    ['is deleted', () => fail('/customers/BETACUST00001', 404)],
    ['has none', () => serve('/customers/BETACUST00001', { id: 'BETACUST00001' })],
    ['may not be read', () => fail('/customers/BETACUST00001', 401)],
  ])('returns the payment without contacts when the customer %s', async (_, given) => {
    given();
    const { payments, failures } = await fetchFor(eventAbout('P:BETAPAY000001'));
    expect(failures).toEqual([]);
    expect(payments).toMatchObject([{ email: null, phone: null }]);
  });

  it('requests only the payment when it was never settled', async () => {
    for (const result of ['AUTH', 'FAIL']) {
      serve('/payments/BETAPAY000001', { ...PAYMENT, result });
      const { payments } = await fetchFor(eventAbout('P:BETAPAY000001'));
      expect(payments).toMatchObject([{ currency: 'EUR', ...NO_CUSTOMER }]);
    }
    expect(requestedPaths()).toEqual(['/payments/BETAPAY000001', '/payments/BETAPAY000001']);
  });

  it('returns the customer when the payment is voided', async () => {
    serve('/payments/BETAPAY000001', { ...PAYMENT, result: 'VOIDED' });
    const { payments } = await fetchFor(eventAbout('P:BETAPAY000001'));
    expect(payments).toMatchObject([{ state: 'voided', ...ADA }]);
  });
});

describe('fetchBetaPayments, for the currency', () => {
  const currencies = async () =>
    (await fetchFor(eventAbout('P:BETAPAY000001'))).payments.map(({ currency }) => currency);
  const withoutCurrency = () => {
    serve('/payments/BETAPAY000001', { ...PAYMENT, order: { id: 'BETAORD000001' } });
    serve('/orders/BETAORD000001', { ...ORDER, currency: undefined });
  };

  it('uses the order’s currency when the payment has none', async () => {
    serve('/payments/BETAPAY000001', { ...PAYMENT, order: { id: 'BETAORD000001' } });
    expect(await currencies()).toEqual(['EUR']);
  });

  it('requests the merchant’s currency once when the order has none either', async () => {
    withoutCurrency();
    expect(await currencies()).toEqual(['GBP']);
    expect(await currencies()).toEqual(['GBP']);
    expect(requestedPaths().filter((path) => path === '/')).toHaveLength(1);
  });

  it('fails the payment when there is no currency', async () => {
    withoutCurrency();
    serve('', { id: MERCHANT });
    const { payments, failures } = await fetchFor(eventAbout('P:BETAPAY000001'));
    expect([payments, failures]).toEqual([[], [expect.any(InvalidPayload)]]);
  });
});

describe('fetchBetaPayments, for an order', () => {
  it('returns the payments when the order has a customer', async () => {
    const second = { ...PAYMENT, id: 'BETAPAY000002' };
    serve('/payments/BETAPAY000002', second);
    serve('/orders/BETAORD000001', { ...ORDER, payments: { elements: [PAYMENT, second] } });
    const { payments } = await fetchFor(eventAbout('O:BETAORD000001'));
    expect(payments).toMatchObject([
      { providerPaymentId: 'BETAPAY000001', ...ADA },
      { providerPaymentId: 'BETAPAY000002', ...ADA },
    ]);
    expect(requestedPaths()).toHaveLength(4);
  });

  it.each([
    ['has no customer', () => serve('/orders/BETAORD000001', { ...ORDER, customers: [] })],
    ['is deleted', () => fail('/orders/BETAORD000001', 404)],
    ['may not be read', () => fail('/orders/BETAORD000001', 401)],
  ])('returns no payments when the order %s', async (_, given) => {
    given();
    expect(await fetchFor(eventAbout('O:BETAORD000001'))).toEqual({ payments: [], failures: [] });
  });
});

describe('fetchBetaPayments, for failures', () => {
  it('returns the other payments when some fail', async () => {
    serve('/payments/BETAPAY000002', { ...PAYMENT, id: 'BETAPAY000002', amount: -1 });
    const ids = ['P:BETAPAY000001', 'P:BETAPAY000002', 'P:BETAPAY000003', 'P:a/b'];
    const { payments, failures } = await fetchFor(eventAbout(...ids));
    expect(payments).toMatchObject([{ providerPaymentId: 'BETAPAY000001' }]);
    expect(failures).toEqual([
      new InvalidPayload('Invalid beta payload: amount.'),
      expect.objectContaining({ status: 404, isTransient: true }),
      expect.any(InvalidPayload),
    ]);
  });

  it('returns no payment when its customer is temporarily unavailable', async () => {
    fail('/customers/BETACUST00001', 503);
    expect(await fetchFor(eventAbout('P:BETAPAY000001'))).toMatchObject({
      payments: [],
      failures: [{ status: 503, isTransient: true }],
    });
  });

  it('fails the payment when the token is refused for the merchant too', async () => {
    fail('', 401);
    fail('/customers/BETACUST00001', 401);
    expect(await fetchFor(eventAbout('P:BETAPAY000001'))).toMatchObject({
      payments: [],
      failures: [{ status: 401, isTransient: false }],
    });
  });
});

describe('fetchBetaPayments, for an attempt that ends early', () => {
  it('returns the first payments with their customers, and not all without', async () => {
    const ids = Array.from({ length: 20 }, (_, nth) => `BETAPAY0001${nth + 10}`);
    for (const id of ids) {
      const { customers, ...order } = { ...ORDER, id: `ORDEROF${id}` };
      serve(`/payments/${id}`, { ...PAYMENT, id, order });
      serve(`/orders/${order.id}`, { ...order, customers });
    }
    // Ten payments, their orders, and the one customer of all come before.
    stopsAt = 22;
    const { payments, failures } = await fetchFor(eventAbout(...ids.map((id) => `P:${id}`)));
    expect(payments).toMatchObject(
      ids.slice(0, 10).map((id) => ({ providerPaymentId: id, ...ADA })),
    );
    expect(failures).toHaveLength(10);
  });
});

describe('fetchBetaPayments, for a body', () => {
  it('sends no request when the body names other objects', async () => {
    const none = { payments: [], failures: [] };
    expect(await fetchFor(eventAbout('C:1', 'A:2', 'M:3'))).toEqual(none);
    expect(requestedPaths()).toEqual([]);
  });

  it('throws when the body is not from beta', async () => {
    await expect(fetchFor('{}')).rejects.toThrow(InvalidPayload);
  });
});
