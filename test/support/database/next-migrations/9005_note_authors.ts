import type { Knex } from 'knex';

/** Adds a table of the users who write notes for a tenant. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table note_authors (
      user_id uuid primary key references users,
      tenant_id uuid not null references tenants
    )
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table note_authors');
}
