import type { Knex } from 'knex';

/** The table is written to while its index is built. */
export const config = { transaction: false };

/**
 * The body of a delivery is kept for 90 days; what became of it stays. A body that was deleted is
 * empty, and so is not in this index, by which those that are due are found.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists webhook_events_with_body');
  await knex.raw(`
    create index concurrently webhook_events_with_body on webhook_events (received_at)
      where body <> ''
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index webhook_events_with_body');
}
