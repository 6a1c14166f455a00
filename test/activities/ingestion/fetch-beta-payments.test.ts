import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchBetaPayments } from '../../../activities/ingestion/fetch-beta-payments.ts';
import { createBeta } from '../../../gateways/beta/client.ts';
import { InvalidPayload } from '../../../gateways/provider/error.ts';
import { type HttpReply, type HttpServer, startHttpServer } from '../../support/http-server.ts';

const MERCHANT = 'BETAMERCH0001';
const RECORDED =
  '{"appId":"BETAAPP000001","merchants":{"BETAMERCH0001":[{"objectId":"O:BETAORD000001","type":"UPDATE","ts":1768471199000},{"objectId":"P:BETAPAY000001","type":"CREATE","ts":1768471200000},{"objectId":"P:BETAPAY000001","type":"UPDATE","ts":1768471203000}]}}';
const PAYMENT = JSON.parse(
  '{"id":"BETAPAY000001","order":{"id":"BETAORD000001","currency":"EUR","total":1250,"state":"locked","paymentState":"PAID"},"device":{"id":"1f6c2f0e-3c1a-4e0b-9c58-0d8f5f0a7c11"},"tender":{"id":"BETATEND00001"},"amount":1250,"tipAmount":150,"taxAmount":208,"cashbackAmount":0,"employee":{"id":"BETAEMPL00001"},"createdTime":1768471200000,"clientCreatedTime":1768471199500,"modifiedTime":1768471203000,"offline":false,"result":"SUCCESS","refunds":{"elements":[]}}',
);
const ORDER = JSON.parse(
  '{"id":"BETAORD000001","currency":"EUR","total":1250,"state":"locked","paymentState":"PAID","customers":{"elements":[{"id":"BETACUST00001","firstName":"Ada","lastName":"Byron"}]}}',
);
const CUSTOMER = JSON.parse(
  '{"id":"BETACUST00001","firstName":"Ada","lastName":"Byron","emailAddresses":{"elements":[{"id":"BETAMAIL00001","emailAddress":"Ada@Example.com","primaryEmail":true}]},"phoneNumbers":{"elements":[{"id":"BETAPHON00001","phoneNumber":"(212) 555-0101"}]}}',
);
const ADA = {
  providerCustomerId: 'BETACUST00001',
  email: 'Ada@Example.com',
  phone: '(212) 555-0101',
};
const NOBODY = { providerCustomerId: null, email: null, phone: null };

let server: HttpServer;
let answers: Map<string, HttpReply>;
let decided: string[];
let fetchFor: (body: string | Buffer) => ReturnType<typeof fetchBetaPayments>;
beforeEach(async () => {
  const nothing = { status: 404, body: { message: 'Not Found' } };
  server = await startHttpServer(({ path }) => answers.get(pathIn(path)) ?? nothing);
  answers = new Map();
  decided = [];
  says('/payments/BETAPAY000001', PAYMENT);
  says('/orders/BETAORD000001', ORDER);
  says('/customers/BETACUST00001', CUSTOMER);
  says('', { id: MERCHANT, defaultCurrency: 'GBP' });
  const beta = createBeta({
    environment: 'sandbox',
    region: 'na',
    apiOrigin: server.url,
    maxConcurrency: 4,
  });
  const isDecided = async (id: string) => decided.includes(id);
  fetchFor = (body) =>
    fetchBetaPayments({ beta, isDecided }, { merchantId: MERCHANT }, 'token', Buffer.from(body));
});
afterEach(() => server.close());

const pathIn = (path: string) =>
  (path.split('?')[0] ?? '').replace(`/v3/merchants/${MERCHANT}`, '') || '/';
const says = (path: string, body: unknown) => answers.set(path || '/', { status: 200, body });
const refuses = (path: string, status: number) => answers.set(path || '/', { status });
const asked = () => server.requests.map(({ path }) => pathIn(path));
const about = (...objectIds: string[]) =>
  JSON.stringify({
    merchants: { [MERCHANT]: objectIds.map((objectId) => ({ objectId, type: 'UPDATE', ts: 1 })) },
  });

