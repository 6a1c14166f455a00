import { Outbox } from '../shared/outbox.ts';
import { Random } from '../shared/random.ts';
import { StateLog } from '../shared/state-log.ts';
import {
  Change,
  type Customer,
  type Merchant,
  type Message,
  type Order,
  type Payment,
  type Token,
} from './model.ts';

/** All data of the simulated provider, in memory and, given a file, on disk. */
export class BetaStore {
  readonly merchants = new Map<string, Merchant>();
  readonly customers = new Map<string, Customer>();
  readonly orders = new Map<string, Order>();
  readonly payments = new Map<string, Payment>();
  readonly tokens = new Map<string, Token>();
  readonly messages = new Outbox<Message>();
  /** The ids of an order's payments, oldest first. */
  readonly paymentsOfOrder = new Map<string, Set<string>>();
  readonly random: Random;
  readonly #log: StateLog<Change>;

  /** Reads the file if it exists; throws when any line but the last is damaged. */
  constructor({ file, seed }: { file: string | undefined; seed: number }) {
    this.random = new Random(seed);
    this.#log = new StateLog(file, Change, this.random);
    this.#log.replay((change) => this.#apply(change));
    this.messages.prune();
    this.#log.rewrite(this.#snapshot());
  }

  /** Makes all the changes, durably and as one unit. */
  write(...changes: Change[]): void {
    this.#log.append(changes);
    for (const change of changes) this.#apply(change);
  }

  #apply(change: Change): void {
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
        this.messages.put(change.value);
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

  #snapshot(): Change[] {
    return [
      ...[...this.merchants.values()].map((value) => ({ kind: 'merchant' as const, value })),
      ...[...this.customers.values()].map((value) => ({ kind: 'customer' as const, value })),
      ...[...this.orders.values()].map((value) => ({ kind: 'order' as const, value })),
      ...[...this.payments.values()].map((value) => ({ kind: 'payment' as const, value })),
      ...[...this.tokens.values()].map((value) => ({ kind: 'token' as const, value })),
      ...this.messages.all().map((value) => ({ kind: 'message' as const, value })),
    ];
  }
}
