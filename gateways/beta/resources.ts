import { z } from 'zod';
import type { NormalizedPayment, PaymentState } from '../../domain/payment.ts';
import { readAs } from '../provider/json.ts';

// The answers of beta's API. Unknown fields and results pass; a reference may be an empty object.

/** A list as the API writes it (`elements`), or flat as beta's own SDK has it; none when absent. */
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .union([z.array(item), z.object({ elements: z.array(item).nullish() })])
    .nullish()
    .transform((list) => (Array.isArray(list) ? list : (list?.elements ?? [])));

const id = z.string().min(1).max(64);
const minorUnits = z.int().min(0);
const currency = z.string().regex(/^[A-Z]{3}$/);
const contact = z.string().max(320).nullish();
/** Milliseconds from 2001 on: seconds, in which beta counts elsewhere, are far below. */
const moment = z
  .int()
  .min(1e12)
  .max(1e13)
  .transform((milliseconds) => new Date(milliseconds));

const Merchant = z.object({
  id,
  defaultCurrency: currency.nullish(),
  properties: z.object({ defaultCurrency: currency.nullish() }).nullish(),
});

const Customer = z.object({
  id,
  emailAddresses: listOf(z.object({ emailAddress: contact, primaryEmail: z.boolean().nullish() })),
  phoneNumbers: listOf(z.object({ phoneNumber: contact })),
});

const Order = z.object({
  id: id.nullish(),
  currency: currency.nullish(),
  customers: listOf(z.object({ id: id.nullish() })),
  payments: listOf(z.object({ id })),
});

const Refund = z.object({
  amount: minorUnits,
  tipAmount: minorUnits.nullish(),
  voided: z.boolean().nullish(),
  status: z.string().nullish(),
});

const Payment = z.object({
  id,
  order: Order.nullish(),
  amount: minorUnits,
  tipAmount: minorUnits.nullish(),
  result: z.string(),
  createdTime: moment,
  // A till's own clock may say anything, which is no reason to refuse its payment.
  clientCreatedTime: moment.nullish().catch(null),
  modifiedTime: moment.nullish(),
  offline: z.boolean().nullish(),
  refunds: listOf(Refund),
});

export type BetaMerchant = { id: string; currency: string | null };
export type BetaCustomer = { id: string; email: string | null; phone: string | null };
export type BetaOrder = {
  id: string;
  currency: string | null;
  /** The first customer of the order, who earns. */
  customerId: string | null;
  /** As far as they were asked for. */
  paymentIds: string[];
};
/** All that the payment itself says; whose it is stands with its order. */
export type BetaPayment = Omit<
  NormalizedPayment,
  'currency' | 'providerCustomerId' | 'email' | 'phone'
> & { order: BetaOrder | null };

/** A merchant as beta answers about it. Throws InvalidPayload, as the others do. */
export function readBetaMerchant(answer: unknown): BetaMerchant {
  const merchant = readAs(Merchant, answer, 'beta');
  const { defaultCurrency, properties } = merchant;
  return { id: merchant.id, currency: defaultCurrency ?? properties?.defaultCurrency ?? null };
}

/** A customer's contacts as they were written: the primary e-mail, else the first; the first phone. */
export function readBetaCustomer(answer: unknown): BetaCustomer {
  const customer = readAs(Customer, answer, 'beta');
  const emails = customer.emailAddresses.filter((item) => item.emailAddress?.trim());
  const email = emails.find((item) => item.primaryEmail) ?? emails[0];
  const phone = customer.phoneNumbers.find((item) => item.phoneNumber?.trim());
  return {
    id: customer.id,
    email: email?.emailAddress ?? null,
    phone: phone?.phoneNumber ?? null,
  };
}

/** An order: its currency, its customer and, where they were asked for, its payments. */
export function readBetaOrder(answer: unknown): BetaOrder {
  return orderOf(readAs(Order.extend({ id }), answer, 'beta'), '');
}

/** A payment in our own words, with as much of its order as came along. */
export function readBetaPayment(answer: unknown): BetaPayment {
  const payment = readAs(Payment, answer, 'beta');
  const { createdTime, clientCreatedTime, order } = payment;
  return {
    provider: 'beta',
    providerPaymentId: payment.id,
    state: stateOf(payment.result),
    amountMinorUnits: payment.amount,
    tipMinorUnits: payment.tipAmount ?? 0,
    refundedMinorUnits: payment.refunds.reduce((sum, refund) => sum + refundedBy(refund), 0),
    occurredAt: (payment.offline ? clientCreatedTime : null) ?? createdTime,
    changedAt: payment.modifiedTime ?? createdTime,
    locationId: null,
    order: order?.id ? orderOf(order, order.id) : null,
  };
}

function orderOf(order: z.infer<typeof Order>, orderId: string): BetaOrder {
  return {
    id: order.id ?? orderId,
    currency: order.currency ?? null,
    customerId: order.customers.find((customer) => customer.id)?.id ?? null,
    paymentIds: order.payments.map((payment) => payment.id),
  };
}

function stateOf(result: string): PaymentState {
  switch (result) {
    case 'SUCCESS':
    case 'AUTH_COMPLETED':
      return 'settled';
    case 'VOIDED':
      return 'voided';
    case 'FAIL':
      return 'failed';
    default:
      return 'pending';
  }
}

/** A refund's amount includes the tip that was given back, which earned nothing. */
function refundedBy(refund: z.infer<typeof Refund>): number {
  if (refund.voided || /^fail/i.test(refund.status ?? '')) return 0;
  return Math.max(0, refund.amount - (refund.tipAmount ?? 0));
}
