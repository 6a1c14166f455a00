import type { Db } from '../connection.ts';

/**
 * Updates the planner's statistics of tables that have rows, and forgets those of tables that have
 * none.
 *
 * For a table that was never analysed Postgres expects ten pages, and looks rows up by an index.
 * Once it was analysed while it was empty, reading it whole costs nothing to the planner, and the
 * plans that are kept do so until the next analysis, however fast the table grows.
 */
export async function updateStatistics(session: Db): Promise<void> {
  for (const { name, isPartitioned } of await tablesOf(session)) {
    const { rows } = await session.raw(`select from ${name} limit 1`);
    if (rows.length > 0) await session.raw(`analyze ${name}`);
    else if (!isPartitioned && (await canForget(session))) await session.raw(FORGET, { name });
  }
}

// One word where a name has two: knex turns the conversion of names off while it migrates.
async function tablesOf(session: Db): Promise<{ name: string; isPartitioned: boolean }[]> {
  const { rows } = await session.raw<{ rows: { name: string; partitioned: boolean }[] }>(
    `select oid::regclass::text as name, relkind = 'p' as partitioned from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and pg_has_role(current_user, relowner, 'usage')
     order by relname`,
  );
  return rows.map(({ name, partitioned }) => ({ name, isPartitioned: partitioned }));
}

/** Postgres 18 can; an earlier one analyses a table again once it has 50 rows. */
async function canForget(session: Db): Promise<boolean> {
  const { rows } = await session.raw<{ rows: unknown[] }>(
    `select from pg_proc where proname = 'pg_clear_relation_stats'`,
  );
  return rows.length > 0;
}

const FORGET = `select pg_clear_relation_stats('public', relname::text) from pg_class
  where oid = :name::regclass and reltuples = 0`;
