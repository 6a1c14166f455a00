import type { Knex } from 'knex';

/** No transaction: the index is built concurrently, while the table is being written to. */
export const config = { transaction: false };

/** An index to count the invites of a tenant in the last hour, whatever became of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists invites_by_tenant');
  await knex.raw('create index concurrently invites_by_tenant on invites (tenant_id, created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index invites_by_tenant');
}
