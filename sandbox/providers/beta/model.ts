import { z } from 'zod';

/** What an app may read. Permissions are fixed on the app, so OAuth requests no scopes. */
export const PERMISSIONS = [
  'MERCHANT_R',
  'PAYMENTS_R',
  'ORDERS_R',
  'CUSTOMERS_R',
  'CUSTOMERS_EMAIL_R',
  'CUSTOMERS_PHONE_R',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The results that a payment can have, pending ones included. */
export const RESULTS = [
  'SUCCESS',
  'FAIL',
  'INITIATED',
  'PENDING',
  'AUTH',
  'AUTH_COMPLETED',
  'OFFLINE_RETRYING',
  'VOIDED',
  'VOIDING',
  'VOID_FAILED',
  'DISCOUNT',
] as const;
export type Result = (typeof RESULTS)[number];

const id = z.string().min(1).max(64);
const millis = z.int().min(0);
const amount = z.int().min(0);
const currency = z.string().regex(/^[A-Z]{3}$/);

const Merchant = z.object({
  id,
  name: z.string(),
  currency,
  ownerId: id,
  deviceId: z.uuid(),
  tenderId: id,
  createdTime: millis,
});

const Customer = z.object({
  id,
  merchantId: id,
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  emails: z.array(z.object({ id, emailAddress: z.string(), primaryEmail: z.boolean() })),
  phones: z.array(z.object({ id, phoneNumber: z.string() })),
  customerSince: millis,
});

const Order = z.object({
  id,
  merchantId: id,
  currency,
  total: amount,
  customerIds: z.array(id),
  createdTime: millis,
  modifiedTime: millis,
});

const Refund = z.object({ id, amount, createdTime: millis });

const Payment = z.object({
  id,
  merchantId: id,
  orderId: id.optional(),
  amount,
  tipAmount: amount,
  taxAmount: amount,
  result: z.enum(RESULTS),
  offline: z.boolean(),
  refunds: z.array(Refund),
  voidReason: z.string().optional(),
  createdTime: millis,
  clientCreatedTime: millis,
  modifiedTime: millis,
});

const Token = z.object({
  accessToken: z.string(),
  merchantId: id,
  permissions: z.array(z.enum(PERMISSIONS)),
  expiresAt: millis,
  revoked: z.boolean(),
  /** Removed once used, since it is valid only once. */
  refresh: z.object({ token: z.string(), expiresAt: millis }).optional(),
});

const Update = z.object({
  objectId: z.string().regex(/^[A-Z]{1,2}:./),
  type: z.enum(['CREATE', 'UPDATE', 'DELETE']),
  ts: millis,
});

/** A webhook message; its content is fixed when it is first sent. */
const Message = z.object({
  id: z.uuid(),
  merchants: z.record(id, z.array(Update)),
  attempts: z.int().min(0),
  state: z.enum(['pending', 'merged', 'delivered', 'lost']),
});

export type Merchant = z.infer<typeof Merchant>;
export type Customer = z.infer<typeof Customer>;
export type Order = z.infer<typeof Order>;
export type Refund = z.infer<typeof Refund>;
export type Payment = z.infer<typeof Payment>;
export type Token = z.infer<typeof Token>;
export type Update = z.infer<typeof Update>;
export type Message = z.infer<typeof Message>;

/** A change of the simulated world; each replaces the state of one object. */
export const Change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merchant'), value: Merchant }),
  z.object({ kind: z.literal('customer'), value: Customer }),
  z.object({ kind: z.literal('order'), value: Order }),
  z.object({ kind: z.literal('payment'), value: Payment }),
  z.object({ kind: z.literal('token'), value: Token }),
  z.object({ kind: z.literal('message'), value: Message }),
]);
export type Change = z.infer<typeof Change>;
