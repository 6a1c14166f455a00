import type { Knex } from 'knex';

/** No transaction: the indexes are built concurrently, while the tables are being written to. */
export const config = { transaction: false };

/** Finds the connections that are polled, page by page, and the invite mails by their age. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists pos_connections_polled');
  await knex.raw(`
    create index concurrently pos_connections_polled on pos_connections (id)
      where pos_type = 'alpha' and status = 'active'
  `);
  await knex.raw('drop index concurrently if exists invite_mails_by_age');
  await knex.raw('create index concurrently invite_mails_by_age on invite_mails (tried_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index invite_mails_by_age');
  await knex.raw('drop index pos_connections_polled');
}
