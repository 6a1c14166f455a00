import type { Knex } from 'knex';

export const config = { transaction: false, lockWaits: 'limited' };

/** Contracts: foreign keys on which nothing depends any more. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table note_authors drop constraint if exists note_authors_tenant_id_fkey');
  await knex.raw('alter table note_authors drop constraint if exists note_authors_user_id_fkey');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table note_authors
      add constraint note_authors_tenant_id_fkey foreign key (tenant_id) references tenants,
      add constraint note_authors_user_id_fkey foreign key (user_id) references users
  `);
}
