import { z } from 'zod';
import type { NormalizedPayment, PaymentState } from '../../../domain/payment.ts';
import type { UnreadablePayment } from '../provider.ts';
import { type Account, AccountCountry, AccountName } from '../shared/account.ts';
import { InvalidPayload } from '../shared/error.ts';
import { parseAs } from '../shared/json.ts';

// Resources of beta's API. Unknown fields and results are accepted; a reference may be empty ({}).

/** A list as the API returns it (`elements`), or flat as in beta's SDK; empty when absent. */
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .union([z.array(item), z.object({ elements: z.array(item).nullish() })])
    .nullish()
    .transform((list) => (Array.isArray(list) ? list : (list?.elements ?? [])));

const id = z.string().min(1).max(64);
const minorUnits = z.int().min(0);
const currency = z.string().regex(/^[A-Z]{3}$/);
const contact = z.string().max(320).nullish();
/** Milliseconds since 1970, from 2001 on, so that a time in seconds is refused. */
const moment = z
  .int()
  .min(1e12)
  .max(1e13)
  .transform((milliseconds) => new Date(milliseconds));

const Merchant = z.object({
  id,
  name: AccountName,
  defaultCurrency: currency.nullish(),
  properties: z.object({ defaultCurrency: currency.nullish() }).nullish(),
  address: z.object({ country: AccountCountry }).nullish().catch(null),
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
  modifiedTime: moment.nullish(),
  voidPaymentRef: z.object({ id: id.nullish() }).nullish(),
  refunds: listOf(Refund),
});

export type BetaMerchant = Account & { id: string };
export type BetaCustomer = { id: string; email: string | null; phone: string | null };
export type BetaOrder = {
  id: string;
  currency: string | null;
  /** The first customer of the order, who earns the points. */
  customerId: string | null;
  /** Empty unless requested. */
  paymentIds: string[];
};
/** A payment without currency and customer, which belong to its order. */
export type BetaPayment = Omit<
  NormalizedPayment,
  'currency' | 'providerCustomerId' | 'email' | 'phone'
> & { order: BetaOrder | null };

/** A payment of a list, or what is known of one that cannot be read. */
export type ListedBetaPayment = { at: Date; payment: BetaPayment } | UnreadablePayment;

/** Reads a merchant. Like the other readers, throws InvalidPayload for an unexpected shape. */
export function readBetaMerchant(json: unknown): BetaMerchant {
  const merchant = parseAs(Merchant, json, 'beta');
  const { defaultCurrency, properties } = merchant;
  const currency = defaultCurrency ?? properties?.defaultCurrency ?? null;
  const country = merchant.address?.country ?? null;
  return { id: merchant.id, name: merchant.name, currency, country };
}

/** Reads a customer's contacts: the primary e-mail, else the first; and the first phone. */
export function readBetaCustomer(json: unknown): BetaCustomer {
  const customer = parseAs(Customer, json, 'beta');
  const emails = customer.emailAddresses.filter((item) => item.emailAddress?.trim());
  const email = emails.find((item) => item.primaryEmail) ?? emails[0];
  const phone = customer.phoneNumbers.find((item) => item.phoneNumber?.trim());
  return {
    id: customer.id,
    email: email?.emailAddress ?? null,
    phone: phone?.phoneNumber ?? null,
  };
}

/** Reads an order: its currency, its customer and, if requested, its payments. */
export function readBetaOrder(json: unknown): BetaOrder {
  return orderOf(parseAs(Order.extend({ id }), json, 'beta'), '');
}

/** Converts a payment to our own model, with the part of its order that the resource includes. */
export function readBetaPayment(json: unknown): BetaPayment {
  const payment = parseAs(Payment, json, 'beta');
  const { createdTime, order } = payment;
  return {
    provider: 'beta',
    providerPaymentId: payment.id,
    state: stateOf(payment),
    amountMinorUnits: payment.amount,
    tipMinorUnits: payment.tipAmount ?? 0,
    refundedMinorUnits: payment.refunds.reduce((sum, refund) => sum + refundedAmount(refund), 0),
    // The client's time is written by a till, and can be chosen: what a sale earns depends on it.
    occurredAt: createdTime,
    changedAt: payment.modifiedTime ?? createdTime,
    locationId: null,
    order: order?.id ? orderOf(order, order.id) : null,
  };
}

const Page = z.object({ elements: z.array(z.unknown()).nullish() });
/** Id and time of an item, read leniently so that an invalid payment can still be identified. */
const Item = z.object({
  id: id.nullable().catch(null),
  createdTime: moment.nullable().catch(null),
});

/** Reads a page of payments. One that is invalid is returned as unreadable, beside the others. */
export function readBetaPage(json: unknown): ListedBetaPayment[] {
  const { elements } = parseAs(Page, json, 'beta');
  return (elements ?? []).map((item) => {
    try {
      const payment = readBetaPayment(item);
      return { at: payment.occurredAt, payment };
    } catch (error) {
      if (!(error instanceof InvalidPayload)) throw error;
      const { data } = Item.safeParse(item);
      return { at: data?.createdTime ?? null, id: data?.id ?? null, error: error.message };
    }
  });
}

function orderOf(order: z.infer<typeof Order>, orderId: string): BetaOrder {
  return {
    id: order.id ?? orderId,
    currency: order.currency ?? null,
    customerId: order.customers.find((customer) => customer.id)?.id ?? null,
    paymentIds: order.payments.map((payment) => payment.id),
  };
}

function stateOf({ result, voidPaymentRef }: z.infer<typeof Payment>): PaymentState {
  switch (result) {
    case 'SUCCESS':
    case 'AUTH_COMPLETED':
      return voidPaymentRef?.id ? 'voided' : 'settled';
    case 'VOIDED':
      return 'voided';
    case 'FAIL':
      return 'failed';
    default:
      return 'pending';
  }
}

/**
 * The states of a refund that is not completed, or was taken back. Any other counts: if it fails
 * after all, a later report without it gives the points back.
 */
const NOT_COMPLETED = /^(fail|pending|initiated|voiding|voided|rejected|declined|cancel)/i;

/** The refunded amount without the refunded tip, because tips earn no points. */
function refundedAmount(refund: z.infer<typeof Refund>): number {
  if (refund.voided || NOT_COMPLETED.test(refund.status ?? '')) return 0;
  return Math.max(0, refund.amount - (refund.tipAmount ?? 0));
}
