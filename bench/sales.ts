import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { webhookPath } from '../domain/provider-paths.ts';
import { cardPaymentOf } from './card-payment.ts';
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
  /**
   * What the events report: sales; sales and half refunds of earlier ones (a quarter of the
   * events); or each sale twice, first approved, and completed a hundred events later.
   */
  reports: z.enum(['sales', 'refunds', 'pairs']).default('sales'),
  /** How an event names its buyer: by e-mail, or by an id that only the provider can resolve. */
  names: z.enum(['email', 'customer']).default('email'),
  /** Whether an event has all that the provider tells of a payment by card: 1.8 kB, not 0.4. */
  isWhole: z.boolean().default(false),
});
export type Plan = z.input<typeof Plan>;

export type Sale = {
  paymentId: string;
  merchantId: string;
  email: string;
  amount: number;
  /** What is refunded of it by the time of the report. */
  refunded?: number;
  /** Whether it is not settled yet, so that it earns nothing. */
  isPending?: boolean;
  /** The buyer's id at the provider, where the event names it in place of the e-mail. */
  customerId?: string;
  isWhole?: boolean;
};

const DUPLICATE_EVERY = 10;
/** A duplicate follows its original closely: both are in one batch, or in two concurrent ones. */
const DUPLICATE_DISTANCE = 7;
const REFUND_EVERY = 4;
/** How many events after its sale a refund is reported: in the next batch, or one beside it. */
const REFUND_DISTANCE = 121;
/** How many events after its approval a sale is completed: in the next batch of a hundred. */
const PAIR_DISTANCE = 100;
/** Coprime to the number of wallets, so that adjacent events belong to different tenants. */
const STRIDE = 7_919;

/** Returns the sale that the event with this number reports, as it is at that time. */
export function saleAt(plan: Plan, index: number): Sale {
  if (plan.reports === 'pairs') {
    const [pair, place] = [Math.floor(index / (2 * PAIR_DISTANCE)), index % (2 * PAIR_DISTANCE)];
    const sale = newSaleAt(plan, pair * PAIR_DISTANCE + (place % PAIR_DISTANCE));
    return place < PAIR_DISTANCE ? { ...sale, isPending: true } : sale;
  }
  const refunded = index - REFUND_DISTANCE;
  if (plan.reports === 'refunds' && index % REFUND_EVERY === 0 && refunded >= 0) {
    const sale = newSaleAt(plan, refunded);
    return { ...sale, refunded: Math.floor(sale.amount / 2) };
  }
  return newSaleAt(plan, index);
}

function newSaleAt(plan: Plan, index: number): Sale {
  const isDuplicate = plan.duplicates && index % DUPLICATE_EVERY === DUPLICATE_EVERY - 1;
  const number = isDuplicate ? index - DUPLICATE_DISTANCE : index;
  const consumer = buyerOf(plan, number);
  return {
    paymentId: `${plan.name}-${number}`,
    merchantId: plan.buyers === 'unknown' ? 'NOBODY' : merchantOf(consumer),
    email: emailOf(consumer),
    amount: 100 + (number % 900),
    ...(plan.names === 'customer' && { customerId: customerIdOf(consumer) }),
    ...(plan.isWhole && { isWhole: true }),
  };
}

function buyerOf({ buyers }: Plan, number: number): number {
  if (buyers === 'hot') return 0;
  if (buyers === 'one-tenant') return (number * TENANTS) % WALLETS;
  return (number * STRIDE) % WALLETS;
}

/** Returns each settled payment of the plan once, by its id, as its last event reports it. */
export function paymentsOf(plan: Plan): Map<string, Sale> {
  const sales = Array.from({ length: plan.events }, (_, index) => saleAt(plan, index));
  const settled = sales.filter(({ isPending = false }) => !isPending);
  return new Map(settled.map((sale) => [sale.paymentId, sale]));
}

/** Returns the verified e-mail address of the consumer. */
export function emailOf(consumer: number): string {
  return `person${consumer}@example.com`;
}

/** Returns the id of the consumer at the provider. */
export function customerIdOf(consumer: number): string {
  return `CUSTOMER${consumer}`;
}

/** Returns the merchant, by its id at the provider, where the consumer has their only wallet. */
export function merchantOf(consumer: number): string {
  return `MERCHANT${consumer % TENANTS}`;
}

/** Yesterday: sales from over a week before their shop was connected earn nothing. */
const DAY_OF_SALES = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);

/** Builds the body of the event that reports the sale, as the provider writes it. */
export function bodyOf(sale: Sale): Buffer {
  const { paymentId, merchantId, amount, refunded = 0, isPending = false } = sale;
  const payment = {
    ...(sale.isWhole && cardPaymentOf(sale)),
    id: paymentId,
    created_at: `${DAY_OF_SALES}T10:00:00.086Z`,
    updated_at: changedAt(sale),
    amount_money: { amount, currency: 'EUR' },
    refunded_money: refunded === 0 ? undefined : { amount: refunded, currency: 'EUR' },
    status: isPending ? 'APPROVED' : 'COMPLETED',
    source_type: 'CARD',
    location_id: 'LOCATION1',
    customer_id: sale.customerId,
    buyer_email_address: sale.customerId === undefined ? sale.email : undefined,
  };
  const body = {
    merchant_id: merchantId,
    type: 'payment.updated',
    event_id: `event-${paymentId}`,
    created_at: `${DAY_OF_SALES}T10:00:02.308Z`,
    data: { type: 'payment', id: paymentId, object: { payment } },
  };
  return Buffer.from(JSON.stringify(body), 'utf8');
}

/** The provider's time of the change, by which reports of one sale are put in order. */
function changedAt({ refunded = 0, isPending = false }: Sale): string {
  if (isPending) return `${DAY_OF_SALES}T10:00:01.090Z`;
  return `${DAY_OF_SALES}T${refunded > 0 ? '10:20:00.500' : '10:00:02.100'}Z`;
}

/** Builds the complete, signed HTTP request that delivers the sale. */
export function buildRequest(sale: Sale): Buffer {
  const body = bodyOf(sale);
  const path = `/api/v1${webhookPath('alpha')}`;
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
