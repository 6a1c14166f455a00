import type { Knex } from 'knex';

/** Merchants list the wallets of their tenant newest first, page by page. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index wallets_newest_first on wallets (tenant_id, created_at desc, id desc);
    drop index wallets_of_tenant;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index wallets_of_tenant on wallets (tenant_id);
    drop index wallets_newest_first;
  `);
}
