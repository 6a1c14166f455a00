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
 * The probability of each fault at a simulated provider, from 0 to 1.
 *
 * The first five act on webhooks, the others on REST responses. `clockSkew` is no probability: it
 * is the part of a minute by which the provider's clock is off.
 */
export const Chaos = z.partialRecord(z.enum(CHAOS_FAULTS), z.number().min(0).max(1));
export type Chaos = z.infer<typeof Chaos>;
export type ChaosFault = (typeof CHAOS_FAULTS)[number];

const UINT32 = 2 ** 32;
const MAX_SKEW_MS = 60_000;

/**
 * Decides by chance which faults happen; off at first, and repeatable by its seed.
 *
 * A draw depends on its subject and on the number of earlier draws for that subject, never on
 * anything else that happens at the same time.
 */
export class ChaosDial {
  readonly #seed: number;
  #chaos: Chaos = {};
  #skewMs = 0;
  #drawn = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Sets the probabilities, turns all other faults off, and restarts the draws. */
  set(chaos: Chaos): void {
    this.#chaos = Chaos.parse(chaos);
    this.#drawn = new Map();
    const skew = Math.round((this.#chaos.clockSkew ?? 0) * MAX_SKEW_MS);
    this.#skewMs = skew > 0 && this.#hash('direction') < 0.5 ? -skew : skew;
  }

  /** Returns the probabilities that are set. */
  get(): Chaos {
    return { ...this.#chaos };
  }

  /** Whether the fault happens now to its subject, such as a delivery attempt, path or payment. */
  hits(fault: ChaosFault, about: string): boolean {
    const share = this.#chaos[fault] ?? 0;
    return share > 0 && this.draw(fault, about) < share;
  }

  /** Draws the next number for this purpose and subject, from 0 up to but not including 1. */
  draw(purpose: string, about: string): number {
    const key = JSON.stringify([purpose, about]);
    const nth = this.#drawn.get(key) ?? 0;
    this.#drawn.set(key, nth + 1);
    return this.#hash(`${key}${nth}`);
  }

  /** The milliseconds by which the provider's clock is off; the seed decides the direction. */
  skewMs(): number {
    return this.#skewMs;
  }

  #hash(text: string): number {
    const hash = createHash('sha256').update(`${this.#seed}${text}`).digest();
    return hash.readUInt32BE(0) / UINT32;
  }
}
