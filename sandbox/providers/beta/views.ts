import type { Customer, Merchant, Order, Payment, Permission } from './model.ts';
import type { World } from './world.ts';

const EXPANDED_ITEMS = 100;

/** The fields that a request expands; unknown ones are ignored. */
export type Expansions = ReadonlySet<string>;

/** Renders a merchant for the API. */
export function merchantView(merchant: Merchant, expand: Expansions) {
  const { id, name, currency, ownerId, createdTime } = merchant;
  return {
    id,
    name,
    owner: { id: ownerId },
    defaultCurrency: currency,
    isBillable: false,
    createdTime,
    ...(expand.has('properties') && { properties: { defaultCurrency: currency } }),
    ...(expand.has('address') && { address: { country: 'US' } }),
  };
}

/** Renders a payment for the API: order as a reference and no refunds, unless expanded. */
export function paymentView(world: World, payment: Payment, expand: Expansions) {
  const { store } = world;
  const { id, merchantId, orderId, amount, tipAmount, taxAmount, result, offline } = payment;
  const { createdTime, clientCreatedTime, modifiedTime, voidReason } = payment;
  const merchant = store.merchants.get(merchantId);
  const order = orderId === undefined ? undefined : store.orders.get(orderId);
  return {
    id,
    ...(order && {
      order: expand.has('order') ? orderView(world, order, NO_EXPANSIONS) : { id: order.id },
    }),
    device: { id: merchant?.deviceId },
    tender: {
      id: merchant?.tenderId,
      ...(expand.has('tender') && {
        label: 'Credit Card',
        labelKey: 'com.beta.tender.credit_card',
      }),
    },
    amount,
    tipAmount,
    taxAmount,
    cashbackAmount: 0,
    employee: { id: merchant?.ownerId },
    createdTime,
    clientCreatedTime,
    modifiedTime,
    offline,
    result,
    ...(result === 'VOIDED' && { voidPaymentRef: { id }, voidReason }),
    ...(expand.has('refunds') && { refunds: elements(refundViews(payment)) }),
  };
}

/** Renders an order for the API: no customers, payments or refunds, unless expanded. */
export function orderView(world: World, order: Order, expand: Expansions): object {
  const { store } = world;
  const { id, currency, total, createdTime, modifiedTime } = order;
  const payments = [...(store.paymentsOfOrder.get(id) ?? [])].flatMap(
    (paymentId) => store.payments.get(paymentId) ?? [],
  );
  const customers = order.customerIds.flatMap(
    (customerId) => store.customers.get(customerId) ?? [],
  );
  const paymentState = paymentStateOf(total, payments);
  return {
    id,
    currency,
    total,
    createdTime,
    modifiedTime,
    paymentState,
    state: paymentState === 'OPEN' ? 'open' : 'locked',
    ...(expand.has('customers') && { customers: elements(customers.map(nameView)) }),
    ...(expand.has('payments') && {
      payments: elements(payments.map((payment) => paymentView(world, payment, NO_EXPANSIONS))),
    }),
    ...(expand.has('refunds') && { refunds: elements(payments.flatMap(refundViews)) }),
  };
}

/** Renders a customer for the API: no contacts, unless expanded and permitted. */
export function customerView(
  customer: Customer,
  expand: Expansions,
  permissions: readonly Permission[],
) {
  const mails = expand.has('emailAddresses') && permissions.includes('CUSTOMERS_EMAIL_R');
  const phones = expand.has('phoneNumbers') && permissions.includes('CUSTOMERS_PHONE_R');
  return {
    ...nameView(customer),
    customerSince: customer.customerSince,
    marketingAllowed: false,
    ...(mails && { emailAddresses: elements(customer.emails) }),
    ...(phones && { phoneNumbers: elements(customer.phones) }),
  };
}

const NO_EXPANSIONS: Expansions = new Set();

function nameView({ id, firstName, lastName }: Customer) {
  return { id, firstName, lastName };
}

function refundViews({ id, refunds }: Payment) {
  return refunds.map((refund) => ({ ...refund, payment: { id } }));
}

/** Renders an expanded list, which stops at 100 items without a way to the rest. */
function elements<T>(items: readonly T[]) {
  return { elements: items.slice(0, EXPANDED_ITEMS) };
}

function paymentStateOf(total: number, payments: readonly Payment[]) {
  const paid = payments.filter(({ result }) => result === 'SUCCESS');
  const paidSum = paid.reduce((sum, { amount, tipAmount }) => sum + amount + tipAmount, 0);
  const refunds = paid.flatMap((payment) => payment.refunds);
  const refundedSum = refunds.reduce((sum, { amount }) => sum + amount, 0);
  if (paid.length === 0) return 'OPEN';
  if (refundedSum > 0) return refundedSum >= paidSum ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  return paidSum >= total ? 'PAID' : 'PARTIALLY_PAID';
}
