import { connect, type Db } from '../db/connection.ts';
import { migrate } from '../db/schema/migrate.ts';
import { TENANTS, WALLETS } from './sales.ts';
import { ISSUER } from './settings.ts';

/** Migrates the database and fills it. */
export async function populate(url: string): Promise<void> {
  const db = connect(url, 1, 'loyalty-bench');
  await migrate(db).finally(() => db.destroy());
  await fill(url);
}

/** Fills a migrated database with tenants, their rules, and consumers with one wallet. */
export async function fill(url: string): Promise<void> {
  const db = connect(url, 1, 'loyalty-bench');
  try {
    for (const statement of STATEMENTS) await db.raw(statement, COUNTS);
    // An earlier release that is compared may not have the table.
    if (await db.schema.hasTable('notice_choices')) await db.raw(NOBODY_IS_TOLD);
    await db.raw('analyze');
  } finally {
    await db.destroy();
  }
}

const COUNTS = { tenants: TENANTS, wallets: WALLETS };

// Consumer n has a wallet at tenant n modulo the number of tenants, as in `merchantOf`.
const STATEMENTS = [
  `insert into tenants (name, country) select 'Shop ' || n, 'DE'
   from generate_series(0, :tenants - 1) as n`,
  `insert into pos_connections (tenant_id, provider, merchant_id, status, sealed_access_token)
   select id, 'alpha', 'MERCHANT' || split_part(name, ' ', 2), 'active', 'sealed'
   from tenants`,
  // Their tokens are made up: a worker would poll them in vain, and read their accounts.
  'delete from due_work',
  `insert into reward_rules (tenant_id, version, conversion_rate, min_spend_minor_units,
     min_balance_to_redeem, max_redemption_percentage, rounding_policy, effective_from)
   select id, 1, 1, 0, 0, 100, 'floor', now() from tenants`,
  `insert into users (iss, sub, role, status, email, email_verified)
   select '${ISSUER}', n::text, 'consumer', 'active',
     'person' || n || '@example.com', true
   from generate_series(0, :wallets - 1) as n`,
  `insert into wallets (user_id, tenant_id)
   select u.id, t.id from users u join tenants t on t.name = 'Shop ' || (u.sub::int % :tenants)`,
] as const;

/** Ten thousand mails of first points would go out a minute later, while others are measured. */
const NOBODY_IS_TOLD = `insert into notice_choices (user_id, points, weekly, waiting)
  select id, 'never', false, false from users`;

/** Counts the deadlocks that Postgres has resolved in this database. */
export async function deadlocksOf(db: Db): Promise<number> {
  // Sessions flush their counters to the view when idle, within a second.
  await db.raw('select pg_stat_clear_snapshot()');
  const { rows } = await db.raw<{ rows: { deadlocks: number }[] }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.deadlocks ?? Number.NaN;
}
