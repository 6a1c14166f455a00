import type { Journal } from '../shared/journal.ts';
import { CommandRefused } from '../shared/refusal.ts';
import type { RestChaos } from '../shared/rest-chaos.ts';
import type { Merchant, Message, Order, Payment, Result } from './model.ts';
import type { BetaError } from './refusal.ts';
import type { BetaStore } from './store.ts';

/** The state and the services that all parts of the simulator share. */
export type World = {
  readonly store: BetaStore;
  readonly journal: Journal;
  readonly restChaos: RestChaos<BetaError>;
  /** Whether the next message is lost for good. */
  losesNext: boolean;
  readonly appId: string;
  /** The keys of the objects that the app subscribes to, such as P for payments. */
  readonly subscriptions: ReadonlySet<string>;
  /** The provider's clock. */
  readonly now: () => Date;
  /** Delivers messages in the background; they must already be in the store. */
  readonly send: (messages: readonly Message[]) => void;
  /** Where people see what the service made of a payment, if there is such a page. */
  readonly outcomeUrl: ((paymentId: string) => string) | undefined;
};

/** Returns the merchant; throws a CommandRefused when the id is unknown. */
export function merchantOf({ store }: World, merchantId: string): Merchant {
  const merchant = store.merchants.get(merchantId);
  if (merchant === undefined) throw new CommandRefused(`There is no merchant ${merchantId}.`);
  return merchant;
}

/** Returns the order; throws a CommandRefused when the id is unknown. */
export function orderOf({ store }: World, orderId: string): Order {
  const order = store.orders.get(orderId);
  if (order === undefined) throw new CommandRefused(`There is no order ${orderId}.`);
  return order;
}

/** Returns the payment; throws a CommandRefused when the id is unknown. */
export function paymentOf({ store }: World, paymentId: string): Payment {
  const payment = store.payments.get(paymentId);
  if (payment === undefined) throw new CommandRefused(`There is no payment ${paymentId}.`);
  return payment;
}

const PENDING_RESULTS: readonly Result[] = ['INITIATED', 'PENDING', 'AUTH', 'OFFLINE_RETRYING'];

/** Whether the payment has no final result yet. */
export function isPending({ result }: Payment): boolean {
  return PENDING_RESULTS.includes(result);
}

/** Returns what can still be refunded, tip included, in minor units; 0 when it never succeeded. */
export function refundable({ result, amount, tipAmount, refunds }: Payment): number {
  if (result !== 'SUCCESS') return 0;
  return amount + tipAmount - refunds.reduce((sum, refund) => sum + refund.amount, 0);
}

/** Returns the currency of a payment: its order's, or the merchant's when it has none. */
export function currencyOf(world: World, { orderId, merchantId }: Payment): string {
  const order = orderId === undefined ? undefined : world.store.orders.get(orderId);
  return order?.currency ?? merchantOf(world, merchantId).currency;
}
