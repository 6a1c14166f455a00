import { ENTRIES_PER_WALLET, type Size } from './sizes.ts';

// The rows of a built database. Every id and time is a function of the row's number, so that no
// statement has to look up what another one has written.

export type Step = { name: string; sql: string };

/** Keeps Postgres from computing the columns of a subquery wherever they are used. */
export const COMPUTED_ONCE = 'offset 0';

const SEED = 12;
/** The history is as long, and ends when it is built. */
const DAYS = 1_000;

/** Functions of the session, which Postgres inlines. Ids ascend with time. */
export function functionsOf({ wallets }: Size, builtAt: Date): string {
  const start = new Date(builtAt.getTime() - DAYS * 86_400_000).toISOString();
  const define = (signature: string, type: string, expression: string) =>
    `create function pg_temp.${signature} returns ${type} stable language sql
       return ${expression};`;
  const onceOf = (kind: string, key = 'n') =>
    `pg_temp.id('${kind}', ${key}, pg_temp.at(1, ${key}))`;
  return [
    define(
      'at(step int, n int)',
      'timestamptz',
      `timestamptz '${start}' + ((step - 1) + n::float8 / ${wallets})
         * interval '${DAYS / ENTRIES_PER_WALLET} days'`,
    ),
    define(
      'id(kind text, key bigint, at timestamptz)',
      'uuid',
      `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
         || '7' || substr(md5('${SEED}' || kind || key::text), 1, 3)
         || '8' || substr(md5('${SEED}' || kind || key::text), 5, 15))::uuid`,
    ),
    ...['person', 'wallet', 'tenant', 'owner'].map((kind) =>
      define(`${kind}(n int)`, 'uuid', onceOf(kind)),
    ),
    define('administrator()', 'uuid', onceOf('administrator', '0')),
    define(
      'source(kind text, n int, step int)',
      'uuid',
      'pg_temp.id(kind, n::bigint * 16 + step, pg_temp.at(step, n))',
    ),
    define('amount(n int, step int)', 'bigint', '100 + (n::bigint * 7919 + step * 104729) % 900'),
    define(
      'reason(n int, step int)',
      'text',
      `case when step = 5 then 'redemption'
         when step = 6 and n % 20 = 1 then 'redemption_expired'
         when step = 8 and n % 4 = 0 then 'payment_refunded'
         when step = 10 and n % 100 = 50 then 'admin_adjustment'
         else 'purchase' end`,
    ),
  ].join('\n');
}
