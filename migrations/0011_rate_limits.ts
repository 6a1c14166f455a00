import type { Knex } from 'knex';

/**
 * A row is what one caller has used of one rate limit in the minute that ends at `expire`, in
 * milliseconds since 1970. The columns and their order are those of rate-limiter-flexible. Nothing
 * is lost that matters when a crash of Postgres empties the table, so it is not logged.
 */
export async function up(knex: Knex): Promise<void> {
  // Room on each page: a count is then written beside its row, without touching an index.
  await knex.raw(`
    create unlogged table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    ) with (fillfactor = 50);
  `);
}

/** Forgets what was used: everybody's minute begins anew. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table rate_limits');
}
