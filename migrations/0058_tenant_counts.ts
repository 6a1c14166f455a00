import type { Knex } from 'knex';

/**
 * How many wallets or payments of a tenant were created before a moment, so that whoever counts
 * them needs to count only those since. Nothing is written here for a sale: the service settles a
 * count when it is read and much has come since, in bounded steps that begin with the first row, so
 * that rows of any release are in it. A tenant without a row is counted from the beginning.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table tenant_counts (
      tenant_id uuid not null references tenants,
      counted text not null
        constraint tenant_counts_known check (counted in ('wallets', 'payments')),
      number bigint not null
        constraint tenant_counts_not_negative check (number >= 0),
      created_before timestamptz not null,
      constraint tenant_counts_once_per_tenant primary key (tenant_id, counted)
    ) with (fillfactor = 80);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table tenant_counts');
}
