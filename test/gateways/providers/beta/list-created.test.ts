import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBeta } from '../../../../gateways/providers/beta/client.ts';
import {
  findBetaPayment,
  listBetaCreated,
} from '../../../../gateways/providers/beta/list-created.ts';
import { type BetaSimulator, startBeta } from '../../../../sandbox/providers/beta/simulator.ts';

const HOUR_MS = 3_600_000;
let simulator: BetaSimulator;
let merchantId: string;
beforeEach(async () => {
  simulator = await startBeta({
    port: 0,
    appId: 'BETAAPP000001',
    appSecret: 'secret',
    webhookSecret: 'code',
    seed: 5,
    webhookUrl: 'http://127.0.0.1:9/nobody',
    redirectUrl: 'http://127.0.0.1:9/nobody',
    minuteMs: 10,
  });
  merchantId = simulator.addMerchant({ name: 'Shop', currency: 'GBP' }).id;
});
afterEach(() => simulator.stop());

function asking() {
  const beta = createBeta({ environment: 'sandbox', region: 'na', apiOrigin: simulator.url });
  const { accessToken } = simulator.issueToken(merchantId);
  const ask = <T>(call: (token: string) => Promise<T>) => call(accessToken);
  return { beta, calls: { merchantId, ask } };
}

async function listed(from: number, to: number) {
  const { beta, calls } = asking();
  const span = { from: new Date(from), to: new Date(to) };
  const pages = [];
  for await (const page of listBetaCreated(beta, calls, span)) pages.push(page);
  return pages;
}

it('lists the payments that were created in the span, page by page, newest first', async () => {
  const sold = Array.from({ length: 1_001 }, () =>
    simulator.ring({ merchantId, amount: 500, currency: 'GBP' }),
  );
  const now = Date.now();
  const pages = await listed(now - HOUR_MS, now + HOUR_MS);
  expect(pages.map((page) => page.length)).toEqual([1_000, 1]);
  const found = pages.flat().map((item) => 'payment' in item && item.payment.providerPaymentId);
  expect(new Set(found)).toEqual(new Set(sold.map(({ id }) => id)));
  expect(pages[1]?.[0]).toMatchObject({
    payment: { amountMinorUnits: 500, currency: 'GBP', refundedMinorUnits: 0, email: null },
  });
  expect((await listed(now - 2 * HOUR_MS, now - HOUR_MS)).flat()).toEqual([]);
});

it('says what was refunded, and what was voided', async () => {
  const [refunded, voided] = [500, 700].map((amount) => simulator.ring({ merchantId, amount }).id);
  simulator.refund(refunded ?? '', 200);
  simulator.voidPayment(voided ?? '');
  const now = Date.now();
  const items = (await listed(now - HOUR_MS, now + HOUR_MS)).flat();
  const states = items.map((item) => 'payment' in item && item.payment);
  expect(states).toContainEqual(
    expect.objectContaining({ providerPaymentId: refunded, refundedMinorUnits: 200 }),
  );
  expect(states).toContainEqual(
    expect.objectContaining({ providerPaymentId: voided, state: 'voided' }),
  );
});

it('lists the others beside one whose currency nobody names', async () => {
  const sales = [{ withoutOrder: true }, {}].map((sale) =>
    simulator.ring({ merchantId, amount: 500, ...sale }),
  );
  const { beta, calls } = asking();
  const unnamed = { ...beta, findCurrency: async () => null };
  const span = { from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + HOUR_MS) };
  const items = [];
  for await (const page of listBetaCreated(unnamed, calls, span)) items.push(...page);
  expect(items).toHaveLength(2);
  expect(items).toContainEqual(
    expect.objectContaining({ id: sales[0]?.id, error: expect.stringContaining('currency') }),
  );
  expect(items).toContainEqual(
    expect.objectContaining({
      payment: expect.objectContaining({ providerPaymentId: sales[1]?.id, currency: 'GBP' }),
    }),
  );
});

it('finds a payment by its id, and null where there is none', async () => {
  const { id } = simulator.ring({ merchantId, amount: 500 });
  const { beta, calls } = asking();
  expect(await findBetaPayment(beta, calls, id)).toMatchObject({ amountMinorUnits: 500 });
  expect(await findBetaPayment(beta, calls, 'NOBODYS000001')).toBeNull();
});
