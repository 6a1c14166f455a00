import type { Knex } from 'knex';

/**
 * A queue keeps its pages when it runs empty. Without any, to read the whole of it costs nothing,
 * so a plan that is kept from then on would read the whole queue for each batch of a backlog.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table pending_events set (vacuum_truncate = off)');
  await knex.raw('alter table stalled_events set (vacuum_truncate = off)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table stalled_events reset (vacuum_truncate)');
  await knex.raw('alter table pending_events reset (vacuum_truncate)');
}
