import type { Knex } from 'knex';

/** No transaction: the indexes are built concurrently, while the tables are being written to. */
export const config = { transaction: false };

/** Indexes to find what a wallet owes, and what it has in open codes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists payments_owing');
  await knex.raw(`
    create index concurrently payments_owing on payments (wallet_id) where points_owed > 0
  `);
  await knex.raw('drop index concurrently if exists redemptions_open_of_wallet');
  await knex.raw(`
    create index concurrently redemptions_open_of_wallet on redemptions (wallet_id)
      where status = 'issued'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index redemptions_open_of_wallet;
    drop index payments_owing;
  `);
}
