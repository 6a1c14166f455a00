import { requireMinorUnits } from '../shared/checks.ts';
import { CommandRefused } from '../shared/refusal.ts';
import { paymentEvent } from './events.ts';
import type { Money, Payment } from './model.ts';
import { publish } from './publish.ts';
import { locationOf, merchantOf, type World } from './world.ts';

const CAPTURE_HOURS = 36;
const MINUTE_MS = 60_000;

export type Sale = {
  merchantId: string;
  /** The main location when absent. */
  locationId?: string | undefined;
  /** In minor units, without the tip. */
  amount: number;
  tip?: number | undefined;
  /** The location's currency when absent. */
  currency?: string | undefined;
  customerId?: string | undefined;
  buyerEmail?: string | undefined;
  note?: string | undefined;
  /** A card when absent; only a card can be captured later or declined. */
  source?: 'CARD' | 'CASH' | 'EXTERNAL' | undefined;
  capture: 'at-once' | 'later' | 'declined';
  /** Taken by an offline point of sale, and uploaded only now. */
  takenOfflineMinutesAgo?: number | undefined;
};

/**
 * Rings a sale, whose payment is COMPLETED at once, APPROVED or FAILED; sends `payment.created`.
 *
 * Throws a CommandRefused, with nothing changed, when the sale is not possible.
 */
export function ring(world: World, sale: Sale): Payment {
  const { store } = world;
  const merchant = merchantOf(world, sale.merchantId);
  const location = locationOf(world, merchant, sale.locationId);
  const currency = sale.currency ?? location.currency;
  const money = (amount: number): Money => ({ amount: requireMinorUnits(amount), currency });
  if (sale.customerId !== undefined) requireCustomer(world, merchant.id, sale.customerId);

  const now = world.now();
  const total = money(sale.amount + (sale.tip ?? 0));
  const payment: Payment = {
    id: store.random.id('PAY', 21),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    amount_money: money(sale.amount),
    ...(sale.tip !== undefined && { tip_money: money(sale.tip) }),
    total_money: total,
    ...tenderOf(sale, total, now),
    ...offlineDetails(sale, now),
    location_id: location.id,
    order_id: store.random.id('ORD', 21),
    ...(sale.customerId !== undefined && { customer_id: sale.customerId }),
    ...(sale.buyerEmail !== undefined && { buyer_email_address: sale.buyerEmail }),
    ...(sale.note !== undefined && { note: sale.note }),
    receipt_number: store.random.id('', 4),
    version_token: store.random.id('', 24),
  };
  const event = paymentEvent('payment.created', payment, subject(world, merchant.id));
  publish(
    world,
    merchant.id,
    [{ kind: 'payment', merchantId: merchant.id, value: payment }],
    [event],
  );
  return payment;
}

/** Returns the merchant, the random sequence and the time for an event. */
export function subject(world: World, merchantId: string) {
  return { merchantId, random: world.store.random, now: world.now() };
}

/** Throws a CommandRefused unless the customer is one of the merchant's. */
export function requireCustomer(world: World, merchantId: string, customerId: string): void {
  if (world.store.customer(customerId)?.merchantId !== merchantId) {
    throw new CommandRefused(`Merchant ${merchantId} has no customer ${customerId}.`);
  }
}

/** The payment's fields for what it was paid with, and its status. */
function tenderOf(sale: Sale, total: Money, now: Date) {
  const { source = 'CARD' } = sale;
  if (source === 'CARD') return cardTender(sale.capture, total, now);
  if (sale.capture !== 'at-once') {
    throw new CommandRefused(
      `Only a card can be captured ${sale.capture}: ${source} is always paid at once.`,
    );
  }
  const paid = { status: 'COMPLETED', source_type: source } as const;
  const nothing = { amount: 0, currency: total.currency };
  return source === 'CASH'
    ? { ...paid, cash_details: { buyer_supplied_money: total, change_back_money: nothing } }
    : { ...paid, external_details: { type: 'OTHER_GIFT_CARD', source: 'Voucher' } };
}

function cardTender(capture: Sale['capture'], total: Money, now: Date) {
  const card = { card_brand: 'VISA', last_4: '1111' };
  const details = <T extends string>(status: T) => {
    return { source_type: 'CARD', card_details: { status, card, entry_method: 'EMV' } };
  };
  if (capture === 'declined') return { status: 'FAILED' as const, ...details('FAILED' as const) };
  const approved = { approved_money: total };
  if (capture === 'at-once') {
    return { status: 'COMPLETED' as const, ...details('CAPTURED' as const), ...approved };
  }
  return {
    status: 'APPROVED' as const,
    ...details('AUTHORIZED' as const),
    ...approved,
    delay_duration: `PT${CAPTURE_HOURS}H`,
    delay_action: 'CANCEL',
    delayed_until: new Date(now.getTime() + CAPTURE_HOURS * 60 * MINUTE_MS).toISOString(),
  };
}

function offlineDetails({ takenOfflineMinutesAgo: minutes }: Sale, now: Date) {
  if (minutes === undefined) return {};
  if (!(minutes >= 0))
    throw new CommandRefused('A sale taken offline must have been taken before now.');
  const client_created_at = new Date(now.getTime() - minutes * MINUTE_MS).toISOString();
  return { is_offline_payment: true, offline_payment_details: { client_created_at } };
}
