import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { BetaSimulator } from '../../../../sandbox/providers/beta/simulator.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { MINUTE_MS, startApp, startConnected } from './client.ts';

let beta: BetaSimulator;
let clock: { now: Date };
let customerId: string;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  ({ beta, clock, customerId } = await startConnected({ webhookUrl: receiver.url }));
});

afterEach(async () => {
  await beta.stop();
  await receiver.stop();
});

const Body = z.object({
  merchants: z.record(z.string(), z.array(z.object({ objectId: z.string(), type: z.string() }))),
});

/** The updates sent, as `P:id TYPE`; sorted, since messages may overtake each other. */
async function sentUpdates(): Promise<string[]> {
  await beta.idle();
  return receiver.received
    .flatMap(({ body }) => Body.parse(JSON.parse(body)).merchants.M1 ?? [])
    .map(({ objectId, type }) => `${objectId} ${type}`)
    .sort();
}

const ring = (sale: object = {}) => beta.ring({ merchantId: 'M1', amount: 1000, ...sale });

describe('ring', () => {
  it('creates and reports a SUCCESS payment and its own order', async () => {
    const payment = ring({ tip: 50, customerId });
    expect(payment).toMatchObject({ result: 'SUCCESS', amount: 1000, tipAmount: 50 });
    expect(await sentUpdates()).toEqual([`O:${payment.orderId} CREATE`, `P:${payment.id} CREATE`]);
  });

  it('adds a payment to an existing order of the same merchant and currency only', async () => {
    const { orderId } = ring();
    const second = ring({ orderId });
    expect(second.orderId).toBe(orderId);
    expect(await sentUpdates()).toHaveLength(3);
    expect(() => ring({ orderId, currency: 'USD' })).toThrow('another currency');
    beta.addMerchant({ id: 'M2', name: 'Two' });
    expect(() => ring({ orderId, merchantId: 'M2' })).toThrow("another merchant's");
  });

  it.each(['PENDING', 'AUTH', 'INITIATED', 'OFFLINE_RETRYING', 'FAIL'] as const)(
    'creates a payment that is %s',
    async (result) => {
      expect(ring({ result })).toMatchObject({ result, offline: false });
    },
  );

  it.each([
    { sale: { merchantId: 'NONE' }, says: 'There is no merchant NONE.' },
    { sale: { customerId: 'NONE' }, says: 'Merchant M1 has no customer NONE.' },
    { sale: { orderId: 'NONE' }, says: 'There is no order NONE.' },
    { sale: { amount: 0.5 }, says: '0.5 is not an amount' },
    { sale: { tip: -1 }, says: 'is not an amount' },
    { sale: { withoutOrder: true, currency: 'USD' }, says: 'belong to the order' },
  ])('refuses $sale and sends nothing', async ({ sale, says }) => {
    expect(() => ring(sale)).toThrow(says);
    expect(await sentUpdates()).toEqual([]);
  });

  it('gives the same ids for the same seed', async () => {
    const twins = [1, 2].map(async () => {
      const twin = await startApp({ seed: 42 });
      const { id } = twin.addMerchant({ name: 'Twin' });
      const payment = twin.ring({ merchantId: id, amount: 1 });
      await twin.stop();
      return [id, payment.id, payment.orderId];
    });
    const [one, two] = await Promise.all(twins);
    expect(one).toEqual(two);
    expect(new Set(one).size).toBe(3);
  });
});

