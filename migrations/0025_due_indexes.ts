import type { Knex } from 'knex';

/** No transaction: the indexes are built concurrently, while the tables are being written to. */
export const config = { transaction: false };

/**
 * Finds the users to compare with anonymous payments by when they are due. The previous release
 * still uses `users_to_compare`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists users_due_for_comparison');
  await knex.raw(`
    create index concurrently users_due_for_comparison
      on users (coalesce(contacts_due_at, contacts_changed_at))
      where contacts_changed_at is not null
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index users_due_for_comparison');
}
