import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Db } from './connection.ts';

/**
 * Counts what callers use of a limit, together with every other process on this database. A caller
 * who is beyond it is known in this process until the window ends, and costs no statement.
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
    // Not before the first request beyond it: whoever sees that one, in all processes, logs it.
    inMemoryBlockOnConsumed: limit.points + 1,
  });
}