describe('later changes, each sent as P:UPDATE with a later version', () => {
  it('settles a pending payment once, as SUCCESS or FAIL', async () => {
    const [one, two] = [ring({ result: 'PENDING' }), ring({ result: 'AUTH' })];
    const settled = beta.settle(one.id, 'SUCCESS');
    expect(settled.result).toBe('SUCCESS');
    expect(settled.modifiedTime).toBeGreaterThan(one.modifiedTime);
    expect(beta.settle(two.id, 'FAIL').result).toBe('FAIL');
    expect(() => beta.settle(two.id, 'SUCCESS')).toThrow(`Payment ${two.id} is FAIL`);
    const updates = (await sentUpdates()).filter((text) => text.endsWith('UPDATE'));
    expect(updates).toEqual([`P:${one.id} UPDATE`, `P:${two.id} UPDATE`].sort());
  });

  it('sets the tip', async () => {
    const { id } = ring();
    clock.now = new Date(clock.now.getTime() + MINUTE_MS);
    expect(beta.setTip(id, 200)).toMatchObject({
      amount: 1000,
      tipAmount: 200,
      modifiedTime: clock.now.getTime(),
    });
    expect(await sentUpdates()).toContain(`P:${id} UPDATE`);
  });

  it('refunds up to the full payment, tip included', async () => {
    const { id } = ring({ tip: 100 });
    expect(beta.refund(id, 300).amount).toBe(300);
    expect(beta.refund(id).amount).toBe(800);
    expect(() => beta.refund(id, 1)).toThrow('has 0 left');
    expect((await sentUpdates()).filter((text) => text === `P:${id} UPDATE`)).toHaveLength(2);
  });

  it('lets a refund fail after all, which can then be made again', async () => {
    const { id } = ring();
    const [failing, kept] = [beta.refund(id, 300), beta.refund(id, 100)];
    expect(beta.failRefund(id, failing.id).refunds).toEqual([kept]);
    expect(() => beta.failRefund(id, failing.id)).toThrow('has no refund');
    expect(beta.refund(id).amount).toBe(900);
    expect((await sentUpdates()).filter((text) => text === `P:${id} UPDATE`)).toHaveLength(4);
  });

  it.each([1001, 0, -5, 0.5])('refuses to refund %d of 1000 and sends nothing', async (amount) => {
    const { id } = ring();
    expect(() => beta.refund(id, amount)).toThrow();
    expect(await sentUpdates()).toHaveLength(2);
  });

  it('voids a payment, unless it is pending, refunded or already void', async () => {
    const { id } = ring();
    expect(beta.voidPayment(id)).toMatchObject({ result: 'VOIDED', voidReason: 'USER_CANCEL' });
    expect(() => beta.voidPayment(id)).toThrow('is VOIDED');
    expect(() => beta.refund(id, 1)).toThrow('is VOIDED');
    expect(() => beta.voidPayment(ring({ result: 'PENDING' }).id)).toThrow('is PENDING');
    const refunded = ring();
    beta.refund(refunded.id, 1);
    expect(() => beta.voidPayment(refunded.id)).toThrow();
    expect(await sentUpdates()).toContain(`P:${id} UPDATE`);
  });
});

describe('attachCustomer', () => {
  it('sends O:UPDATE, and nothing about the payment', async () => {
    const { orderId = '' } = ring();
    expect(beta.attachCustomer(orderId, customerId).customerIds).toEqual([customerId]);
    expect(beta.attachCustomer(orderId, customerId).customerIds).toEqual([customerId]);
    const updates = (await sentUpdates()).filter((text) => text.endsWith('UPDATE'));
    expect(updates).toEqual([`O:${orderId} UPDATE`, `O:${orderId} UPDATE`]);
  });

  it("refuses another merchant's customer", () => {
    beta.addMerchant({ id: 'M2', name: 'Two' });
    const { id } = beta.addCustomer({ merchantId: 'M2' });
    expect(() => beta.attachCustomer(ring().orderId ?? '', id)).toThrow('has no customer');
  });
});

it('sends updates of other objects to an app that subscribes to them', async () => {
  const curious = await startApp({ webhookUrl: receiver.url, subscriptions: ['A', 'C'] });
  curious.addMerchant({ id: 'M1', name: 'One' });
  curious.issueToken('M1');
  const { id } = curious.addCustomer({ merchantId: 'M1' });
  curious.ring({ merchantId: 'M1', amount: 1 });
  curious.uninstall('M1');
  await curious.idle();
  await curious.stop();
  expect(await sentUpdates()).toEqual(['A:APP DELETE', `C:${id} CREATE`]);
});
