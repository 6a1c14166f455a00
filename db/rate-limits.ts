import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Db } from './connection.ts';

/**
 * Counts the requests of callers against a limit, shared with all other processes on this database.
 * A caller above the limit is remembered in this process until the window ends, and costs no
 * statement.
 */
export function createSharedCounter(
  db: Db,
  limit: { name: string; points: number; windowSeconds: number },
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: db,
    storeType: 'knex',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: limit.name,
    points: limit.points,
    duration: limit.windowSeconds,
    // Not before the first request above the limit: the process that counts that one, of all
    // processes, logs it.
    inMemoryBlockOnConsumed: limit.points + 1,
  });
}
