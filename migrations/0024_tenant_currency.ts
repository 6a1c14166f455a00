import type { Knex } from 'knex';

/**
 * A tenant has one currency, that of its connected account, or null until it is known. Tenants that
 * are older than this are `currency_unsettled` until the service has asked their accounts.
 *
 * A connection shows the account's name, read with its token; `account_read_at` is null until then,
 * and `account_due_at` says when it is asked again after a failure. `notice_due_since` is set while
 * the tenant's owner is still to be told which account was connected.
 *
 * A user whose comparison with anonymous payments failed is tried again at `contacts_due_at`, after
 * `contacts_attempts` failures; null means at once.
 *
 * A command has no actor in the audit log, and may act on a tenant.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenants
      add column currency text,
      add column currency_unsettled boolean not null default true,
      add constraint tenants_currency_is_a_code check (currency ~ '^[A-Z]{3}$') not valid;
    alter table tenants alter column currency_unsettled set default false;

    alter table pos_connections
      add column account_name text,
      add column account_read_at timestamptz,
      add column account_due_at timestamptz,
      add column notice_due_since timestamptz;

    alter table users
      add column contacts_due_at timestamptz,
      add column contacts_attempts integer not null default 0;

    alter table audit_log
      alter column actor_user_id drop not null,
      drop constraint audit_log_action_known,
      add constraint audit_log_action_known check (action in ('wallet.freeze', 'wallet.unfreeze',
        'wallet.adjust', 'user.approve', 'user.role', 'user.suspend', 'user.reinstate',
        'user.grant_admin', 'user.bootstrap', 'key.rotate', 'connection.connect',
        'connection.disconnect', 'operator.invite', 'operator.accept', 'operator.remove',
        'operator.leave', 'endpoint.create', 'endpoint.update', 'endpoint.delete',
        'endpoint.rotate', 'tenant.set_currency')) not valid,
      drop constraint audit_log_target_known,
      add constraint audit_log_target_known check (target_type in ('wallet', 'user', 'tenant',
        'connection', 'invite', 'endpoint', 'key')) not valid;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table audit_log disable trigger audit_log_append_only;
    delete from audit_log where action = 'tenant.set_currency';
    alter table audit_log enable trigger audit_log_append_only;
    alter table audit_log
      alter column actor_user_id set not null,
      drop constraint audit_log_action_known,
      add constraint audit_log_action_known check (action in
        ('wallet.freeze', 'wallet.unfreeze', 'wallet.adjust', 'user.approve', 'user.role')),
      drop constraint audit_log_target_known,
      add constraint audit_log_target_known check (target_type in ('wallet', 'user'));
    alter table users drop column contacts_due_at, drop column contacts_attempts;
    alter table pos_connections
      drop column account_name, drop column account_read_at, drop column account_due_at,
      drop column notice_due_since;
    alter table tenants
      drop constraint tenants_currency_is_a_code,
      drop column currency, drop column currency_unsettled;
  `);
}
