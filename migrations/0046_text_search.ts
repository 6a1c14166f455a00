import type { Knex } from 'knex';

/**
 * Indexes on parts of texts, for the search of users. Postgres comes with the extension, and who
 * owns the database may create it; otherwise a superuser has to, once: create extension pg_trgm.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create extension if not exists pg_trgm');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop extension pg_trgm');
}
