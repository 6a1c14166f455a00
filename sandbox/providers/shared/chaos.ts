import { createHash } from 'node:crypto';
import { z } from 'zod';

export const CHAOS_FAULTS = [
  'duplicate',
  'reorder',
  'delay',
  'drop',
  'wrongKey',
  'tooMany',
  'serverError',
  'expiredToken',
  'notFoundFirst',
  'clockSkew',
] as const;

/**
 * How much goes wrong at a simulated provider: for each fault, what share of the chances it takes.
 *
 * The first five act on webhooks, the others on REST answers. `clockSkew` is no chance: it is the
 * share of a minute by which the provider's clock is off.
 */
export const Chaos = z.partialRecord(z.enum(CHAOS_FAULTS), z.number().min(0).max(1));
export type Chaos = z.infer<typeof Chaos>;
export type ChaosFault = (typeof CHAOS_FAULTS)[number];

const UINT32 = 2 ** 32;
const MAX_SKEW_MS = 60_000;

/**
 * The dial that a provider's faults hang on: off at first, and repeatable by its seed.
 *
 * A draw depends on what it is about and on how often that was drawn before, never on what else
 * happens at the same time.
 */
export class ChaosDial {
  readonly #seed: number;
  #chaos: Chaos = {};
  #skewMs = 0;
  #drawn = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Turns every fault to the share given, the others off, and begins the draws anew. */
  set(chaos: Chaos): void {
    this.#chaos = Chaos.parse(chaos);
    this.#drawn = new Map();
    const skew = Math.round((this.#chaos.clockSkew ?? 0) * MAX_SKEW_MS);
    this.#skewMs = skew > 0 && this.#hash('direction') < 0.5 ? -skew : skew;
  }

  /** The shares as they are set. */
  get(): Chaos {
    return { ...this.#chaos };
  }

  /** Whether the fault happens to this one now: an event's attempt, a request's path, a payment. */
  hits(fault: ChaosFault, about: string): boolean {
    const share = this.#chaos[fault] ?? 0;
    return share > 0 && this.draw(fault, about) < share;
  }

  /** The next number from 0 up to, but not including, 1 for this purpose and thing. */
  draw(purpose: string, about: string): number {
    const key = JSON.stringify([purpose, about]);
    const nth = this.#drawn.get(key) ?? 0;
    this.#drawn.set(key, nth + 1);
    return this.#hash(`${key}${nth}`);
  }

  /** By how many milliseconds the provider's clock is off, ahead or behind as the seed has it. */
  skewMs(): number {
    return this.#skewMs;
  }

  #hash(text: string): number {
    const hash = createHash('sha256').update(`${this.#seed}${text}`).digest();
    return hash.readUInt32BE(0) / UINT32;
  }
}
