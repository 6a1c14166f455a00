import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBeta } from '../../../../gateways/providers/beta/client.ts';
import { fetchBetaPayments } from '../../../../gateways/providers/beta/fetch-payments.ts';
import { type BetaSimulator, startBeta } from '../../../../sandbox/providers/beta/simulator.ts';
import { type HttpServer, startHttpServer } from '../../../support/http/http-server.ts';

let receiver: HttpServer;
let simulator: BetaSimulator;
let merchantId: string;
let token: string;
beforeEach(async () => {
  receiver = await startHttpServer(() => ({ status: 200, body: { ok: true } }));
  simulator = await startBeta({
    port: 0,
    appId: 'BETAAPP000001',
    appSecret: 'secret',
    webhookSecret: 'code',
    seed: 5,
    webhookUrl: receiver.url,
    redirectUrl: 'http://127.0.0.1:9/nobody',
    minuteMs: 10,
  });
  merchantId = simulator.addMerchant({ name: 'Shop', currency: 'GBP' }).id;
  token = simulator.issueToken(merchantId).accessToken;
});
afterEach(async () => {
  await simulator.stop();
  await receiver.close();
});

const createClient = () =>
  createBeta({
    environment: 'sandbox',
    region: 'na',
    apiOrigin: simulator.url,
  });
const aCustomer = () =>
  simulator.addCustomer({
    merchantId,
    emails: ['first@example.com', 'Ada@Example.com'],
    phones: ['(212) 555-0101'],
    primaryEmail: 'Ada@Example.com',
  }).id;
const fetchFor = (body: string, accessToken = token) =>
  fetchBetaPayments(
    { beta: createClient(), isDecided: async () => false },
    { merchantId },
    accessToken,
    Buffer.from(body),
  );
/** Fetches the payments for all webhooks received since the last call. */
async function fetchReceived(accessToken = token) {
  await simulator.idle();
  const fetched = await Promise.all(
    receiver.requests.splice(0).map(({ body }) => fetchFor(body, accessToken)),
  );
  expect(fetched.flatMap(({ failures }) => failures)).toEqual([]);
  return fetched.flatMap(({ payments }) => payments);
}

const ADA = { email: 'Ada@Example.com', phone: '(212) 555-0101' };
const NO_CUSTOMER = { providerCustomerId: null, email: null, phone: null };

describe('the payments fetched for the webhooks of a sale', () => {
  it('include the customer', async () => {
    const customerId = aCustomer();
    const { id } = simulator.ring({ merchantId, amount: 1250, tip: 150, customerId });
    expect(await fetchReceived()).toMatchObject([
      {
        providerPaymentId: id,
        state: 'settled',
        currency: 'GBP',
        ...ADA,
        amountMinorUnits: 1250,
        tipMinorUnits: 150,
        providerCustomerId: customerId,
      },
    ]);
  });

  it('have no customer at first, and are fetched again once the order has one', async () => {
    const { id, orderId = '' } = simulator.ring({ merchantId, amount: 1250 });
    expect(await fetchReceived()).toMatchObject([{ providerPaymentId: id, ...NO_CUSTOMER }]);
    simulator.attachCustomer(orderId, aCustomer());
    expect(await fetchReceived()).toMatchObject([{ providerPaymentId: id, ...ADA }]);
  });

  it('have the merchant’s currency where there is no order', async () => {
    simulator.ring({ merchantId, amount: 500, withoutOrder: true, offlineMinutes: 90 });
    const [payment] = await fetchReceived();
    expect(payment).toMatchObject({ currency: 'GBP', ...NO_CUSTOMER });
    expect(payment?.occurredAt).toEqual(payment?.changedAt);
  });

  it('show settlement, refunds and voids', async () => {
    const pending = simulator.ring({ merchantId, amount: 100, result: 'AUTH' }).id;
    expect(await fetchReceived()).toMatchObject([{ state: 'pending' }]);
    simulator.settle(pending, 'SUCCESS');
    simulator.refund(pending, 30);
    await fetchReceived();
    simulator.refund(pending, 20);
    for (const payment of await fetchReceived()) {
      expect(payment).toMatchObject({ state: 'settled', refundedMinorUnits: 50 });
    }
    const voided = simulator.ring({ merchantId, amount: 100 }).id;
    await fetchReceived();
    simulator.voidPayment(voided);
    expect(await fetchReceived()).toMatchObject([{ providerPaymentId: voided, state: 'voided' }]);
  });
});

describe('a token without a permission', () => {
  // biome-ignore format: a table
  it.each([
    { lacks: 'orders',    permissions: ['MERCHANT_R', 'PAYMENTS_R', 'CUSTOMERS_R'] },
    { lacks: 'customers', permissions: ['MERCHANT_R', 'PAYMENTS_R', 'ORDERS_R'] },
    { lacks: 'contacts',  permissions: ['MERCHANT_R', 'PAYMENTS_R', 'ORDERS_R', 'CUSTOMERS_R'] },
  ] as const)('for $lacks fetches the sale without contacts', async ({ permissions }) => {
    simulator.ring({ merchantId, amount: 1250, customerId: aCustomer() });
    const { accessToken } = simulator.issueToken(merchantId, { permissions });
    expect(await fetchReceived(accessToken)).toMatchObject([
      { amountMinorUnits: 1250, email: null, phone: null },
    ]);
  });

  it('that was revoked fails with 401', async () => {
    simulator.ring({ merchantId, amount: 1250, customerId: aCustomer() });
    await simulator.idle();
    simulator.uninstall(merchantId);
    expect(await fetchFor(receiver.requests.at(-1)?.body ?? '')).toMatchObject({
      payments: [],
      failures: [{ status: 401, isTransient: false }],
    });
  });
});

describe('a payment that cannot be read yet', () => {
  it('fails transiently, and is found on a retry', async () => {
    simulator.setChaos({ notFoundFirst: 1 });
    simulator.ring({ merchantId, amount: 1250 });
    await simulator.idle();
    const body = receiver.requests.at(-1)?.body ?? '';
    expect(await fetchFor(body)).toMatchObject({
      payments: [],
      failures: [{ status: 404, isTransient: true }],
    });
    await expect
      .poll(async () => (await fetchFor(body)).payments, { timeout: 20_000 })
      .toMatchObject([{ amountMinorUnits: 1250 }]);
  });
});

describe('beta’s limits', () => {
  it('are kept by concurrent requests of one merchant and of several', async () => {
    const beta = createClient();
    const other = simulator.addMerchant({ name: 'Other' }).id;
    const otherToken = simulator.issueToken(other).accessToken;
    const requests = [
      ...Array.from({ length: 40 }, () => beta.findMerchant(token, merchantId)),
      ...Array.from({ length: 20 }, () => beta.findMerchant(otherToken, other)),
    ];
    const found = await Promise.all(requests);
    expect(found.map((merchant) => merchant?.id)).toEqual([
      ...Array(40).fill(merchantId),
      ...Array(20).fill(other),
    ]);
    expect(simulator.violations()).toEqual([]);
  });
});
