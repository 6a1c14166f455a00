import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Db } from './connection.ts';
import { one } from './one.ts';

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
    // Every process would scan the whole table every few minutes.
    clearExpiredByTimeout: false,
  });
}

/**
 * Deletes counts whose window has ended from `pages` pages of the table, from page `first` on.
 * Returns how many, and whether these were the last pages. An index by expiry would have to follow
 * the counts with each window, so the table is gone through part by part instead.
 */
export async function deleteExpired(
  db: Db,
  { first, pages }: { first: number; pages: number },
): Promise<{ deleted: number; isLast: boolean }> {
  const { rows } = await db.raw<{ rows: { deleted: number; isLast: boolean }[] }>(
    `with expired as (
       delete from rate_limits
       where ctid >= format('(%s,0)', :first::bigint)::tid
         and ctid < format('(%s,0)', :next::bigint)::tid
         and expire < extract(epoch from now()) * 1000
       returning 1
     )
     select (select count(*) from expired) as deleted,
       pg_relation_size('rate_limits') <= :next::bigint * current_setting('block_size')::bigint
         as is_last`,
    { first, next: first + pages },
  );
  return one(rows, 'count');
}