describe('a payment', () => {
  it('is asked for alone when it has its consumer already', async () => {
    decided.push('BETAPAY000001');
    const { payments } = await fetchFor(about('P:BETAPAY000001'));
    expect(payments).toMatchObject([{ providerPaymentId: 'BETAPAY000001', currency: 'EUR' }]);
    expect(asked()).toEqual(['/payments/BETAPAY000001']);
  });

  it('comes with the contacts of its order’s customer', async () => {
    expect(await fetchFor(about('P:BETAPAY000001'))).toEqual({
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
    expect(asked()).toEqual([
      '/payments/BETAPAY000001',
      '/orders/BETAORD000001',
      '/customers/BETACUST00001',
    ]);
  });

  it('comes once, and each thing is asked for once, however often the body names it', async () => {
    says('/orders/BETAORD000001', { ...ORDER, payments: { elements: [PAYMENT] } });
    const { payments } = await fetchFor(RECORDED);
    expect(payments).toMatchObject([{ providerPaymentId: 'BETAPAY000001', ...ADA }]);
    expect(asked().sort()).toEqual([
      '/customers/BETACUST00001',
      '/orders/BETAORD000001',
      '/payments/BETAPAY000001',
    ]);
  });

  it('that came along with its order’s customers needs no look at the order', async () => {
    const { customers } = ORDER;
    says('/payments/BETAPAY000001', { ...PAYMENT, order: { ...PAYMENT.order, customers } });
    expect((await fetchFor(about('P:BETAPAY000001'))).payments).toMatchObject([ADA]);
    expect(asked()).toEqual(['/payments/BETAPAY000001', '/customers/BETACUST00001']);
  });

  it.each([
    ['its order is unknown', () => refuses('/orders/BETAORD000001', 404)],
    ['its order has no customer', () => says('/orders/BETAORD000001', { id: 'BETAORD000001' })],
    ['it has no order', () => says('/payments/BETAPAY000001', { ...PAYMENT, order: {} })],
  ])('is of nobody when %s', async (_, given) => {
    given();
    expect(await fetchFor(about('P:BETAPAY000001'))).toMatchObject({
      failures: [],
      payments: [NOBODY],
    });
  });

  it.each([
    ['is gone', () => refuses('/customers/BETACUST00001', 404)],
    ['has none', () => says('/customers/BETACUST00001', { id: 'BETACUST00001' })],
    ['is not shown to us', () => refuses('/customers/BETACUST00001', 401)],
  ])('has no contacts when its customer %s', async (_, given) => {
    given();
    const { payments, failures } = await fetchFor(about('P:BETAPAY000001'));
    expect(failures).toEqual([]);
    expect(payments).toMatchObject([{ email: null, phone: null }]);
  });

  it('that neither is nor was settled costs one request', async () => {
    for (const result of ['AUTH', 'FAIL']) {
      says('/payments/BETAPAY000001', { ...PAYMENT, result });
      const { payments } = await fetchFor(about('P:BETAPAY000001'));
      expect(payments).toMatchObject([{ currency: 'EUR', ...NOBODY }]);
    }
    expect(asked()).toEqual(['/payments/BETAPAY000001', '/payments/BETAPAY000001']);
  });

  it('that was voided comes with its customer', async () => {
    says('/payments/BETAPAY000001', { ...PAYMENT, result: 'VOIDED' });
    const { payments } = await fetchFor(about('P:BETAPAY000001'));
    expect(payments).toMatchObject([{ state: 'voided', ...ADA }]);
  });
});

describe('the currency', () => {
  const currencies = async () =>
    (await fetchFor(about('P:BETAPAY000001'))).payments.map(({ currency }) => currency);
  const withoutCurrency = () => {
    says('/payments/BETAPAY000001', { ...PAYMENT, order: { id: 'BETAORD000001' } });
    says('/orders/BETAORD000001', { ...ORDER, currency: undefined });
  };

  it('is the order’s, where only that says it', async () => {
    says('/payments/BETAPAY000001', { ...PAYMENT, order: { id: 'BETAORD000001' } });
    expect(await currencies()).toEqual(['EUR']);
  });

  it('is else the merchant’s, who is asked once', async () => {
    withoutCurrency();
    expect(await currencies()).toEqual(['GBP']);
    expect(await currencies()).toEqual(['GBP']);
    expect(asked().filter((path) => path === '/')).toHaveLength(1);
  });

  it('is never made up', async () => {
    withoutCurrency();
    says('', { id: MERCHANT });
    const { payments, failures } = await fetchFor(about('P:BETAPAY000001'));
    expect([payments, failures]).toEqual([[], [expect.any(InvalidPayload)]]);
  });
});

describe('an order that changed', () => {
  it('brings its payments once it has a customer', async () => {
    const second = { ...PAYMENT, id: 'BETAPAY000002' };
    says('/payments/BETAPAY000002', second);
    says('/orders/BETAORD000001', { ...ORDER, payments: { elements: [PAYMENT, second] } });
    const { payments } = await fetchFor(about('O:BETAORD000001'));
    expect(payments).toMatchObject([
      { providerPaymentId: 'BETAPAY000001', ...ADA },
      { providerPaymentId: 'BETAPAY000002', ...ADA },
    ]);
    expect(asked()).toHaveLength(4);
  });

  it.each([
    ['has no customer', () => says('/orders/BETAORD000001', { ...ORDER, customers: [] })],
    ['is gone', () => refuses('/orders/BETAORD000001', 404)],
    ['is not shown to us', () => refuses('/orders/BETAORD000001', 401)],
  ])('brings nothing when it %s', async (_, given) => {
    given();
    expect(await fetchFor(about('O:BETAORD000001'))).toEqual({ payments: [], failures: [] });
  });
});

describe('what fails', () => {
  it('does not take the rest along', async () => {
    says('/payments/BETAPAY000002', { ...PAYMENT, id: 'BETAPAY000002', amount: -1 });
    const ids = ['P:BETAPAY000001', 'P:BETAPAY000002', 'P:BETAPAY000003', 'P:a/b'];
    const { payments, failures } = await fetchFor(about(...ids));
    expect(payments).toMatchObject([{ providerPaymentId: 'BETAPAY000001' }]);
    expect(failures).toEqual([
      new InvalidPayload('Not what beta sends: amount.'),
      expect.objectContaining({ status: 404, isTransient: true }),
      expect.any(InvalidPayload),
    ]);
  });

  it('makes a payment wait when its customer may be had later', async () => {
    refuses('/customers/BETACUST00001', 503);
    expect(await fetchFor(about('P:BETAPAY000001'))).toMatchObject({
      payments: [],
      failures: [{ status: 503, isTransient: true }],
    });
  });

  it('is the token where the merchant is not shown either', async () => {
    refuses('', 401);
    refuses('/customers/BETACUST00001', 401);
    expect(await fetchFor(about('P:BETAPAY000001'))).toMatchObject({
      payments: [],
      failures: [{ status: 401, isTransient: false }],
    });
  });
});

describe('a body', () => {
  it('about other things asks for nothing', async () => {
    const none = { payments: [], failures: [] };
    expect(await fetchFor(about('C:1', 'A:2', 'M:3'))).toEqual(none);
    expect(asked()).toEqual([]);
  });

  it('that is none of beta’s is refused', async () => {
    await expect(fetchFor('{}')).rejects.toThrow(InvalidPayload);
  });
});
