import type { Knex } from 'knex';

/**
 * One row says what the database is for, which whoever migrates it first decides. What is for
 * trying ends at the door of another's: it would take its work, and answer it with other keys.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(INSTALLATION);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table installation');
}

const INSTALLATION = `
  create table installation (
    is_only boolean primary key default true
      constraint installation_has_one_row check (is_only),
    kind text not null
      constraint installation_kind_known check (kind in ('production', 'sandbox', 'test'))
  )
`;
