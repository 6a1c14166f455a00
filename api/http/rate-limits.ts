import { RateLimiterMemory, RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { Db } from '../../db/connection.ts';
import { createSharedCounter } from '../../db/rate-limits.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { HttpRefusal } from './errors.ts';

/** The rate limits, by the names that the response headers give them. */
export type LimitName = 'reads' | 'writes' | 'lookups' | 'webhooks';

type Headers = Readonly<Record<string, string>>;

/**
 * Each counts one request of `who` and returns the headers that tell what is left; none where there
 * is no limit. Throws RATE_LIMITED, with the same headers, when it is one too many.
 */
export type RateLimits = Record<LimitName | 'tenantLookups', (who: string) => Promise<Headers>>;

const WINDOW_SECONDS = 60;
/** Codes are guessed at a tenant by all its operators' tills together. */
const LOOKUPS_OF_TENANT = 10;
/** A count that takes longer is given up: it must not become what requests wait for. */
const COUNT_WITHIN_MS = 1_000;
/** How long the shared counts are left alone after they could not be had. */
const REST_MS = 10_000;

/**
 * The limits, counted per minute over all instances of the API; 0 is none. Webhooks are counted in
 * this process only. While the shared counts cannot be had, each instance counts for itself: limits
 * go on, multiplied by the number of instances at worst, and nobody is refused because of it.
 */
export function createRateLimits(options: {
  db: Db;
  perMinute: Readonly<Record<LimitName, number>>;
  log: Logger;
  /** Is told of each request that was one too many. */
  onLimited?: (limit: LimitName) => void;
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
  };
}

type Limit = { name: LimitName; of: string; quota: number };
/** Resolves with what was used so far; rejects with the same when that is more than the quota. */
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
        log.warn({ limit: limit.name, [limit.of]: who, quota: limit.quota }, 'A rate limit bites');
      }
      throw new HttpRefusal(
        'RATE_LIMITED',
        `No more than ${limit.quota} ${limit.name} a minute are possible for a ${limit.of}.`,
        429,
        { ...headersOf(limit, error), 'Retry-After': String(secondsLeft(error)) },
      );
    }
  };
}

/** The structured fields of the IETF's draft on rate limit headers. */
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

function sharing({ db, log }: { db: Db; log: Logger }): CounterMaker {
  let restsUntil = 0;
  const rest = (error: unknown) => {
    if (Date.now() < restsUntil) return;
    log.warn({ err: error }, 'Rate limits are counted by each instance for itself for now');
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
    const inTime = new RLWrapperTimeouts({ limiter: counter, timeoutMs: COUNT_WITHIN_MS });
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
