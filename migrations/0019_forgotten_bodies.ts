import type { Knex } from 'knex';

/** No transaction: the index is built concurrently, while the table is being written to. */
export const config = { transaction: false };

/**
 * The body of an event is kept for 90 days, its outcome permanently. A deleted body is empty and
 * thus not in this index, which finds the bodies that are due for deletion.
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
