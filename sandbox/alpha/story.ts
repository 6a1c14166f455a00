import { paymentEvent, refundEvent } from './events.ts';
import type { Change, Money, Payment, Refund } from './model.ts';
import { publish } from './publish.ts';
import { StoryRefusal } from './refusal.ts';
import { locationOf, merchantOf, type World } from './world.ts';

const CAPTURE_HOURS = 36;
const HOUR_MS = 3_600_000;

export type Sale = {
  merchantId: string;
  /** The main location when absent. */
  locationId?: string | undefined;
  /** In minor units, without the tip. */
  amount: number;
  tip?: number | undefined;
  /** The location's when absent. */
  currency?: string | undefined;
  customerId?: string | undefined;
  buyerEmail?: string | undefined;
  capture: 'at-once' | 'later';
};

/** Rings a sale, whose payment is COMPLETED at once or APPROVED; sends `payment.created`. */
export function ring(world: World, sale: Sale): Payment {
  const { store } = world;
  const merchant = merchantOf(world, sale.merchantId);
  const location = locationOf(world, merchant, sale.locationId);
  const currency = sale.currency ?? location.currency;
  const money = (amount: number): Money => ({ amount: minorUnits(amount), currency });
  if (sale.customerId !== undefined) ownCustomer(world, merchant.id, sale.customerId);

  const now = world.now();
  const captured = sale.capture === 'at-once';
  const total = money(sale.amount + (sale.tip ?? 0));
  const payment: Payment = {
    id: store.random.id('PAY', 21),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    amount_money: money(sale.amount),
    ...(sale.tip !== undefined && { tip_money: money(sale.tip) }),
    total_money: total,
    approved_money: total,
    status: captured ? 'COMPLETED' : 'APPROVED',
    source_type: 'CARD',
    card_details: {
      status: captured ? 'CAPTURED' : 'AUTHORIZED',
      card: { card_brand: 'VISA', last_4: '1111' },
      entry_method: 'EMV',
    },
    location_id: location.id,
    order_id: store.random.id('ORD', 21),
    ...(sale.customerId !== undefined && { customer_id: sale.customerId }),
    ...(sale.buyerEmail !== undefined && { buyer_email_address: sale.buyerEmail }),
    receipt_number: store.random.id('', 4),
    ...(!captured && {
      delay_duration: `PT${CAPTURE_HOURS}H`,
      delay_action: 'CANCEL',
      delayed_until: new Date(now.getTime() + CAPTURE_HOURS * HOUR_MS).toISOString(),
    }),
    version_token: store.random.id('', 24),
  };
  const event = paymentEvent('payment.created', payment, subject(world, merchant.id));
  publish(
    world,
    merchant.id,
    [{ kind: 'payment', merchantId: merchant.id, value: payment }],
    [event],
  );
  return payment;
}

/** Captures an APPROVED payment, which is then COMPLETED; sends `payment.updated`. */
export function capture(world: World, paymentId: string): Payment {
  return closeApproved(world, paymentId, { status: 'COMPLETED', card: 'CAPTURED' });
}

/** Cancels an APPROVED payment, which is then CANCELED; sends `payment.updated`. */
export function cancel(world: World, paymentId: string): Payment {
  return closeApproved(world, paymentId, { status: 'CANCELED', card: 'VOIDED' });
}

/** Names the customer of a payment after the fact; sends `payment.updated`. */
export function attachCustomer(world: World, paymentId: string, customerId: string): Payment {
  const { merchantId, value: payment } = paymentOf(world, paymentId);
  ownCustomer(world, merchantId, customerId);
  return update(world, merchantId, { ...payment, customer_id: customerId });
}

/**
 * Gives back part or all of a COMPLETED payment, in minor units of its currency.
 *
 * Sends `refund.created`, `refund.updated` and a `payment.updated` with the
 * sum of all refunds. Throws when more would be given back than was paid.
 */
export function refund(world: World, paymentId: string, amount: number): Refund {
  const { merchantId, value: payment } = paymentOf(world, paymentId);
  const { currency } = payment.amount_money;
  const refunded = (payment.refunded_money?.amount ?? 0) + minorUnits(amount);
  if (payment.status !== 'COMPLETED') throw wrongStatus(payment, 'refunded');
  if (amount < 1 || refunded > payment.total_money.amount) {
    throw new StoryRefusal(
      `Of ${payment.total_money.amount} paid, ${payment.refunded_money?.amount ?? 0} are refunded` +
        ` already: ${amount} cannot be.`,
    );
  }
  const id = `${paymentId}_${world.store.random.id('', 12)}`;
  const next = changed(world, {
    ...payment,
    refunded_money: { amount: refunded, currency },
    refund_ids: [...(payment.refund_ids ?? []), id],
  });
  const done: Refund = {
    id,
    payment_id: paymentId,
    status: 'COMPLETED',
    amount_money: { amount, currency },
    location_id: payment.location_id,
    order_id: payment.order_id,
    created_at: next.updated_at,
    updated_at: next.updated_at,
  };
  const about = subject(world, merchantId);
  const changes: Change[] = [
    { kind: 'refund', value: done },
    { kind: 'payment', merchantId, value: next },
  ];
  publish(world, merchantId, changes, [
    refundEvent('refund.created', { ...done, status: 'PENDING' }, about),
    refundEvent('refund.updated', done, about),
    paymentEvent('payment.updated', next, about),
  ]);
  return done;
}

type Closing = { status: 'COMPLETED' | 'CANCELED'; card: 'CAPTURED' | 'VOIDED' };

function closeApproved(world: World, paymentId: string, closing: Closing): Payment {
  const { merchantId, value: payment } = paymentOf(world, paymentId);
  if (payment.status !== 'APPROVED') throw wrongStatus(payment, closing.status.toLowerCase());
  const { card_details, ...rest } = payment;
  return update(world, merchantId, {
    ...rest,
    status: closing.status,
    ...(card_details && { card_details: { ...card_details, status: closing.card } }),
  });
}

function update(world: World, merchantId: string, payment: Payment): Payment {
  const next = changed(world, payment);
  const event = paymentEvent('payment.updated', next, subject(world, merchantId));
  publish(world, merchantId, [{ kind: 'payment', merchantId, value: next }], [event]);
  return next;
}

/** Every version of a payment is later than the one before, even within a millisecond. */
function changed(world: World, payment: Payment): Payment {
  const after = Math.max(world.now().getTime(), Date.parse(payment.updated_at) + 1);
  return {
    ...payment,
    updated_at: new Date(after).toISOString(),
    version_token: world.store.random.id('', 24),
  };
}

function subject(world: World, merchantId: string) {
  return { merchantId, random: world.store.random, now: world.now() };
}

function paymentOf(world: World, paymentId: string) {
  const owned = world.store.payments.get(paymentId);
  if (owned === undefined) throw new StoryRefusal(`There is no payment ${paymentId}.`);
  return owned;
}

function ownCustomer(world: World, merchantId: string, customerId: string): void {
  if (world.store.customer(customerId)?.merchantId !== merchantId) {
    throw new StoryRefusal(`Merchant ${merchantId} has no customer ${customerId}.`);
  }
}

function wrongStatus(payment: Payment, wish: string): StoryRefusal {
  return new StoryRefusal(`Payment ${payment.id} is ${payment.status}: it cannot be ${wish}.`);
}

function minorUnits(amount: number): number {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new StoryRefusal(`${amount} is no amount: give minor units, an integer from 0.`);
  }
  return amount;
}
