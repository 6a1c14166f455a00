import { z } from 'zod';

/** The scopes that the service requests. */
export const SCOPES = ['MERCHANT_PROFILE_READ', 'PAYMENTS_READ', 'CUSTOMERS_READ'] as const;

const id = z.string().min(1).max(192);
const time = z.iso.datetime();
const Money = z.object({ amount: z.int().min(0), currency: z.string().regex(/^[A-Z]{3}$/) });

export const Merchant = z.object({
  id,
  name: z.string(),
  mainLocationId: id,
  /** Of the account; a location may have another one. */
  currency: z.string().default('USD'),
});

// The objects below use the wire names, since the API sends them unchanged.
export const Location = z.object({
  id,
  merchant_id: id,
  name: z.string(),
  status: z.enum(['ACTIVE', 'INACTIVE']),
  country: z.string(),
  currency: z.string(),
  timezone: z.string(),
  created_at: time,
});

export const Customer = z.object({
  id,
  created_at: time,
  updated_at: time,
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  email_address: z.string().optional(),
  phone_number: z.string().optional(),
  creation_source: z.string(),
  version: z.int(),
});

export const Payment = z.object({
  id,
  created_at: time,
  updated_at: time,
  status: z.enum(['APPROVED', 'PENDING', 'COMPLETED', 'CANCELED', 'FAILED']),
  amount_money: Money,
  tip_money: Money.optional(),
  total_money: Money,
  approved_money: Money.optional(),
  refunded_money: Money.optional(),
  refund_ids: z.array(id).optional(),
  source_type: z.string(),
  card_details: z
    .object({
      status: z.enum(['AUTHORIZED', 'CAPTURED', 'VOIDED', 'FAILED']),
      card: z.object({ card_brand: z.string(), last_4: z.string() }),
      entry_method: z.string(),
    })
    .optional(),
  cash_details: z.object({ buyer_supplied_money: Money, change_back_money: Money }).optional(),
  external_details: z.object({ type: z.string(), source: z.string() }).optional(),
  is_offline_payment: z.boolean().optional(),
  offline_payment_details: z.object({ client_created_at: time }).optional(),
  customer_id: id.optional(),
  buyer_email_address: z.string().max(255).optional(),
  location_id: id,
  order_id: id,
  note: z.string().max(500).optional(),
  receipt_number: z.string().length(4),
  delay_duration: z.string().optional(),
  delay_action: z.string().optional(),
  delayed_until: time.optional(),
  version_token: z.string(),
});

export const Refund = z.object({
  id,
  payment_id: id,
  status: z.enum(['PENDING', 'COMPLETED', 'REJECTED', 'FAILED']),
  amount_money: Money,
  location_id: id,
  order_id: id,
  created_at: time,
  updated_at: time,
});

export const Token = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  merchantId: id,
  scopes: z.array(z.string()),
  expiresAt: time,
  revoked: z.boolean(),
  /** Whether the merchant's consent was revoked, so that the refresh token is invalid as well. */
  consentRevoked: z.boolean().default(false),
});

/** An authorization code, exchanged for a token at most once. */
export const Code = z.object({
  code: z.string(),
  merchantId: id,
  scopes: z.array(z.string()),
  redirectUri: z.string().optional(),
  expiresAt: time,
  isUsed: z.boolean(),
});

/** A webhook event; its body is fixed before the first attempt. */
export const SentEvent = z.object({
  id: z.uuid(),
  type: z.string(),
  merchantId: id,
  objectId: id,
  body: z.string(),
  attempts: z.int().min(0),
  firstAttemptAt: time.optional(),
  lastReason: z.enum(['http_timeout', 'http_error', 'other_error']).optional(),
  state: z.enum(['pending', 'delivered', 'given-up']),
});

export type Money = z.infer<typeof Money>;
export type Merchant = z.infer<typeof Merchant>;
export type Location = z.infer<typeof Location>;
export type Customer = z.infer<typeof Customer>;
export type Payment = z.infer<typeof Payment>;
export type Refund = z.infer<typeof Refund>;
export type Token = z.infer<typeof Token>;
export type Code = z.infer<typeof Code>;
export type SentEvent = z.infer<typeof SentEvent>;

/** A change of the simulated world; each replaces the state of one object. */
export const Change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merchant'), value: Merchant }),
  z.object({ kind: z.literal('location'), value: Location }),
  z.object({ kind: z.literal('customer'), merchantId: id, value: Customer }),
  z.object({ kind: z.literal('merge'), from: id, into: id }),
  z.object({ kind: z.literal('token'), value: Token }),
  z.object({ kind: z.literal('code'), value: Code }),
  z.object({ kind: z.literal('payment'), merchantId: id, value: Payment }),
  z.object({ kind: z.literal('refund'), value: Refund }),
  z.object({ kind: z.literal('event'), value: SentEvent }),
]);
export type Change = z.infer<typeof Change>;
