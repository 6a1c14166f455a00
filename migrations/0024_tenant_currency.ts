import type { Knex } from 'knex';

/**
 * A user whose comparison with anonymous payments failed is tried again at `contacts_due_at`, after
 * `contacts_attempts` failures; null means at once.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add column contacts_due_at timestamptz,
      add column contacts_attempts integer not null default 0;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users drop column contacts_due_at, drop column contacts_attempts;
  `);
}
