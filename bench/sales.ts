import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { ALPHA_WEBHOOK_PATH } from '../api/routes/webhooks/alpha.ts';
import { API_BASE_URL, SIGNATURE_KEY } from './settings.ts';

export const TENANTS = 100;
export const WALLETS = 10_000;

/** A series of webhooks; any process can derive each of them from the plan and its number alone. */
export const Plan = z.object({
  /** Part of every payment id, so that two plans never share a payment. */
  name: z.string(),
  events: z.int().min(1),
  /** Whether every tenth event repeats the payment of an earlier one. */
  duplicates: z.boolean().default(false),
  /**
   * Who buys: all consumers in turn, those of one tenant, or a single one (a hot wallet).
   * `unknown`: the sales are of a merchant that no tenant has connected, so their events are stored
   * and not dispatched.
   */
  buyers: z.enum(['spread', 'one-tenant', 'hot', 'unknown']).default('spread'),
});
export type Plan = z.input<typeof Plan>;

export type Sale = {
  paymentId: string;
  merchantId: string;
  email: string;
  amount: number;
  /** What is refunded of it by the time of the report. */
  refunded?: number;
};

const DUPLICATE_EVERY = 10;
/** A duplicate follows its original closely: both are in one batch, or in two concurrent ones. */
const DUPLICATE_DISTANCE = 7;
/** Coprime to the number of wallets, so that adjacent events belong to different tenants. */
const STRIDE = 7_919;

/** Returns the sale that the event with this number reports. */
export function saleAt(plan: Plan, index: number): Sale {
  const isDuplicate = plan.duplicates && index % DUPLICATE_EVERY === DUPLICATE_EVERY - 1;
  const number = isDuplicate ? index - DUPLICATE_DISTANCE : index;
  const consumer = buyerOf(plan, number);
  return {
    paymentId: `${plan.name}-${number}`,
    merchantId: plan.buyers === 'unknown' ? 'NOBODY' : merchantOf(consumer),
    email: emailOf(consumer),
    amount: 100 + (number % 900),
  };
}

function buyerOf({ buyers }: Plan, number: number): number {
  if (buyers === 'hot') return 0;
  if (buyers === 'one-tenant') return (number * TENANTS) % WALLETS;
  return (number * STRIDE) % WALLETS;
}

/** Returns each payment of the plan once, by its id. */
export function paymentsOf(plan: Plan): Map<string, Sale> {
  const sales = Array.from({ length: plan.events }, (_, index) => saleAt(plan, index));
  return new Map(sales.map((sale) => [sale.paymentId, sale]));
}

/** Returns the verified e-mail address of the consumer. */
export function emailOf(consumer: number): string {
  return `person${consumer}@example.com`;
}

/** Returns the merchant, by its id at the provider, where the consumer has their only wallet. */
export function merchantOf(consumer: number): string {
  return `MERCHANT${consumer % TENANTS}`;
}

/** Builds the body of the event that reports the sale, as the provider writes it. */
export function bodyOf({ paymentId, merchantId, email, amount, refunded = 0 }: Sale): Buffer {
  const payment = {
    id: paymentId,
    created_at: '2026-01-15T10:00:00.086Z',
    updated_at: '2026-01-15T10:00:02.100Z',
    amount_money: { amount, currency: 'EUR' },
    refunded_money: refunded === 0 ? undefined : { amount: refunded, currency: 'EUR' },
    status: 'COMPLETED',
    source_type: 'CARD',
    location_id: 'LOCATION1',
    buyer_email_address: email,
  };
  const body = {
    merchant_id: merchantId,
    type: 'payment.updated',
    event_id: `event-${paymentId}`,
    created_at: '2026-01-15T10:00:02.308Z',
    data: { type: 'payment', id: paymentId, object: { payment } },
  };
  return Buffer.from(JSON.stringify(body), 'utf8');
}

/** Builds the complete, signed HTTP request that delivers the sale. */
export function buildRequest(sale: Sale): Buffer {
  const body = bodyOf(sale);
  const path = `/api/v1${ALPHA_WEBHOOK_PATH}`;
  const signature = createHmac('sha256', SIGNATURE_KEY)
    .update(`${API_BASE_URL}${path}`, 'utf8')
    .update(body)
    .digest('base64');
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `X-Alpha-HmacSha256-Signature: ${signature}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}
