import type { Knex } from 'knex';

/** No transaction: the indexes are built concurrently, while the tables are being written to. */
export const config = { transaction: false };

/**
 * Finds the accounts to be read and the owners to be told by when that is due, without passing over
 * those that are postponed. The indexes before them were in the order of ids. Finds the refunds of
 * a payment, for the verification of what moved: they are few, and no sale writes to that index.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists pos_connections_account_due');
  await knex.raw(`
    create index concurrently pos_connections_account_due
      on pos_connections (coalesce(account_due_at, '-infinity'::timestamptz))
      where account_read_at is null and status = 'active' and needs_reconnect_since is null
  `);
  await knex.raw('drop index concurrently if exists pos_connections_notice_due');
  await knex.raw(`
    create index concurrently pos_connections_notice_due
      on pos_connections (notice_due_since) where notice_due_since is not null
  `);
  await knex.raw('drop index concurrently if exists ledger_entries_refunds');
  await knex.raw(`
    create index concurrently ledger_entries_refunds
      on ledger_entries (source_id) where reason = 'payment_refunded'
  `);
  await knex.raw('drop index concurrently if exists pos_connections_to_read');
  await knex.raw('drop index concurrently if exists pos_connections_to_announce');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index pos_connections_to_read on pos_connections (id)
      where account_read_at is null and status = 'active';
    create index pos_connections_to_announce on pos_connections (id)
      where notice_due_since is not null;
    drop index ledger_entries_refunds;
    drop index pos_connections_account_due;
    drop index pos_connections_notice_due;
  `);
}
