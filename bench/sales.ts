import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { ALPHA_WEBHOOK_PATH } from '../api/routes/webhooks/alpha.ts';
import { API_BASE_URL, SIGNATURE_KEY } from './settings.ts';

export const TENANTS = 100;
export const WALLETS = 10_000;

/** A series of webhooks, each of which can be told from its number alone, in any process. */
export const Plan = z.object({
  /** Part of every payment's id, so that two plans never share a payment. */
  name: z.string(),
  events: z.int().min(1),
  /** Every tenth event reports a payment that an earlier one reported. */
  duplicates: z.boolean().default(false),
  /**
   * Whom they are for: everybody in turn, the people of one tenant, one wallet, or nobody: a
   * merchant whom no tenant knows, whose events are stored and then left alone.
   */
  buyers: z.enum(['spread', 'one-tenant', 'hot', 'unknown']).default('spread'),
});
export type Plan = z.input<typeof Plan>;

export type Sale = { paymentId: string; merchantId: string; email: string; amount: number };

const DUPLICATE_EVERY = 10;
/** A duplicate follows its original closely, so that both meet in one batch or in two at once. */
const DUPLICATE_DISTANCE = 7;
/** Coprime to the number of wallets: neighbours in a series belong to different tenants. */
const STRIDE = 7_919;

/** The sale that the plan's event of this number reports. */
export function saleAt(plan: Plan, index: number): Sale {
  const isDuplicate = plan.duplicates && index % DUPLICATE_EVERY === DUPLICATE_EVERY - 1;
  const number = isDuplicate ? index - DUPLICATE_DISTANCE : index;
  const person = buyerOf(plan, number);
  return {
    paymentId: `${plan.name}-${number}`,
    merchantId: plan.buyers === 'unknown' ? 'NOBODY' : merchantOf(person),
    email: emailOf(person),
    amount: 100 + (number % 900),
  };
}

function buyerOf({ buyers }: Plan, number: number): number {
  if (buyers === 'hot') return 0;
  if (buyers === 'one-tenant') return (number * TENANTS) % WALLETS;
  return (number * STRIDE) % WALLETS;
}

/** Each payment of the plan once, by its id. */
export function paymentsOf(plan: Plan): Map<string, Sale> {
  const sales = Array.from({ length: plan.events }, (_, index) => saleAt(plan, index));
  return new Map(sales.map((sale) => [sale.paymentId, sale]));
}

/** The person's verified address. */
function emailOf(person: number): string {
  return `person${person}@example.com`;
}

/** The one tenant where the person has a wallet, by its merchant's id at the provider. */
export function merchantOf(person: number): string {
  return `MERCHANT${person % TENANTS}`;
}

/** The body of the event that reports the sale, as the provider writes it. */
export function bodyOf({ paymentId, merchantId, email, amount }: Sale): Buffer {
  const payment = {
    id: paymentId,
    created_at: '2026-01-15T10:00:00.086Z',
    updated_at: '2026-01-15T10:00:02.100Z',
    amount_money: { amount, currency: 'EUR' },
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

/** The whole HTTP request that delivers the sale, signed, ready to be written to a connection. */
export function requestOf(sale: Sale): Buffer {
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
