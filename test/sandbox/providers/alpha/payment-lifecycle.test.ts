import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AlphaSimulator } from '../../../../sandbox/providers/alpha/simulator.ts';
import type { Receiver } from '../receiver.ts';
import { startApp, startWithReceiver } from './client.ts';

let alpha: AlphaSimulator;
let receiver: Receiver;
let stop: () => Promise<void>;
let merchantId: string;

beforeEach(async () => {
  const now = () => new Date('2026-03-01T12:00:00.000Z');
  ({ alpha, receiver, stop } = await startWithReceiver({ now }));
  merchantId = alpha.addMerchant({ id: 'ML1', name: 'One' }).id;
  alpha.issueToken(merchantId);
});

afterEach(() => stop());

const Envelope = z.object({
  type: z.string(),
  data: z.object({
    object: z.object({
      payment: z.looseObject({ status: z.string() }).optional(),
      refund: z.looseObject({ status: z.string() }).optional(),
    }),
  }),
});

/** The events sent, as `type STATUS`; sorted, since events may overtake each other. */
async function sentEvents(): Promise<string[]> {
  await alpha.idle();
  return receiver.received
    .map(({ body }) => Envelope.parse(JSON.parse(body)))
    .map(({ type, data: { object } }) => `${type} ${(object.payment ?? object.refund)?.status}`)
    .sort();
}

describe('ring', () => {
  it('COMPLETED with one payment.created when captured at once', async () => {
    const payment = alpha.ring({ merchantId, amount: 1250, tip: 150, capture: 'at-once' });
    expect(payment).toMatchObject({
      status: 'COMPLETED',
      amount_money: { amount: 1250, currency: 'USD' },
      tip_money: { amount: 150, currency: 'USD' },
      total_money: { amount: 1400, currency: 'USD' },
      card_details: { status: 'CAPTURED' },
    });
    expect(payment).not.toHaveProperty('delayed_until');
    expect(await sentEvents()).toEqual(['payment.created COMPLETED']);
  });

  it('APPROVED for 36 hours when captured later', async () => {
    const payment = alpha.ring({ merchantId, amount: 1250, capture: 'later' });
    expect(payment).toMatchObject({
      status: 'APPROVED',
      card_details: { status: 'AUTHORIZED' },
      delay_duration: 'PT36H',
      delayed_until: '2026-03-03T00:00:00.000Z',
    });
    expect(payment).not.toHaveProperty('tip_money');
    expect(await sentEvents()).toEqual(['payment.created APPROVED']);
  });

  it('uses the currency of the location', () => {
    const merchant = alpha.addMerchant({
      name: 'Two',
      locations: [{ name: 'Main' }, { id: 'L-PARIS', name: 'Paris', currency: 'EUR' }],
    });
    const sale = { merchantId: merchant.id, locationId: 'L-PARIS', amount: 5 };
    const payment = alpha.ring({ ...sale, capture: 'at-once' });
    expect(payment).toMatchObject({ location_id: 'L-PARIS', amount_money: { currency: 'EUR' } });
  });

  it.each([
    { sale: { merchantId: 'NONE' }, says: 'There is no merchant NONE.' },
    { sale: { locationId: 'NONE' }, says: 'Merchant ML1 has no location NONE.' },
    { sale: { customerId: 'NONE' }, says: 'Merchant ML1 has no customer NONE.' },
    { sale: { amount: 0.5 }, says: '0.5 is not an amount' },
    { sale: { tip: -1 }, says: 'is not an amount' },
  ])('refuses $sale and sends nothing', async ({ sale, says }) => {
    const wish = { merchantId, amount: 1, capture: 'at-once' as const, ...sale };
    expect(() => alpha.ring(wish)).toThrow(says);
    expect(await sentEvents()).toEqual([]);
  });

  it('gives the same ids for the same seed', async () => {
    const sales = [1, 2].map(async () => {
      const twin = await startApp({ seed: 42 });
      const { id } = twin.addMerchant({ name: 'Twin' });
      const payment = twin.ring({ merchantId: id, amount: 1, capture: 'at-once' });
      await twin.stop();
      return [id, payment.id, payment.order_id];
    });
    const [one, two] = await Promise.all(sales);
    expect(one).toEqual(two);
    expect(new Set(one).size).toBe(3);
  });
});

