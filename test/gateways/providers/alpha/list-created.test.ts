import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAlpha } from '../../../../gateways/providers/alpha/client.ts';
import { listAlphaCreated } from '../../../../gateways/providers/alpha/list-created.ts';
import type { AlphaSimulator } from '../../../../sandbox/providers/alpha/simulator.ts';
import { startPolledAlpha } from '../../../support/providers/polled-shop.ts';

const HOUR_MS = 3_600_000;
let simulator: AlphaSimulator;
beforeEach(async () => {
  simulator = await startPolledAlpha();
});
afterEach(() => simulator.stop());

async function listed(merchantId: string, from: Date, to: Date) {
  const alpha = createAlpha({ environment: 'sandbox', origin: simulator.url });
  const { accessToken } = simulator.issueToken(merchantId);
  const calls = {
    merchantId,
    ask: <T>(call: (token: string) => Promise<T>) => call(accessToken),
  };
  const pages = [];
  for await (const page of listAlphaCreated(alpha, calls, { from, to })) pages.push(page);
  return pages;
}

it('lists the payments of all locations that were created in the span, page by page', async () => {
  const locations = [
    { name: 'Main', currency: 'EUR' },
    { name: 'Kiosk', currency: 'EUR' },
  ];
  const merchant = simulator.addMerchant({ name: 'One', locations });
  const alpha = createAlpha({ environment: 'sandbox', origin: simulator.url });
  const { accessToken } = simulator.issueToken(merchant.id);
  const ids = (await alpha.listLocations(accessToken)).map((location) => location.id);
  const ring = (locationId: string | undefined) =>
    simulator.ring({
      merchantId: merchant.id,
      locationId,
      amount: 500,
      currency: 'EUR',
      capture: 'at-once',
    }).id;
  const sold = [
    ...Array.from({ length: 101 }, () => ring(ids[0])),
    ...Array.from({ length: 2 }, () => ring(ids[1])),
  ];
  const now = Date.now();
  const pages = await listed(merchant.id, new Date(now - HOUR_MS), new Date(now + HOUR_MS));
  expect(pages.map((page) => page.length)).toEqual([100, 1, 2]);
  const found = pages.flat().map((item) => 'payment' in item && item.payment.providerPaymentId);
  expect(new Set(found)).toEqual(new Set(sold));
});

it('leaves out what was created when the span ends, whatever the provider does', async () => {
  const merchant = simulator.addMerchant({ name: 'One' });
  const { created_at: createdAt } = simulator.ring({
    merchantId: merchant.id,
    amount: 500,
    capture: 'at-once',
  });
  const at = new Date(createdAt);
  const before = new Date(at.getTime() - HOUR_MS);
  expect((await listed(merchant.id, before, at)).flat()).toEqual([]);
  const after = new Date(at.getTime() + 1);
  expect((await listed(merchant.id, at, after)).flat()).toHaveLength(1);
});
