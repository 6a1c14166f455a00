import type { Knex } from 'knex';

/**
 * An invite is decided by the person: it is declined as well as accepted, withdrawn by the merchant
 * (`revoked` by earlier releases), or lapses; those of earlier releases have 30 days from here on.
 * The audit log records who invited, joined, left and was removed. `invite_mails` holds the last
 * mail to an address on behalf of a tenant, whichever invite it was for, since there is at most one
 * a day. `code_guesses` holds, per operator, the unknown codes of the last minutes; it is unlogged:
 * a crash of Postgres empties it, which only starts the count again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table invites
      add column lapses_at timestamptz not null default now() + interval '30 days',
      drop constraint invites_status_known,
      add constraint invites_status_known check (status in
        ('pending', 'accepted', 'declined', 'withdrawn', 'lapsed', 'revoked')) not valid;

    alter table operator_removals alter column removed_by drop not null;

    alter table audit_log
      drop constraint audit_log_action_known,
      add constraint audit_log_action_known check (action in
        ('wallet.freeze', 'wallet.unfreeze', 'wallet.adjust', 'user.approve', 'user.role',
         'operator.invite', 'operator.accept', 'operator.remove', 'operator.leave')) not valid,
      drop constraint audit_log_target_known,
      add constraint audit_log_target_known
        check (target_type in ('wallet', 'user', 'invite')) not valid;

    create table invite_mails (
      tenant_id uuid not null references tenants,
      email text not null,
      invite_id uuid not null references invites,
      directory_asked boolean not null default false,
      tried_at timestamptz not null default now(),
      constraint invite_mails_one_per_tenant_and_address primary key (tenant_id, email)
    );

    create unlogged table code_guesses (
      user_id uuid primary key references users,
      codes jsonb not null default '{}',
      blocked_until timestamptz
    );
  `);
}

/** Refused while there are invites or audit entries that the earlier schema cannot hold. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table code_guesses, invite_mails;
    alter table audit_log
      drop constraint audit_log_action_known,
      add constraint audit_log_action_known check (action in
        ('wallet.freeze', 'wallet.unfreeze', 'wallet.adjust', 'user.approve', 'user.role')),
      drop constraint audit_log_target_known,
      add constraint audit_log_target_known check (target_type in ('wallet', 'user'));
    alter table operator_removals alter column removed_by set not null;
    alter table invites
      drop column lapses_at,
      drop constraint invites_status_known,
      add constraint invites_status_known check (status in ('pending', 'accepted', 'revoked'));
  `);
}
