import type { Knex } from 'knex';

/** No transaction: the index is built concurrently, while the table is being written to. */
export const config = { transaction: false };

/** The few administrators among all users: whether another one is left is asked at a suspension. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists users_admins');
  await knex.raw(`create index concurrently users_admins on users (id) where role = 'admin'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists users_admins');
}
