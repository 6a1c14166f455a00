import { requireMinorUnits } from '../shared/checks.ts';
import { CommandRefused } from '../shared/refusal.ts';
import { newId } from './accounts.ts';
import type { Change, Order, Payment, Result } from './model.ts';
import { newUpdate, publish } from './publish.ts';
import { isPending, merchantOf, orderOf, paymentOf, type World } from './world.ts';

export type Sale = {
  merchantId: string;
  /** In minor units, without the tip. */
  amount: number;
  tip?: number | undefined;
  /** The part of the amount that is tax. */
  tax?: number | undefined;
  /** The order's currency; the merchant's when absent. */
  currency?: string | undefined;
  /** Attached to the order from the start. */
  customerId?: string | undefined;
  /** Adds the payment to this order instead of a new one. */
  orderId?: string | undefined;
  /** Makes a payment that belongs to no order. */
  withoutOrder?: boolean | undefined;
  /** How many minutes ago an offline point of sale took the payment. */
  offlineMinutes?: number | undefined;
  /** SUCCESS when absent. */
  result?: Result | undefined;
};

/** Rings a sale; sends `P:CREATE`, and before it `O:CREATE` for a new order. */
export function ring(world: World, sale: Sale): Payment {
  const merchant = merchantOf(world, sale.merchantId);
  for (const part of [sale.amount, sale.tip ?? 0, sale.tax ?? 0]) requireMinorUnits(part);
  const nowMs = world.now().getTime();
  const order = sale.withoutOrder === true ? undefined : orderFor(world, sale, merchant.currency);
  if (order === undefined && (sale.customerId ?? sale.orderId ?? sale.currency) !== undefined) {
    throw new CommandRefused('Customer and currency belong to the order, and this sale has none.');
  }
  const payment: Payment = {
    id: newId(world),
    merchantId: merchant.id,
    ...(order !== undefined && { orderId: order.id }),
    amount: sale.amount,
    tipAmount: sale.tip ?? 0,
    taxAmount: sale.tax ?? 0,
    result: sale.result ?? 'SUCCESS',
    offline: sale.offlineMinutes !== undefined,
    refunds: [],
    createdTime: nowMs,
    clientCreatedTime: nowMs - (sale.offlineMinutes ?? 0) * 60_000,
    modifiedTime: nowMs,
  };
  const changes: Change[] = [{ kind: 'payment', value: payment }];
  const updates = [newUpdate(world, 'CREATE', 'P', payment.id)];
  if (order !== undefined) {
    changes.unshift({ kind: 'order', value: order });
    if (sale.orderId === undefined) updates.unshift(newUpdate(world, 'CREATE', 'O', order.id));
  }
  publish(world, merchant.id, changes, updates);
  return payment;
}

/** Settles a pending payment; sends `P:UPDATE`. */
export function settle(world: World, paymentId: string, result: 'SUCCESS' | 'FAIL'): Payment {
  const payment = paymentOf(world, paymentId);
  if (!isPending(payment)) throw wrongResult(payment, 'settled');
  return updatePayment(world, { ...payment, result });
}

/** Sets the tip of a payment afterwards; sends `P:UPDATE`. */
export function setTip(world: World, paymentId: string, tip: number): Payment {
  const payment = paymentOf(world, paymentId);
  if (payment.result !== 'SUCCESS' || payment.refunds.length > 0) {
    throw wrongResult(payment, 'tipped');
  }
  requireMinorUnits(tip);
  return updatePayment(world, { ...payment, tipAmount: tip });
}

/** Attaches a customer to the order, and thereby to its payments; sends `O:UPDATE`. */
export function attachCustomer(world: World, orderId: string, customerId: string): Order {
  const order = orderOf(world, orderId);
  requireCustomer(world, order.merchantId, customerId);
  const next: Order = {
    ...order,
    customerIds: [...new Set([...order.customerIds, customerId])],
    modifiedTime: nextModifiedTime(world, order),
  };
  const updates = [newUpdate(world, 'UPDATE', 'O', orderId)];
  publish(world, order.merchantId, [{ kind: 'order', value: next }], updates);
  return next;
}

/** Stores the changed payment as a new version; sends `P:UPDATE`. */
export function updatePayment(world: World, payment: Payment): Payment {
  const next = { ...payment, modifiedTime: nextModifiedTime(world, payment) };
  const updates = [newUpdate(world, 'UPDATE', 'P', payment.id)];
  publish(world, payment.merchantId, [{ kind: 'payment', value: next }], updates);
  return next;
}

/** Builds the refusal of an action that the payment's result does not allow. */
export function wrongResult({ id, result }: Payment, action: string): CommandRefused {
  return new CommandRefused(`Payment ${id} is ${result}: it cannot be ${action}.`);
}

function orderFor(world: World, sale: Sale, merchantCurrency: string): Order {
  const { merchantId, customerId, orderId } = sale;
  if (customerId !== undefined) requireCustomer(world, merchantId, customerId);
  const customerIds = customerId === undefined ? [] : [customerId];
  const nowMs = world.now().getTime();
  if (orderId === undefined) {
    const currency = sale.currency ?? merchantCurrency;
    const times = { createdTime: nowMs, modifiedTime: nowMs };
    const id = newId(world);
    return { id, merchantId, currency, total: sale.amount, customerIds, ...times };
  }
  const order = orderOf(world, orderId);
  if (order.merchantId !== merchantId || (sale.currency ?? order.currency) !== order.currency) {
    throw new CommandRefused(`Order ${orderId} is another merchant's, or in another currency.`);
  }
  return {
    ...order,
    total: order.total + sale.amount,
    customerIds: [...new Set([...order.customerIds, ...customerIds])],
    modifiedTime: nextModifiedTime(world, order),
  };
}

function requireCustomer({ store }: World, merchantId: string, customerId: string): void {
  if (store.customers.get(customerId)?.merchantId !== merchantId) {
    throw new CommandRefused(`Merchant ${merchantId} has no customer ${customerId}.`);
  }
}

/** Each version is later than the previous one, even within a millisecond. */
function nextModifiedTime(world: World, { modifiedTime }: { modifiedTime: number }): number {
  return Math.max(world.now().getTime(), modifiedTime + 1);
}
