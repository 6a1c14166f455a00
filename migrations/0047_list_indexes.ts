import type { Knex } from 'knex';

/** No transaction: the indexes are built concurrently, while the tables are being written to. */
export const config = { transaction: false };

/** Indexes in the order of the lists, so that each page costs as much as the first one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists tenants_newest_first');
  await knex.raw(
    'create index concurrently tenants_newest_first on tenants (created_at desc, id desc)',
  );
  await knex.raw('drop index concurrently if exists users_newest_first');
  await knex.raw('create index concurrently users_newest_first on users (created_at desc, id)');
  await knex.raw('drop index concurrently if exists users_pending_approval');
  await knex.raw(`
    create index concurrently users_pending_approval on users (created_at desc, id)
      where status = 'pending_approval'
  `);
  await knex.raw('drop index concurrently if exists users_admins');
  await knex.raw(`create index concurrently users_admins on users (id) where role = 'admin'`);
  await knex.raw('drop index concurrently if exists users_by_part_of_email');
  await knex.raw(`
    create index concurrently users_by_part_of_email on users using gin (email gin_trgm_ops)
  `);
  await knex.raw('drop index concurrently if exists users_by_part_of_phone');
  await knex.raw(`
    create index concurrently users_by_part_of_phone on users using gin (phone gin_trgm_ops)
  `);
  await knex.raw('drop index concurrently if exists memberships_of_tenant');
  await knex.raw(`
    create index concurrently memberships_of_tenant
      on memberships (tenant_id, role, created_at desc, user_id desc)
  `);
  await knex.raw('drop index concurrently if exists audit_log_by_time');
  await knex.raw('create index concurrently audit_log_by_time on audit_log (created_at, seq)');
  await knex.raw('drop index concurrently if exists audit_log_of_actor');
  await knex.raw('create index concurrently audit_log_of_actor on audit_log (actor_user_id, seq)');
  await knex.raw('drop index concurrently if exists audit_log_of_actor_by_action');
  await knex.raw(`
    create index concurrently audit_log_of_actor_by_action
      on audit_log (actor_user_id, action, seq)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index audit_log_of_actor_by_action;
    drop index audit_log_of_actor;
    drop index audit_log_by_time;
    drop index memberships_of_tenant;
    drop index users_by_part_of_phone;
    drop index users_by_part_of_email;
    drop index users_admins;
    drop index users_pending_approval;
    drop index users_newest_first;
    drop index tenants_newest_first;
  `);
}
