import type { Knex } from 'knex';

/**
 * The audit log also records what operators do on the command line (`actor` is `ops`, without a
 * user), connections, keys and store operators, and an id of the request that no caller can choose.
 * A suspended user keeps the status from before. A user row says since when each contact has been
 * verified, and when the token that the contacts are from was issued. A disconnected account's
 * tokens are removed once they are revoked, which is tried after `revoke_after`. An attempt to
 * connect names its user and request, because another process makes the connection.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table audit_log
      alter column actor_user_id drop not null,
      alter column target_id drop not null,
      add column actor text not null default 'user',
      add column generated_request_id uuid,
      add constraint audit_log_actor_known
        check (actor = 'user' or (actor = 'ops' and actor_user_id is null)) not valid,
      drop constraint audit_log_action_known,
      add constraint audit_log_action_known check (action in (
        'wallet.freeze', 'wallet.unfreeze', 'wallet.adjust',
        'user.approve', 'user.role', 'user.suspend', 'user.reinstate', 'user.grant_admin',
        'user.bootstrap', 'key.rotate', 'connection.connect', 'connection.disconnect',
        'operator.invite', 'operator.accept', 'operator.remove', 'operator.leave',
        'tenant.set_currency',
        'endpoint.create', 'endpoint.update', 'endpoint.delete', 'endpoint.rotate')) not valid,
      drop constraint audit_log_target_known,
      add constraint audit_log_target_known check (target_type in
        ('wallet', 'user', 'key', 'connection', 'invite', 'tenant', 'endpoint')) not valid;

    alter table users
      add column status_before_suspension text,
      add column email_verified_at timestamptz,
      add column phone_verified_at timestamptz,
      add column contacts_issued_at timestamptz,
      add constraint users_status_before_suspension_known
        check (status_before_suspension in ('active', 'pending_approval')) not valid;

    alter table pos_connections
      alter column sealed_access_token drop not null,
      add column revoke_after timestamptz,
      add constraint pos_connections_active_have_a_token
        check (status <> 'active' or sealed_access_token is not null) not valid;

    alter table oauth_attempts
      add column user_id uuid,
      add column correlation_id text,
      add column request_id uuid;
  `);
}

/**
 * Refused while the log holds entries without a user or of later actions, or while a disconnected
 * account has no tokens: the earlier schema cannot say so.
 */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table oauth_attempts
      drop column user_id, drop column correlation_id, drop column request_id;
    alter table pos_connections
      drop constraint pos_connections_active_have_a_token,
      drop column revoke_after,
      alter column sealed_access_token set not null;
    alter table users
      drop column status_before_suspension, drop column email_verified_at,
      drop column phone_verified_at, drop column contacts_issued_at;
    alter table audit_log
      drop constraint audit_log_actor_known,
      drop column actor, drop column generated_request_id,
      alter column actor_user_id set not null,
      alter column target_id set not null,
      drop constraint audit_log_action_known,
      add constraint audit_log_action_known check (action in
        ('wallet.freeze', 'wallet.unfreeze', 'wallet.adjust', 'user.approve', 'user.role')),
      drop constraint audit_log_target_known,
      add constraint audit_log_target_known check (target_type in ('wallet', 'user'));
  `);
}
