import type { Knex } from 'knex';

/**
 * The audit log also records what operators do on the command line (`actor` is `ops`, without a
 * user), connections, keys and store operators, and an id of the request that no caller can choose.
 * A suspended user keeps the status from before. A user row says since when each contact has been
 * verified, which a trigger notes, whoever writes the row, and when the token that the contacts are
 * from was issued. A disconnected account's
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
      add column email_proof bytea,
      add column phone_proof bytea,
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
  await knex.raw(VERIFICATION);
}

// Rows from before have null: nobody knows since when theirs are verified. The hash tells a contact
// that only some of a person's tokens carry from one that was verified anew.
const noteVerification = (contact: 'email' | 'phone') => `
    if new.${contact}_verified then
      if new.${contact}_proof is distinct from sha256(convert_to(new.${contact}, 'utf8')) then
        new.${contact}_proof := sha256(convert_to(new.${contact}, 'utf8'));
        if tg_op = 'INSERT' or not old.${contact}_verified
          or new.${contact} is distinct from old.${contact} then
          new.${contact}_verified_at := now();
        end if;
      end if;
    elsif new.${contact} is not null then
      new.${contact}_proof := null;
    end if;`;

const VERIFICATION = `
  create function note_contact_verification() returns trigger language plpgsql as $$
  begin
    ${noteVerification('email')}
    ${noteVerification('phone')}
    return new;
  end
  $$;

  create trigger users_note_contact_verification
    before insert or update of email, email_verified, phone, phone_verified on users
    for each row execute function note_contact_verification();
`;

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
    drop trigger users_note_contact_verification on users;
    drop function note_contact_verification;
    alter table users
      drop column status_before_suspension, drop column email_verified_at,
      drop column phone_verified_at, drop column email_proof, drop column phone_proof,
      drop column contacts_issued_at;
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
