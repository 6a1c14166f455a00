import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BetaSimulator } from '../../../../sandbox/providers/beta/simulator.ts';
import { get as getWith, MINUTE_MS, startConnected } from './client.ts';

let beta: BetaSimulator;
let clock: { now: Date };
let customerId: string;
let bearer: string;

beforeEach(async () => {
  ({ beta, clock, customerId, bearer } = await startConnected());
});

afterEach(() => beta.stop());

const get = (path: string, token = bearer) => getWith(beta, path, token);
const orderOf = ({ orderId = '' }: { orderId?: string | undefined }) => orderId;

describe('GET /v3/merchants/{mId}', () => {
  it('returns the merchant with its currency', async () => {
    expect((await get('/M1')).body).toMatchObject({
      id: 'M1',
      name: 'One',
      defaultCurrency: 'EUR',
    });
    const { body } = await get('/M1?expand=properties');
    expect(body).toMatchObject({ properties: { defaultCurrency: 'EUR' } });
  });
});

describe('GET payments/{id}', () => {
  it('the order is a reference and refunds are absent unless expanded', async () => {
    const sale = { merchantId: 'M1', amount: 1250, tip: 150, tax: 208, currency: 'USD' };
    const { id, orderId } = beta.ring(sale);
    expect(id).toMatch(/^[A-Z0-9]{13}$/);
    const bare = (await get(`/M1/payments/${id}`)).body;
    expect(bare).toMatchObject({
      id,
      amount: 1250,
      tipAmount: 150,
      taxAmount: 208,
      cashbackAmount: 0,
      result: 'SUCCESS',
      offline: false,
      createdTime: clock.now.getTime(),
      device: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    expect(bare.order).toEqual({ id: orderId });
    expect(bare.tender).toEqual({ id: expect.any(String) });
    for (const absent of ['currency', 'refunds', 'voidPaymentRef']) {
      expect(bare).not.toHaveProperty(absent);
    }
    const { body } = await get(`/M1/payments/${id}?expand=order%2Crefunds,tender`);
    expect(body).toMatchObject({
      order: { id: orderId, currency: 'USD', total: 1250, paymentState: 'PAID', state: 'locked' },
      refunds: { elements: [] },
      tender: { labelKey: 'com.beta.tender.credit_card' },
    });
    expect(body.order).not.toHaveProperty('customers');
  });

  it('ignores unknown expansions, including nested ones', async () => {
    const { id } = beta.ring({ merchantId: 'M1', amount: 1, customerId });
    const { status, body } = await get(`/M1/payments/${id}?expand=order,order.customers,nonsense`);
    expect(status).toBe(200);
    expect(body.order).not.toHaveProperty('customers');
    expect(body).not.toHaveProperty('nonsense');
  });

  it('400 for more than three expansions', async () => {
    const { id } = beta.ring({ merchantId: 'M1', amount: 1 });
    expect((await get(`/M1/payments/${id}?expand=order,refunds,tender`)).status).toBe(200);
    const answer = await get(`/M1/payments/${id}?expand=order,refunds&expand=tender,employee`);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  it('returns a payment without an order that was taken offline', async () => {
    const { id } = beta.ring({
      merchantId: 'M1',
      amount: 1,
      withoutOrder: true,
      offlineMinutes: 9,
    });
    const { body } = await get(`/M1/payments/${id}?expand=order`);
    expect(body).not.toHaveProperty('order');
    expect(body).toMatchObject({
      offline: true,
      clientCreatedTime: clock.now.getTime() - 9 * MINUTE_MS,
      createdTime: clock.now.getTime(),
    });
  });

  it('returns refunds as separate objects, and a void with its reason', async () => {
    const { id } = beta.ring({ merchantId: 'M1', amount: 1000 });
    beta.refund(id, 300);
    beta.refund(id);
    const { body } = await get(`/M1/payments/${id}?expand=refunds,order`);
    expect(body).toMatchObject({
      result: 'SUCCESS',
      order: { paymentState: 'REFUNDED' },
      refunds: { elements: [{ amount: 300, payment: { id } }, { amount: 700 }] },
    });
    const other = beta.ring({ merchantId: 'M1', amount: 5 });
    beta.voidPayment(other.id);
    expect((await get(`/M1/payments/${other.id}`)).body).toMatchObject({
      result: 'VOIDED',
      voidReason: 'USER_CANCEL',
      voidPaymentRef: { id: other.id },
    });
  });

  it('stops an expanded list at 100', async () => {
    const { id } = beta.ring({ merchantId: 'M1', amount: 101 });
    for (let n = 0; n < 101; n++) beta.refund(id, 1);
    const { body } = await get(`/M1/payments/${id}?expand=refunds`);
    expect(body.refunds?.elements).toHaveLength(100);
  });
});

describe('GET orders/{id}', () => {
  it('returns expanded customers without their contacts', async () => {
    const orderId = orderOf(beta.ring({ merchantId: 'M1', amount: 1, customerId }));
    expect((await get(`/M1/orders/${orderId}`)).body).not.toHaveProperty('customers');
    const { body } = await get(`/M1/orders/${orderId}?expand=customers,payments,refunds`);
    expect(body.customers?.elements).toEqual([
      { id: customerId, firstName: 'Ada', lastName: 'Byron' },
    ]);
    expect(body.payments?.elements).toMatchObject([{ amount: 1, order: { id: orderId } }]);
    expect(body.refunds?.elements).toEqual([]);
  });

  it('OPEN until a payment succeeds, and PARTIALLY_PAID until all do', async () => {
    const orderId = orderOf(beta.ring({ merchantId: 'M1', amount: 5, result: 'PENDING' }));
    const state = async () => (await get(`/M1/orders/${orderId}`)).body.paymentState;
    expect(await state()).toBe('OPEN');
    const second = beta.ring({ merchantId: 'M1', orderId, amount: 7 });
    expect(await state()).toBe('PARTIALLY_PAID');
    beta.refund(second.id, 1);
    expect(await state()).toBe('PARTIALLY_REFUNDED');
  });
});

describe('GET customers/{id}', () => {
  const both = 'expand=emailAddresses,phoneNumbers';

  it('returns contacts only when expanded, with the primary one marked', async () => {
    const bare = (await get(`/M1/customers/${customerId}`)).body;
    expect(bare).not.toHaveProperty('emailAddresses');
    expect(bare).not.toHaveProperty('phoneNumbers');
    expect((await get(`/M1/customers/${customerId}?${both}`)).body).toMatchObject({
      emailAddresses: {
        elements: [
          { emailAddress: 'ada@work.example', primaryEmail: false },
          { emailAddress: 'Ada@Example.com', primaryEmail: true },
        ],
      },
      phoneNumbers: { elements: [{ phoneNumber: '(212) 555-0101' }] },
    });
  });

  it('omits contacts for which the app has no permission', async () => {
    const token = beta.issueToken('M1', { permissions: ['CUSTOMERS_R', 'CUSTOMERS_PHONE_R'] });
    const { body } = await get(`/M1/customers/${customerId}?${both}`, token.accessToken);
    expect(body).toHaveProperty('phoneNumbers');
    expect(body).not.toHaveProperty('emailAddresses');
  });
});

describe('errors', () => {
  it('the same 401 for an unknown token, another merchant and a missing permission', async () => {
    beta.addMerchant({ id: 'M2', name: 'Two' });
    const other = beta.issueToken('M2').accessToken;
    const narrow = beta.issueToken('M1', { permissions: ['PAYMENTS_R'] }).accessToken;
    const bodies = [await get('/M1', 'unknown'), await get('/M1', other), await get('/M1', narrow)];
    expect(bodies.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(bodies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await get('/M1/payments', narrow)).status).toBe(200);
    expect((await fetch(`${beta.url}/v3/merchants/M1`)).status).toBe(401);
  });

  it('401 from the moment a token expires, and once the app is uninstalled', async () => {
    const { accessToken, expiresAt } = beta.issueToken('M1', { livesSeconds: 60 });
    clock.now = new Date(expiresAt - 1);
    expect((await get('/M1', accessToken)).status).toBe(200);
    clock.now = new Date(expiresAt);
    expect((await get('/M1', accessToken)).status).toBe(401);
    expect((await get('/M1')).status).toBe(200);
    beta.uninstall('M1');
    expect((await get('/M1')).status).toBe(401);
  });

  it.each([
    ['payments', 'Payment'],
    ['orders', 'Order'],
    ['customers', 'Customer'],
  ])("404 for another merchant's and for unknown ids: %s", async (path, what) => {
    beta.addMerchant({ id: 'M2', name: 'Two' });
    const foreign = beta.addCustomer({ merchantId: 'M2' });
    const payment = beta.ring({ merchantId: 'M2', amount: 1, customerId: foreign.id });
    for (const id of ['NONE', payment.id, orderOf(payment), foreign.id]) {
      expect(await get(`/M1/${path}/${id}`)).toMatchObject({
        status: 404,
        body: { message: 'Not Found', details: `${what} not found` },
      });
    }
  });

  it('405 for a wrong method and for a path that does not exist', async () => {
    const headers = { authorization: `Bearer ${bearer}` };
    const url = `${beta.url}/v3/merchants/M1/payments`;
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(405);
    expect((await get('/M1/nothing')).status).toBe(405);
  });

  it('answers scheduled faults at the path and below it, as often as scheduled', async () => {
    const { id } = beta.ring({ merchantId: 'M1', amount: 1 });
    const path = '/v3/merchants/M1/payments';
    beta.fail({ path, status: 404, times: 2 });
    beta.fail({ path, status: 429, retryAfterSeconds: 3 });
    beta.fail({ path, status: 429 });
    beta.fail({ path, status: 503 });
    const of = async () => get(`/M1/payments/${id}`);
    expect([(await of()).status, (await of()).status]).toEqual([404, 404]);
    const concurrent = await of();
    expect(concurrent.status).toBe(429);
    expect(concurrent.headers.get('retry-after')).toBe('3');
    expect(concurrent.headers.get('X-RateLimit-tokenConcurrentLimit')).toBe('5');
    const rated = await of();
    expect(rated.headers.get('X-RateLimit-tokenLimit')).toBe('16');
    expect(rated.headers.get('retry-after')).toBeNull();
    expect((await of()).status).toBe(503);
    expect((await of()).status).toBe(200);
  });

  it('every request appears in the journal without its token', async () => {
    await get('/M1');
    expect(beta.journal()).toMatchObject([
      { kind: 'request', url: '/v3/merchants/M1', status: 200 },
    ]);
    expect(JSON.stringify(beta.journal())).not.toContain(bearer);
  });
});
