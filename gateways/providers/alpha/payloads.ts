import { z } from 'zod';
import type { NormalizedPayment, PaymentState } from '../../../domain/payment.ts';
import type { Contacts } from '../provider.ts';
import { type Account, AccountCountry, AccountCurrency, AccountName } from '../shared/account.ts';
import { parseAs, parseJson } from '../shared/json.ts';

// Alpha's payloads are known only in this folder. Unknown fields and states are accepted.

const money = z.object({
  amount: z.int().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const contact = z.string().max(320).nullish();

const AlphaPayment = z.object({
  id: z.string().min(1).max(192),
  status: z.string(),
  created_at: moment,
  updated_at: moment.optional(),
  amount_money: money,
  tip_money: money.nullish(),
  refunded_money: money.nullish(),
  customer_id: z.string().max(192).nullish(),
  buyer_email_address: contact,
  location_id: z.string().max(192).nullish(),
  offline_payment_details: z.object({ client_created_at: moment.optional() }).nullish(),
});

const Envelope = z.object({
  merchant_id: z.string().min(1).max(191),
  type: z.string().min(1).max(200),
});

const PaymentEvent = z.object({
  data: z.object({ object: z.object({ payment: AlphaPayment }) }),
});

const RefundEvent = z.object({
  data: z.object({
    object: z.object({ refund: z.object({ payment_id: z.string().max(192).nullish() }) }),
  }),
});

/** The type of the events that the service stores itself, to have a listed payment fetched. */
export const LISTED_PAYMENT = 'payment.listed';
const ListedPaymentEvent = z.object({ data: z.object({ id: z.string().min(1).max(192) }) });

const RevokedEvent = Envelope.extend({ created_at: moment });

const CustomerResponse = z.object({
  customer: z.object({ email_address: contact, phone_number: contact }),
});

const MerchantResponse = z.object({
  merchant: z.object({
    business_name: AccountName,
    currency: AccountCurrency,
    country: AccountCountry,
  }),
});

export type AlphaEvent = { merchantId: string; type: string };

/** Reads the merchant and the type of an event. Throws InvalidPayload when either is missing. */
export function readAlphaEnvelope(body: Buffer): AlphaEvent {
  const { merchant_id: merchantId, type } = parseAs(Envelope, parseJson(body), 'alpha');
  return { merchantId, type };
}

/** The content of an alpha event. */
export type AlphaReport =
  | { kind: 'payment'; payment: NormalizedPayment }
  /**
   * The payment has to be fetched: a refund does not include the total of earlier refunds, and a
   * payment whose poll failed may have changed since.
   */
  | { kind: 'refund'; paymentId: string }
  /** The merchant revoked our access. */
  | { kind: 'revoked'; merchantId: string; revokedAt: Date }
  | { kind: 'other' };

/**
 * Reads what an event reports. Throws InvalidPayload when the body does not match its type; the
 * error names the invalid fields but never their values.
 */
export function readAlphaReport(body: Buffer): AlphaReport {
  const json = parseJson(body);
  const { type } = parseAs(Envelope, json, 'alpha');
  switch (type) {
    case 'payment.created':
    case 'payment.updated':
      return {
        kind: 'payment',
        payment: normalise(parseAs(PaymentEvent, json, 'alpha').data.object.payment),
      };
    case 'refund.created':
    case 'refund.updated':
      return readRefund(json);
    case LISTED_PAYMENT:
      return { kind: 'refund', paymentId: parseAs(ListedPaymentEvent, json, 'alpha').data.id };
    case 'oauth.authorization.revoked':
      return readRevocation(json);
    default:
      return { kind: 'other' };
  }
}

/** Builds the body of the event that has a payment fetched. */
export function listedPaymentBody(payment: { merchantId: string; paymentId: string }): Buffer {
  const { merchantId, paymentId } = payment;
  const event = { merchant_id: merchantId, type: LISTED_PAYMENT, data: { id: paymentId } };
  return Buffer.from(JSON.stringify(event), 'utf8');
}

/** A refund without a payment, such as of one that another provider took, concerns no sale. */
function readRefund(json: unknown): AlphaReport {
  const { payment_id: paymentId } = parseAs(RefundEvent, json, 'alpha').data.object.refund;
  return paymentId ? { kind: 'refund', paymentId } : { kind: 'other' };
}

function readRevocation(json: unknown): AlphaReport {
  const { merchant_id: merchantId, created_at: revokedAt } = parseAs(RevokedEvent, json, 'alpha');
  return { kind: 'revoked', merchantId, revokedAt };
}

/** Reads the contacts in a response about a customer. Throws InvalidPayload. */
export function readAlphaCustomer(response: unknown): Contacts {
  const { customer } = parseAs(CustomerResponse, response, 'alpha');
  // An empty contact names nobody.
  return { email: customer.email_address || null, phone: customer.phone_number || null };
}

/** Reads the merchant in a response about the token's account. Throws InvalidPayload. */
export function readAlphaMerchant(response: unknown): Account {
  const { merchant } = parseAs(MerchantResponse, response, 'alpha');
  const { business_name: name, currency, country } = merchant;
  return { name, currency, country };
}

/** Converts alpha's payment to our own model. Throws InvalidPayload. */
export function normaliseAlphaPayment(json: unknown): NormalizedPayment {
  return normalise(parseAs(AlphaPayment, json, 'alpha'));
}

function normalise(payment: z.infer<typeof AlphaPayment>): NormalizedPayment {
  return {
    provider: 'alpha',
    providerPaymentId: payment.id,
    state: stateOf(payment.status),
    amountMinorUnits: payment.amount_money.amount,
    tipMinorUnits: payment.tip_money?.amount ?? 0,
    refundedMinorUnits: payment.refunded_money?.amount ?? 0,
    currency: payment.amount_money.currency,
    occurredAt: payment.offline_payment_details?.client_created_at ?? payment.created_at,
    changedAt: payment.updated_at ?? payment.created_at,
    locationId: payment.location_id ?? null,
    // An empty e-mail counts as missing, so that the customer is still fetched.
    providerCustomerId: payment.customer_id || null,
    email: payment.buyer_email_address || null,
    phone: null,
  };
}

function stateOf(status: string): PaymentState {
  if (status === 'COMPLETED') return 'settled';
  return status === 'CANCELED' || status === 'FAILED' ? 'failed' : 'pending';
}
