import type { Knex } from 'knex';

/**
 * The body of a delivery is kept for 90 days; what became of it stays. A body that was deleted is
 * empty, and so is not in this index, by which those that are due are found.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index webhook_events_with_body on webhook_events (received_at) where body <> ''
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index webhook_events_with_body');
}
