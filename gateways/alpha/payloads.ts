import { z } from 'zod';
import type { NormalizedPayment, PaymentState } from '../../domain/payment.ts';
import { jsonIn, readAs } from '../provider/json.ts';

// The shapes of providers' bodies are known only in this folder. Unknown fields and states pass.

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
    object: z.object({ refund: z.object({ payment_id: z.string().min(1).max(192) }) }),
  }),
});

const RevokedEvent = Envelope.extend({ created_at: moment });

const CustomerAnswer = z.object({
  customer: z.object({ email_address: contact, phone_number: contact }),
});

/** As the provider wrote them. */
export type Contacts = { email: string | null; phone: string | null };

export type AlphaEvent = { merchantId: string; type: string };

/** Whose event it is and of which type. Throws InvalidPayload when the body does not say. */
export function readAlphaEnvelope(body: Buffer): AlphaEvent {
  const { merchant_id: merchantId, type } = readAs(Envelope, jsonIn(body), 'alpha');
  return { merchantId, type };
}

/** What an event of alpha is about. */
export type AlphaReport =
  | { kind: 'payment'; payment: NormalizedPayment }
  /** The payment itself has to be asked for: a refund does not say how much was given back before. */
  | { kind: 'refund'; paymentId: string }
  /** The merchant took our access back. */
  | { kind: 'revoked'; merchantId: string; revokedAt: Date }
  | { kind: 'other' };

/**
 * What an event reports. Throws InvalidPayload when it does not hold what its type says, naming the
 * fields but never their values.
 */
export function readAlphaReport(body: Buffer): AlphaReport {
  const json = jsonIn(body);
  const { type } = readAs(Envelope, json, 'alpha');
  switch (type) {
    case 'payment.created':
    case 'payment.updated':
      return {
        kind: 'payment',
        payment: normalise(readAs(PaymentEvent, json, 'alpha').data.object.payment),
      };
    case 'refund.created':
    case 'refund.updated':
      return {
        kind: 'refund',
        paymentId: readAs(RefundEvent, json, 'alpha').data.object.refund.payment_id,
      };
    case 'oauth.authorization.revoked':
      return readRevocation(json);
    default:
      return { kind: 'other' };
  }
}

function readRevocation(json: unknown): AlphaReport {
  const { merchant_id: merchantId, created_at: revokedAt } = readAs(RevokedEvent, json, 'alpha');
  return { kind: 'revoked', merchantId, revokedAt };
}

/** The contacts in alpha's answer about a customer. Throws InvalidPayload. */
export function readAlphaCustomer(answer: unknown): Contacts {
  const { customer } = readAs(CustomerAnswer, answer, 'alpha');
  return { email: customer.email_address ?? null, phone: customer.phone_number ?? null };
}

/** A payment as alpha writes it, in our own words. Throws InvalidPayload. */
export function normaliseAlphaPayment(json: unknown): NormalizedPayment {
  return normalise(readAs(AlphaPayment, json, 'alpha'));
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
    // An empty e-mail is none: it must not keep the customer from being asked for.
    providerCustomerId: payment.customer_id || null,
    email: payment.buyer_email_address || null,
    phone: null,
  };
}

function stateOf(status: string): PaymentState {
  if (status === 'COMPLETED') return 'settled';
  return status === 'CANCELED' || status === 'FAILED' ? 'failed' : 'pending';
}
