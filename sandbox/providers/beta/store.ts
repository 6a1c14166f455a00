import { Random } from '../shared/random.ts';
import {
  Change,
  type Customer,
  type Merchant,
  type Message,
  type Order,
  type Payment,
  type Token,
} from './model.ts';
import { StateLog } from './state-log.ts';

const KEPT_SETTLED_MESSAGES = 1000;

/** Everything the simulated provider knows, in memory and, given a file, on disk. */
export class BetaStore {
  readonly merchants = new Map<string, Merchant>();
  readonly customers = new Map<string, Customer>();
  readonly orders = new Map<string, Order>();
  readonly payments = new Map<string, Payment>();
  readonly tokens = new Map<string, Token>();
  readonly messages = new Map<string, Message>();
  /** The ids of an order's payments, oldest first. */
  readonly paymentsOfOrder = new Map<string, Set<string>>();
  readonly random: Random;
  readonly #log: StateLog<Change> | undefined;
  #nextForgetting = 2 * KEPT_SETTLED_MESSAGES;

  /** Reads the file when there is one; throws when anything but its last line is damaged. */
  constructor(options: { file: string | undefined; seed: number }) {
    this.random = new Random(options.seed);
    if (options.file === undefined) return;
    this.#log = new StateLog(options.file, Change);
    this.#log.read((changes) => this.#apply(changes), this.random);
    this.#forgetSettledMessages();
    this.#log.rewrite(this.#present(), this.random);
  }

  /** Makes all the changes, together and for good. */
  write(...changes: Change[]): void {
    this.#log?.append(changes, this.random);
    this.#apply(changes);
  }

  #apply(changes: readonly Change[]): void {
    for (const change of changes) this.#applyOne(change);
  }

  #applyOne(change: Change): void {
    switch (change.kind) {
      case 'merchant':
        this.merchants.set(change.value.id, change.value);
        return;
      case 'customer':
        this.customers.set(change.value.id, change.value);
        return;
      case 'order':
        this.orders.set(change.value.id, change.value);
        return;
      case 'payment':
        this.payments.set(change.value.id, change.value);
        this.#noteOrderOf(change.value);
        return;
      case 'token':
        this.tokens.set(change.value.accessToken, change.value);
        return;
      case 'message':
        this.messages.set(change.value.id, change.value);
        if (this.messages.size > this.#nextForgetting) this.#forgetSettledMessages();
        return;
      default:
        change satisfies never;
    }
  }

  #noteOrderOf({ id, orderId }: Payment): void {
    if (orderId === undefined) return;
    const ids = this.paymentsOfOrder.get(orderId) ?? new Set();
    this.paymentsOfOrder.set(orderId, ids.add(id));
  }

  /** Drops the oldest messages that nobody waits for, so that a long run does not fill memory. */
  #forgetSettledMessages(): void {
    const settled = [...this.messages.values()].filter(({ state }) => state !== 'pending');
    for (const { id } of settled.slice(0, -KEPT_SETTLED_MESSAGES)) this.messages.delete(id);
    this.#nextForgetting = this.messages.size + KEPT_SETTLED_MESSAGES;
  }

  #present(): Change[] {
    return [
      ...[...this.merchants.values()].map((value) => ({ kind: 'merchant' as const, value })),
      ...[...this.customers.values()].map((value) => ({ kind: 'customer' as const, value })),
      ...[...this.orders.values()].map((value) => ({ kind: 'order' as const, value })),
      ...[...this.payments.values()].map((value) => ({ kind: 'payment' as const, value })),
      ...[...this.tokens.values()].map((value) => ({ kind: 'token' as const, value })),
      ...[...this.messages.values()].map((value) => ({ kind: 'message' as const, value })),
    ];
  }
}