describe('ring: other ways to pay', () => {
  it('FAILED with one payment.created when declined', async () => {
    const payment = alpha.ring({ merchantId, amount: 1, capture: 'declined' });
    expect(payment).toMatchObject({ status: 'FAILED', card_details: { status: 'FAILED' } });
    expect(payment).not.toHaveProperty('approved_money');
    expect(await sentEvents()).toEqual(['payment.created FAILED']);
  });

  it('COMPLETED without a card for cash and a voucher', () => {
    const cash = alpha.ring({ merchantId, amount: 700, source: 'CASH', capture: 'at-once' });
    const voucher = alpha.ring({ merchantId, amount: 1, source: 'EXTERNAL', capture: 'at-once' });
    expect(cash).toMatchObject({
      status: 'COMPLETED',
      source_type: 'CASH',
      cash_details: { buyer_supplied_money: { amount: 700, currency: 'USD' } },
    });
    expect(voucher).toMatchObject({ status: 'COMPLETED', source_type: 'EXTERNAL' });
    for (const payment of [cash, voucher]) expect(payment).not.toHaveProperty('card_details');
  });

  it.each(['later', 'declined'] as const)('refuses cash captured %s', (capture) => {
    expect(() => alpha.ring({ merchantId, amount: 1, source: 'CASH', capture })).toThrow('CASH');
  });

  it('created at the upload, with the time it was taken, when offline', () => {
    const sale = { merchantId, amount: 1, capture: 'at-once' as const };
    expect(alpha.ring({ ...sale, takenOfflineMinutesAgo: 90 })).toMatchObject({
      created_at: '2026-03-01T12:00:00.000Z',
      is_offline_payment: true,
      offline_payment_details: { client_created_at: '2026-03-01T10:30:00.000Z' },
    });
    expect(() => alpha.ring({ ...sale, takenOfflineMinutesAgo: -1 })).toThrow('before now');
  });

  it('accepts a location that was added later', () => {
    const { id } = alpha.addLocation(merchantId, { name: 'Paris', currency: 'EUR' });
    const payment = alpha.ring({ merchantId, locationId: id, amount: 1, capture: 'at-once' });
    expect(payment).toMatchObject({ location_id: id, amount_money: { currency: 'EUR' } });
    expect(() => alpha.addLocation(merchantId, { id, name: 'Twin' })).toThrow('is taken');
  });
});

describe('setTip', () => {
  it('adds a tip without changing the amount', async () => {
    const { id } = alpha.ring({ merchantId, amount: 1000, capture: 'later' });
    expect(alpha.setTip(id, 150)).toMatchObject({
      status: 'APPROVED',
      amount_money: { amount: 1000 },
      tip_money: { amount: 150, currency: 'USD' },
      total_money: { amount: 1150 },
      approved_money: { amount: 1150 },
    });
    alpha.capture(id);
    expect(alpha.setTip(id, 200)).toMatchObject({ total_money: { amount: 1200 } });
    expect(await sentEvents()).toHaveLength(4);
  });

  it('refuses a FAILED payment, and a total below the refunded amount', () => {
    const { id } = alpha.ring({ merchantId, amount: 1, capture: 'declined' });
    expect(() => alpha.setTip(id, 1)).toThrow('is FAILED');
    const paid = alpha.ring({ merchantId, amount: 1000, tip: 100, capture: 'at-once' });
    alpha.refund(paid.id, 1100);
    expect(() => alpha.setTip(paid.id, 0)).toThrow('already refunded');
  });
});

