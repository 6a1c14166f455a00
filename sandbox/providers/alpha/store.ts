import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeAtomically } from '../../state.ts';
import { Random } from '../shared/random.ts';
import type { Code, Payment, Refund, SentEvent, Token } from './model.ts';
import { Change, type Customer, type Location, type Merchant } from './model.ts';

const KEPT_SETTLED_EVENTS = 1000;

const Line = z.object({ changes: z.array(Change), random: z.int().min(0) });
type Line = z.infer<typeof Line>;
type Owned<T> = { merchantId: string; value: T };

/**
 * Everything the simulated provider knows, in memory and, given a file, on disk.
 *
 * A write is one appended line, so that a process killed halfway leaves all of
 * it or, as a torn last line that the next start drops, nothing of it.
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
  readonly events = new Map<string, SentEvent>();
  readonly random: Random;
  readonly #file: string | undefined;
  #nextForgetting = 2 * KEPT_SETTLED_EVENTS;

  /** Reads the file when there is one; throws when anything but its last line is damaged. */
  constructor(options: { file: string | undefined; seed: number }) {
    this.#file = options.file;
    this.random = new Random(options.seed);
    if (this.#file === undefined) return;
    for (const line of readLines(this.#file)) {
      this.#apply(line.changes);
      this.random.state = line.random;
    }
    writeAtomically(this.#file, this.#compacted());
  }

  /** Makes all the changes, together and for good. */
  write(...changes: Change[]): void {
    if (this.#file !== undefined) appendFileSync(this.#file, toLine(changes, this.random));
    this.#apply(changes);
  }

  /** The customer under its id or one that was merged into it; undefined when there is none. */
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

  #apply(changes: readonly Change[]): void {
    for (const change of changes) this.#applyOne(change);
  }

  #applyOne(change: Change): void {
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
        this.events.set(change.value.id, change.value);
        if (this.events.size > this.#nextForgetting) this.#forgetSettledEvents();
        return;
      default:
        change satisfies never;
    }
  }

  /** Drops the oldest events that nobody waits for, so that a long run does not fill the memory. */
  #forgetSettledEvents(): void {
    const settled = [...this.events.values()].filter(({ state }) => state !== 'pending');
    for (const { id } of settled.slice(0, -KEPT_SETTLED_EVENTS)) this.events.delete(id);
    this.#nextForgetting = this.events.size + KEPT_SETTLED_EVENTS;
  }

  /** The present state as lines. */
  #compacted(): string {
    this.#forgetSettledEvents();
    // A code that was used opens no more than one that was never given.
    const codes = [...this.codes.values()].filter(({ isUsed }) => !isUsed);
    const changes: Change[] = [
      ...[...this.merchants.values()].map((value) => ({ kind: 'merchant' as const, value })),
      ...[...this.locations.values()].map((value) => ({ kind: 'location' as const, value })),
      ...[...this.customers.values()].map((owned) => ({ ...owned, kind: 'customer' as const })),
      ...[...this.merges].map(([from, into]) => ({ kind: 'merge' as const, from, into })),
      ...[...this.tokens.values()].map((value) => ({ kind: 'token' as const, value })),
      ...codes.map((value) => ({ kind: 'code' as const, value })),
      ...[...this.payments.values()].map((owned) => ({ ...owned, kind: 'payment' as const })),
      ...[...this.refunds.values()].map((value) => ({ kind: 'refund' as const, value })),
      ...[...this.events.values()].map((value) => ({ kind: 'event' as const, value })),
    ];
    return [[], ...changes.map((change) => [change])]
      .map((line) => toLine(line, this.random))
      .join('');
  }
}

function toLine(changes: readonly Change[], random: Random): string {
  return `${JSON.stringify({ changes, random: random.state })}\n`;
}

function readLines(file: string): Line[] {
  if (!existsSync(file)) return [];
  // What follows the last line end is a write that was never finished.
  const complete = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return complete.map((text, index) => {
    try {
      return Line.parse(JSON.parse(text));
    } catch (cause) {
      const where = `${file} is damaged in line ${index + 1}`;
      throw new Error(`${where}. Begin anew with: npm start -- --fresh`, { cause });
    }
  });
}
