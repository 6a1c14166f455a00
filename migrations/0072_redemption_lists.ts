import type { Knex } from 'knex';

/** No transaction: the indexes are built concurrently, while the table is being written to. */
export const config = { transaction: false };

/**
 * The lists of redemptions, newest first: of a wallet, of a tenant, and of what a shop's tills have
 * used. The status comes before the time, because a list of one status must not read the others:
 * nearly all are closed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists redemptions_of_wallet');
  await knex.raw(`
    create index concurrently redemptions_of_wallet
      on redemptions (wallet_id, status, created_at, id)
  `);
  await knex.raw('drop index concurrently if exists redemptions_of_tenant');
  await knex.raw(`
    create index concurrently redemptions_of_tenant
      on redemptions (tenant_id, status, created_at, id)
  `);
  await knex.raw('drop index concurrently if exists redemptions_used_in_shop');
  await knex.raw(`
    create index concurrently redemptions_used_in_shop on redemptions (tenant_id, used_at, id)
      where status = 'used'
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index redemptions_used_in_shop;
    drop index redemptions_of_tenant;
    drop index redemptions_of_wallet;
  `);
}