describe('capture, cancel and decline', () => {
  it('decline sends payment.updated FAILED, and prevents refunds', async () => {
    const { id } = alpha.ring({ merchantId, amount: 1, capture: 'later' });
    expect(alpha.decline(id)).toMatchObject({
      status: 'FAILED',
      card_details: { status: 'FAILED' },
    });
    expect(() => alpha.refund(id, 1)).toThrow('is FAILED');
    expect(await sentEvents()).toEqual(['payment.created APPROVED', 'payment.updated FAILED']);
  });

  it('capture sends payment.updated COMPLETED with a later time', async () => {
    const before = alpha.ring({ merchantId, amount: 1, capture: 'later' });
    const after = alpha.capture(before.id);
    expect(after).toMatchObject({ status: 'COMPLETED', card_details: { status: 'CAPTURED' } });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(after.version_token).not.toBe(before.version_token);
    expect(await sentEvents()).toEqual(['payment.created APPROVED', 'payment.updated COMPLETED']);
  });

  it('cancel sends payment.updated CANCELED', async () => {
    const { id } = alpha.ring({ merchantId, amount: 1, capture: 'later' });
    expect(alpha.cancel(id)).toMatchObject({
      status: 'CANCELED',
      card_details: { status: 'VOIDED' },
    });
    expect(await sentEvents()).toEqual(['payment.created APPROVED', 'payment.updated CANCELED']);
  });

  it('refuse a payment that is no longer APPROVED, and send nothing', async () => {
    const { id } = alpha.ring({ merchantId, amount: 1, capture: 'later' });
    alpha.capture(id);
    expect(() => alpha.capture(id)).toThrow(`Payment ${id} is COMPLETED`);
    expect(() => alpha.cancel(id)).toThrow(`Payment ${id} is COMPLETED`);
    expect(await sentEvents()).toHaveLength(2);
  });
});

describe('refund', () => {
  it('adds up over partial refunds and leaves the payment COMPLETED', async () => {
    const { id } = alpha.ring({ merchantId, amount: 1000, capture: 'at-once' });
    const first = alpha.refund(id, 300);
    const second = alpha.refund(id, 700);
    expect(await sentEvents()).toEqual([
      'payment.created COMPLETED',
      'payment.updated COMPLETED',
      'payment.updated COMPLETED',
      'refund.created PENDING',
      'refund.created PENDING',
      'refund.updated COMPLETED',
      'refund.updated COMPLETED',
    ]);
    const payments = receiver.received
      .map(({ body }) => Envelope.parse(JSON.parse(body)).data.object.payment)
      .filter((payment) => payment?.refund_ids !== undefined)
      .sort((a, b) => (String(a?.updated_at) < String(b?.updated_at) ? -1 : 1));
    expect(payments).toMatchObject([
      { refunded_money: { amount: 300 }, refund_ids: [first.id] },
      { refunded_money: { amount: 1000 }, refund_ids: [first.id, second.id] },
    ]);
  });

  it.each([
    { amount: 1001, because: 'more than was paid' },
    { amount: 0, because: 'nothing' },
    { amount: -5, because: 'a negative amount' },
  ])('refuses $because', async ({ amount }) => {
    const { id } = alpha.ring({ merchantId, amount: 1000, capture: 'at-once' });
    expect(() => alpha.refund(id, amount)).toThrow();
    expect(await sentEvents()).toEqual(['payment.created COMPLETED']);
  });

  it('refuses a payment that was never captured', () => {
    const { id } = alpha.ring({ merchantId, amount: 1000, capture: 'later' });
    expect(() => alpha.refund(id, 1)).toThrow('is APPROVED');
  });
});

describe('attachCustomer', () => {
  it('attaches a customer afterwards, and sends payment.updated', async () => {
    const customer = alpha.addCustomer({ merchantId, email: 'ada@example.com' });
    const { id } = alpha.ring({ merchantId, amount: 1, capture: 'at-once' });
    expect(alpha.attachCustomer(id, customer.id).customer_id).toBe(customer.id);
    expect(await sentEvents()).toEqual(['payment.created COMPLETED', 'payment.updated COMPLETED']);
  });

  it("refuses another merchant's customer", () => {
    const other = alpha.addMerchant({ name: 'Other' });
    const customer = alpha.addCustomer({ merchantId: other.id, email: 'ada@example.com' });
    const { id } = alpha.ring({ merchantId, amount: 1, capture: 'at-once' });
    expect(() => alpha.attachCustomer(id, customer.id)).toThrow('has no customer');
  });
});
