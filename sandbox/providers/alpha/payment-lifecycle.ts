import { requireMinorUnits } from '../shared/checks.ts';
import { CommandRefused } from '../shared/refusal.ts';
import { paymentEvent, refundEvent } from './events.ts';
import type { Change, Payment, Refund } from './model.ts';
import { publish } from './publish.ts';
import { requireCustomer, subject } from './sales.ts';
import type { World } from './world.ts';

/** Captures an APPROVED payment, which becomes COMPLETED; sends `payment.updated`. */
export function capture(world: World, paymentId: string): Payment {
  return finishApproved(world, paymentId, { status: 'COMPLETED', card: 'CAPTURED' });
}

/** Cancels an APPROVED payment, which becomes CANCELED; sends `payment.updated`. */
export function cancel(world: World, paymentId: string): Payment {
  return finishApproved(world, paymentId, { status: 'CANCELED', card: 'VOIDED' });
}

/** Lets the bank decline an APPROVED payment, which becomes FAILED; sends `payment.updated`. */
export function decline(world: World, paymentId: string): Payment {
  return finishApproved(world, paymentId, { status: 'FAILED', card: 'FAILED' });
}

/** Sets the tip of an APPROVED or COMPLETED payment, in minor units; sends `payment.updated`. */
export function setTip(world: World, paymentId: string, tip: number): Payment {
  const { merchantId, value: payment } = paymentOf(world, paymentId);
  if (payment.status !== 'APPROVED' && payment.status !== 'COMPLETED') {
    throw wrongStatus(payment, 'tipped');
  }
  const { amount, currency } = payment.amount_money;
  const total = { amount: requireMinorUnits(amount + requireMinorUnits(tip)), currency };
  if (total.amount < (payment.refunded_money?.amount ?? 0)) {
    throw new CommandRefused(`More than that total was already refunded of ${paymentId}.`);
  }
  return update(world, merchantId, {
    ...payment,
    tip_money: { amount: tip, currency },
    total_money: total,
    ...(payment.approved_money && { approved_money: total }),
  });
}

/** Attaches the customer to a payment afterwards; sends `payment.updated`. */
export function attachCustomer(world: World, paymentId: string, customerId: string): Payment {
  const { merchantId, value: payment } = paymentOf(world, paymentId);
  requireCustomer(world, merchantId, customerId);
  return update(world, merchantId, { ...payment, customer_id: customerId });
}

/**
 * Refunds part or all of a COMPLETED payment, in minor units of its currency.
 *
 * Sends `refund.created`, `refund.updated` and a `payment.updated` with the sum of all refunds.
 * Throws when the refunds would exceed the payment.
 */
export function refund(world: World, paymentId: string, amount: number): Refund {
  const { merchantId, value: payment } = paymentOf(world, paymentId);
  const { currency } = payment.amount_money;
  const refunded = (payment.refunded_money?.amount ?? 0) + requireMinorUnits(amount);
  if (payment.status !== 'COMPLETED') throw wrongStatus(payment, 'refunded');
  if (amount < 1 || refunded > payment.total_money.amount) {
    throw new CommandRefused(
      `${amount} cannot be refunded: ${payment.refunded_money?.amount ?? 0} of ` +
        `${payment.total_money.amount} were refunded already.`,
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

/**
 * Lets the bank reject a COMPLETED refund after all: it is FAILED, and the payment's sum of refunds
 * is without it. Sends `refund.updated` and `payment.updated`.
 */
export function failRefund(world: World, refundId: string): Refund {
  const done = world.store.refunds.get(refundId);
  if (done?.status !== 'COMPLETED') {
    throw new CommandRefused(`There is no completed refund ${refundId}.`);
  }
  const { merchantId, value: payment } = paymentOf(world, done.payment_id);
  const { amount, currency } = done.amount_money;
  const next = changed(world, {
    ...payment,
    refunded_money: { amount: (payment.refunded_money?.amount ?? 0) - amount, currency },
  });
  const failed: Refund = { ...done, status: 'FAILED', updated_at: next.updated_at };
  const about = subject(world, merchantId);
  const changes: Change[] = [
    { kind: 'refund', value: failed },
    { kind: 'payment', merchantId, value: next },
  ];
  publish(world, merchantId, changes, [
    refundEvent('refund.updated', failed, about),
    paymentEvent('payment.updated', next, about),
  ]);
  return failed;
}

type FinalState = {
  status: 'COMPLETED' | 'CANCELED' | 'FAILED';
  card: 'CAPTURED' | 'VOIDED' | 'FAILED';
};

function finishApproved(world: World, paymentId: string, final: FinalState): Payment {
  const { merchantId, value: payment } = paymentOf(world, paymentId);
  if (payment.status !== 'APPROVED') throw wrongStatus(payment, final.status.toLowerCase());
  const { card_details, ...rest } = payment;
  return update(world, merchantId, {
    ...rest,
    status: final.status,
    ...(card_details && { card_details: { ...card_details, status: final.card } }),
  });
}

function update(world: World, merchantId: string, payment: Payment): Payment {
  const next = changed(world, payment);
  const event = paymentEvent('payment.updated', next, subject(world, merchantId));
  publish(world, merchantId, [{ kind: 'payment', merchantId, value: next }], [event]);
  return next;
}

/** Each version of a payment is later than the previous one, even within a millisecond. */
function changed(world: World, payment: Payment): Payment {
  const after = Math.max(world.now().getTime(), Date.parse(payment.updated_at) + 1);
  return {
    ...payment,
    updated_at: new Date(after).toISOString(),
    version_token: world.store.random.id('', 24),
  };
}

function paymentOf(world: World, paymentId: string) {
  const owned = world.store.payments.get(paymentId);
  if (owned === undefined) throw new CommandRefused(`There is no payment ${paymentId}.`);
  return owned;
}

function wrongStatus(payment: Payment, action: string): CommandRefused {
  return new CommandRefused(`Payment ${payment.id} is ${payment.status}: it cannot be ${action}.`);
}
