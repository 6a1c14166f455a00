import type { Knex } from 'knex';

/** No transaction: the index is built concurrently, while the table is being written to. */
export const config = { transaction: false };

/** Finds the events that the release before has processed, by the payment that they reported. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists webhook_events_of_payment');
  await knex.raw(`
    create index concurrently webhook_events_of_payment on webhook_events (payment_id)
      where payment_id is not null
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index webhook_events_of_payment');
}
