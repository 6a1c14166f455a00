import type { Knex } from 'knex';

/** No transaction: the indexes are built concurrently, while the tables are being written to. */
export const config = { transaction: false };

/**
 * Finds what is due: users to compare with anonymous payments, for which the previous release still
 * uses `users_to_compare`; payments refused for their currency; accounts to be read; owners to be
 * told of a connection; tenants without a settled currency.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists users_due_for_comparison');
  await knex.raw(`
    create index concurrently users_due_for_comparison
      on users (coalesce(contacts_due_at, contacts_changed_at))
      where contacts_changed_at is not null
  `);
  await knex.raw('drop index concurrently if exists payments_of_another_currency');
  await knex.raw(`
    create index concurrently payments_of_another_currency on payments (tenant_id, id)
      where outcome_reason = 'currency_mismatch'
  `);
  await knex.raw('drop index concurrently if exists pos_connections_to_read');
  await knex.raw(`
    create index concurrently pos_connections_to_read on pos_connections (id)
      where account_read_at is null and status = 'active'
  `);
  await knex.raw('drop index concurrently if exists pos_connections_to_announce');
  await knex.raw(`
    create index concurrently pos_connections_to_announce on pos_connections (id)
      where notice_due_since is not null
  `);
  await knex.raw('drop index concurrently if exists tenants_with_unsettled_currency');
  await knex.raw(`
    create index concurrently tenants_with_unsettled_currency on tenants (id)
      where currency_unsettled
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index tenants_with_unsettled_currency;
    drop index pos_connections_to_announce;
    drop index pos_connections_to_read;
    drop index payments_of_another_currency;
    drop index users_due_for_comparison;
  `);
}
