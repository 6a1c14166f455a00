import type { Knex } from 'knex';

/** Adds a nullable column. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table pending_events add column note text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table pending_events drop column note');
}
