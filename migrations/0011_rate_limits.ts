import type { Knex } from 'knex';

/**
 * A row counts what one caller has used of one rate limit in the minute that ends at `expire`, in
 * milliseconds since 1970. The columns and their order are those of rate-limiter-flexible. The
 * table is unlogged: a crash of Postgres empties it, which only resets the limits.
 */
export async function up(knex: Knex): Promise<void> {
  // Free space on each page lets Postgres update a count in place, without touching an index.
  await knex.raw(`
    create unlogged table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    ) with (fillfactor = 50);
  `);
}

/** Deletes the counts, so that every caller starts with a full limit. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table rate_limits');
}
