import type { Knex } from 'knex';

/**
 * What an administrator adjusted in the last day, the filters of the audit log, and the tokens that
 * are still to be revoked are found by index.
 */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists audit_log_by_actor');
  await knex.raw(
    'create index concurrently audit_log_by_actor on audit_log (actor_user_id, created_at)',
  );
  await knex.raw('drop index concurrently if exists audit_log_by_target');
  await knex.raw('create index concurrently audit_log_by_target on audit_log (target_id, seq)');
  await knex.raw('drop index concurrently if exists audit_log_by_action');
  await knex.raw('create index concurrently audit_log_by_action on audit_log (action, seq)');
  await knex.raw('drop index concurrently if exists pos_connections_to_revoke');
  await knex.raw(`
    create index concurrently pos_connections_to_revoke on pos_connections (revoke_after)
    where status = 'disconnected' and sealed_access_token is not null
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists audit_log_by_actor');
  await knex.raw('drop index concurrently if exists audit_log_by_target');
  await knex.raw('drop index concurrently if exists audit_log_by_action');
  await knex.raw('drop index concurrently if exists pos_connections_to_revoke');
}
