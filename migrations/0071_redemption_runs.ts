import type { Knex } from 'knex';

/**
 * Which run of Temporal follows a redemption. One run follows many, so its name does not tell; and
 * what another run follows, a run leaves alone. Null while nothing follows it, and for those that
 * a run of an earlier release has followed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table redemptions add column followed_by uuid');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table redemptions drop column followed_by');
}
