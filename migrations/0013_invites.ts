import type { Knex } from 'knex';

/**
 * An invite asks the owner of an e-mail address to become a store operator of a tenant. It is
 * accepted when a user signs in with that verified address, unless the merchant revoked it before.
 * The row is the outbox of its own mail, which is due until it is sent or found undeliverable. A
 * removal records that a user is no longer a store operator.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table invites (
      id uuid primary key default gen_random_uuid(),
      tenant_id uuid not null references tenants,
      email text not null,
      status text not null default 'pending'
        constraint invites_status_known check (status in ('pending', 'accepted', 'revoked')),
      email_status text not null
        constraint invites_email_status_known
        check (email_status in ('sent', 'existing_auth_user')),
      invited_by uuid not null references users,
      accepted_by uuid references users,
      sent_at timestamptz,
      undeliverable_at timestamptz,
      closed_at timestamptz,
      created_at timestamptz not null default now(),
      constraint invites_accepted_by_someone
        check ((status = 'accepted') = (accepted_by is not null)),
      constraint invites_closed_unless_pending
        check ((status = 'pending') = (closed_at is null))
    );

    create unique index invites_one_pending_per_tenant_and_email
      on invites (email, tenant_id) where status = 'pending';
    create index invites_newest_first on invites (tenant_id, created_at desc, id desc)
      where status = 'pending';
    create index invites_due on invites (id)
      where status = 'pending' and sent_at is null and undeliverable_at is null;

    create table operator_removals (
      tenant_id uuid not null references tenants,
      user_id uuid not null references users,
      removed_by uuid not null references users,
      removed_at timestamptz not null default now()
    );

    create index operator_removals_of_user on operator_removals (tenant_id, user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table operator_removals, invites');
}
