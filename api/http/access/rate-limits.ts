import { RateLimiterMemory, RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { Db } from '../../../db/connection.ts';
import { createSharedCounter } from '../../../db/rate-limits.ts';
import type { Logger } from '../../../gateways/telemetry/logger.ts';
import { HttpRefusal } from '../replies/errors.ts';

/** The rate limits, by the names that the response headers give them. */
export type LimitName = 'reads' | 'writes' | 'lookups' | 'webhooks';

type Headers = Readonly<Record<string, string>>;

/**
 * Each counts one request of `who` and returns headers with the remaining quota, or none without a
 * limit. Throws RATE_LIMITED, with the same headers, when the quota is exceeded.
 */
export type RateLimits = Record<LimitName | 'tenantLookups', (who: string) => Promise<Headers>> & {
  /**
   * Counts a webhook that is not refused, and returns in how many seconds its turn is: 0 within the
   * limit; beyond it, so late that no more than the limit are due in a minute.
   */
  webhookDelay(who: string): Promise<number>;
};

const WINDOW_SECONDS = 60;
/** A tenant's quota is that of ten operators, who could guess at its codes together. */
const LOOKUPS_OF_TENANT = 10;
/** So long a request waits for a count, unless the caller decides otherwise. */
const COUNT_WITHIN_MS = 1_000;
/** How long the shared counts are left alone after they were unavailable. */
const REST_MS = 10_000;

/**
 * Creates the limits, counted per minute over all instances of the API; 0 means no limit. Webhooks
 * are counted in this process only. While the shared counts are unavailable, each instance counts
 * for itself: limits still apply, at worst multiplied by the number of instances, and no request is
 * refused because of the outage.
 */
export function createRateLimits(options: {
  db: Db;
  perMinute: Readonly<Record<LimitName, number>>;
  log: Logger;
  /** Called for each request over the limit. */
  onLimited?: (limit: LimitName) => void;
  /** A shared count that takes longer is abandoned: the shared counts are unavailable. */
  countWithinMs?: number;
}): RateLimits {
  const { perMinute } = options;
  const shared = sharing(options);
  const limit = (name: LimitName, of: string, quota: number, countWith: CounterMaker) =>
    quota === 0 ? unlimited : limited({ name, of, quota }, countWith, options);
  const { reads, writes, lookups, webhooks } = perMinute;
  return {
    reads: limit('reads', 'user', reads, shared),
    writes: limit('writes', 'user', writes, shared),
    lookups: limit('lookups', 'user', lookups, shared),
    tenantLookups: limit('lookups', 'tenant', lookups * LOOKUPS_OF_TENANT, shared),
    webhooks: limit('webhooks', 'merchant', webhooks, inProcess),
    webhookDelay: webhooks === 0 ? async () => 0 : delaying(webhooks, options),
  };
}

type Limit = { name: LimitName; of: string; quota: number };
/** Resolves with the usage so far; rejects with the usage when it exceeds the quota. */
type Counter = (who: string) => Promise<RateLimiterRes>;
type CounterMaker = (limit: Limit) => Counter;

async function unlimited(): Promise<Headers> {
  return {};
}

type Telling = { log: Logger; onLimited?: (limit: LimitName) => void };

function limited(limit: Limit, countWith: CounterMaker, { log, onLimited }: Telling) {
  const count = countWith(limit);
  return async (who: string): Promise<Headers> => {
    try {
      return headersOf(limit, await count(who));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      onLimited?.(limit.name);
      if (error.consumedPoints === limit.quota + 1) {
        log.warn(
          { event: 'rate_limited', limit: limit.name, [limit.of]: who, quota: limit.quota },
          'Request rejected by a rate limit',
        );
      }
      throw new HttpRefusal(
        'RATE_LIMITED',
        `Limit reached: ${limit.quota} ${limit.name} a minute per ${limit.of}. Try again shortly.`,
        429,
        { headers: { ...headersOf(limit, error), 'Retry-After': String(secondsLeft(error)) } },
      );
    }
  };
}

function delaying(quota: number, { log, onLimited }: Telling) {
  const count = inProcess({ name: 'webhooks', of: 'merchant', quota });
  return async (merchant: string): Promise<number> => {
    const { consumedPoints } = await count(merchant).catch((error: unknown) => {
      if (error instanceof RateLimiterRes) return error;
      throw error;
    });
    const beyond = consumedPoints - quota;
    if (beyond <= 0) return 0;
    onLimited?.('webhooks');
    if (beyond === 1) {
      const event = 'webhooks_delayed';
      log.warn({ event, merchant, quota }, 'Events beyond a rate limit are ingested later');
    }
    return Math.ceil(beyond / quota) * WINDOW_SECONDS;
  };
}

/** Builds the structured fields of the IETF draft on rate limit headers. */
function headersOf({ name, quota }: Limit, count: RateLimiterRes): Headers {
  return {
    'RateLimit-Policy': `"${name}";q=${quota};w=${WINDOW_SECONDS}`,
    RateLimit: `"${name}";r=${count.remainingPoints};t=${secondsLeft(count)}`,
  };
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

function inProcess({ name, of, quota }: Limit): Counter {
  const counter = new RateLimiterMemory({
    keyPrefix: `${name}/${of}`,
    points: quota,
    duration: WINDOW_SECONDS,
  });
  return (who) => counter.consume(who);
}

type Sharing = { db: Db; log: Logger; countWithinMs?: number };

function sharing({ db, log, countWithinMs = COUNT_WITHIN_MS }: Sharing): CounterMaker {
  let restsUntil = 0;
  const rest = (error: unknown) => {
    if (Date.now() < restsUntil) return;
    log.warn(
      { event: 'rate_limits_not_shared', err: error },
      'The shared rate limits are unavailable; this instance counts for itself for now',
    );
    restsUntil = Date.now() + REST_MS;
  };

  return (limit) => {
    const { name, of, quota } = limit;
    const countAlone = inProcess(limit);
    const counter = createSharedCounter(db, {
      name: `${name}/${of}`,
      points: quota,
      windowSeconds: WINDOW_SECONDS,
    });
    const inTime = new RLWrapperTimeouts({ limiter: counter, timeoutMs: countWithinMs });
    return async (who) => {
      if (Date.now() < restsUntil) return countAlone(who);
      try {
        return await inTime.consume(who);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw error;
        rest(error);
        return countAlone(who);
      }
    };
  };
}
