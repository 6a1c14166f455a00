import type { Knex } from 'knex';

/** No transaction: the indexes are built concurrently, while the tables are being written to. */
export const config = { transaction: false };

/**
 * Indexes to find the events that wait for a connection, those that were given up, and the newest
 * of a tenant, and the connections whose provider is away.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists webhook_events_awaiting_connection');
  await knex.raw(`
    create index concurrently webhook_events_awaiting_connection
      on webhook_events (tenant_id, provider) where not processed and awaits_connection
  `);
  await knex.raw('drop index concurrently if exists webhook_events_given_up');
  await knex.raw(`
    create index concurrently webhook_events_given_up
      on webhook_events (received_at)
      where not processed and tenant_id is not null and next_attempt_at = 'infinity'
  `);
  await knex.raw('drop index concurrently if exists webhook_events_newest');
  await knex.raw(`
    create index concurrently webhook_events_newest
      on webhook_events (tenant_id, provider, received_at) where tenant_id is not null
  `);
  await knex.raw('drop index concurrently if exists pos_connections_away');
  await knex.raw(`
    create index concurrently pos_connections_away
      on pos_connections (pos_type, ask_again_at) where ask_again_at is not null
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index pos_connections_away;
    drop index webhook_events_newest;
    drop index webhook_events_given_up;
    drop index webhook_events_awaiting_connection;
  `);
}
