import { BetaError } from './refusal.ts';

/** The rate and concurrency limits of each token and of the app over all its tokens. */
export type Limits = {
  perSecond: number;
  concurrent: number;
  perSecondOverall: number;
  concurrentOverall: number;
  /** The first `retry-after` of a request above a concurrency limit; it doubles from there. */
  retryAfterSeconds: number;
};
export const REAL_LIMITS: Limits = {
  perSecond: 16,
  concurrent: 5,
  perSecondOverall: 50,
  concurrentOverall: 10,
  retryAfterSeconds: 1,
};
const MAX_WAIT_SECONDS = 32;
const SECOND_MS = 1000;
const KEPT_VIOLATIONS = 1000;

export type LimitName =
  | 'tokenLimit'
  | 'crossTokenLimit'
  | 'tokenConcurrentLimit'
  | 'crossTokenConcurrentLimit';
/** A request above a limit; `who` is the merchant, undefined with an unknown token. */
export type Violation = { limit: LimitName; who: string | undefined; at: string };

type Usage = { running: number; starts: number[]; waitUntilMs: number; waitSeconds: number };
type Rule = {
  usage: Usage;
  limits: { perSecond: number; concurrent: number };
  names: { rate: LimitName; concurrency: LimitName };
};

/** Refuses requests above the limits on running requests and on requests per second. */
export class Limiter {
  readonly #limits: Limits;
  readonly #elapsedMs: () => number;
  readonly #overall = newUsage();
  readonly #byToken = new Map<string, Usage>();
  readonly #violations: Violation[] = [];

  constructor(limits: Limits, elapsedMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#elapsedMs = elapsedMs;
  }

  /** Returns the newest 1,000 requests above a limit, oldest first. */
  violations(): Violation[] {
    return [...this.#violations];
  }

  /** Returns the number of running requests, over all tokens. */
  running(): number {
    return this.#overall.running;
  }

  /** Admits a request and returns the function that ends it; throws BetaError 429 above a limit. */
  enter(token: string, request: { who: string | undefined; at: string }): () => void {
    const nowMs = this.#elapsedMs();
    const rules = this.#rulesFor(token);
    for (const rule of rules) {
      const limit = exceeded(rule, nowMs);
      if (limit !== undefined) throw this.#refuse(rule, limit, nowMs, request);
    }
    for (const { usage } of rules) {
      usage.running += 1;
      usage.starts.push(nowMs);
      usage.waitSeconds = 0;
    }
    return () => {
      for (const { usage } of rules) usage.running -= 1;
    };
  }

  #rulesFor(token: string): Rule[] {
    const { perSecond, concurrent, perSecondOverall, concurrentOverall } = this.#limits;
    const usage = this.#byToken.get(token) ?? newUsage();
    this.#byToken.set(token, usage);
    return [
      {
        usage,
        limits: { perSecond, concurrent },
        names: { rate: 'tokenLimit', concurrency: 'tokenConcurrentLimit' },
      },
      {
        usage: this.#overall,
        limits: { perSecond: perSecondOverall, concurrent: concurrentOverall },
        names: { rate: 'crossTokenLimit', concurrency: 'crossTokenConcurrentLimit' },
      },
    ];
  }

  #refuse(
    { usage, limits, names }: Rule,
    limit: LimitName,
    nowMs: number,
    request: { who: string | undefined; at: string },
  ): BetaError {
    this.#violations.push({ limit, ...request });
    if (this.#violations.length > KEPT_VIOLATIONS) this.#violations.shift();
    if (limit === names.rate) return tooMany(limit, limits.perSecond);

    // A request that comes too early lengthens the wait.
    const doubled = usage.waitSeconds * 2 || this.#limits.retryAfterSeconds;
    usage.waitSeconds = Math.min(doubled, MAX_WAIT_SECONDS);
    usage.waitUntilMs = nowMs + usage.waitSeconds * SECOND_MS;
    return tooMany(limit, limits.concurrent, usage.waitSeconds);
  }
}

/** Builds the 429 that names the limit in a header, and the wait for a concurrency limit. */
export function tooMany(limit: LimitName, value: number, retryAfterSeconds?: number): BetaError {
  return new BetaError(429, undefined, {
    [`X-RateLimit-${limit}`]: String(value),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  });
}

function newUsage(): Usage {
  return { running: 0, starts: [], waitUntilMs: 0, waitSeconds: 0 };
}

function exceeded({ usage, limits, names }: Rule, nowMs: number): LimitName | undefined {
  usage.starts = usage.starts.filter((startedMs) => nowMs - startedMs < SECOND_MS);
  if (usage.running >= limits.concurrent || nowMs < usage.waitUntilMs) return names.concurrency;
  return usage.starts.length >= limits.perSecond ? names.rate : undefined;
}
