import { Outbox } from '../shared/outbox.ts';
import { Random } from '../shared/random.ts';
import { StateLog } from '../shared/state-log.ts';
import type { Code, Payment, Refund, SentEvent, Token } from './model.ts';
import { Change, type Customer, type Location, type Merchant } from './model.ts';

type Owned<T> = { merchantId: string; value: T };

/**
 * All data of the simulated provider, in memory and, given a file, on disk.
 *
 * Each write is one line of the file, so that a killed process leaves all of it or nothing.
 */
export class AlphaStore {
  readonly merchants = new Map<string, Merchant>();
  readonly locations = new Map<string, Location>();
  readonly customers = new Map<string, Owned<Customer>>();
  readonly merges = new Map<string, string>();
  readonly tokens = new Map<string, Token>();
  readonly codes = new Map<string, Code>();
  readonly payments = new Map<string, Owned<Payment>>();
  readonly refunds = new Map<string, Refund>();
  readonly events = new Outbox<SentEvent>();
  readonly random: Random;
  readonly #log: StateLog<Change>;

  /** Reads the file if it exists; throws when any line but the last is damaged. */
  constructor({ file, seed }: { file: string | undefined; seed: number }) {
    this.random = new Random(seed);
    this.#log = new StateLog(file, Change, this.random);
    this.#log.replay((change) => this.#apply(change));
    this.events.prune();
    this.#log.rewrite(this.#snapshot());
  }

  /** Makes all the changes, durably and as one unit. */
  write(...changes: Change[]): void {
    this.#log.append(changes);
    for (const change of changes) this.#apply(change);
  }

  /** Returns the customer with this id or a merged one; undefined when there is none. */
  customer(id: string): Owned<Customer> | undefined {
    const seen = new Set<string>();
    let current = id;
    for (let into = this.merges.get(id); into !== undefined; into = this.merges.get(current)) {
      if (seen.has(into)) return undefined;
      seen.add(into);
      current = into;
    }
    return this.customers.get(current);
  }

  #apply(change: Change): void {
    switch (change.kind) {
      case 'merchant':
        this.merchants.set(change.value.id, change.value);
        return;
      case 'location':
        this.locations.set(change.value.id, change.value);
        return;
      case 'customer':
        this.customers.set(change.value.id, change);
        return;
      case 'merge':
        this.merges.set(change.from, change.into);
        return;
      case 'token':
        this.tokens.set(change.value.accessToken, change.value);
        return;
      case 'code':
        this.codes.set(change.value.code, change.value);
        return;
      case 'payment':
        this.payments.set(change.value.id, change);
        return;
      case 'refund':
        this.refunds.set(change.value.id, change.value);
        return;
      case 'event':
        this.events.put(change.value);
        return;
      default:
        change satisfies never;
    }
  }

  /** Returns the present state, without used codes, which are refused like unknown ones. */
  #snapshot(): Change[] {
    const codes = [...this.codes.values()].filter(({ isUsed }) => !isUsed);
    return [
      ...[...this.merchants.values()].map((value) => ({ kind: 'merchant' as const, value })),
      ...[...this.locations.values()].map((value) => ({ kind: 'location' as const, value })),
      ...[...this.customers.values()].map((owned) => ({ ...owned, kind: 'customer' as const })),
      ...[...this.merges].map(([from, into]) => ({ kind: 'merge' as const, from, into })),
      ...[...this.tokens.values()].map((value) => ({ kind: 'token' as const, value })),
      ...codes.map((value) => ({ kind: 'code' as const, value })),
      ...[...this.payments.values()].map((owned) => ({ ...owned, kind: 'payment' as const })),
      ...[...this.refunds.values()].map((value) => ({ kind: 'refund' as const, value })),
      ...this.events.all().map((value) => ({ kind: 'event' as const, value })),
    ];
  }
}
