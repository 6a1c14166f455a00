import type { Knex } from 'knex';

/** How store operators join and leave a tenant. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(INVITES);
  await knex.raw(INVITE_MAILS);
  await knex.raw(OPERATOR_REMOVALS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table operator_removals, invite_mails, invites');
}

/**
 * An invite asks the owner of an e-mail address to become a store operator of a tenant. The person
 * decides it after signing in with that verified address: it is accepted or declined, unless the
 * merchant has withdrawn it, or it has lapsed. It is compared in the ASCII spelling of its domain,
 * `ascii_email` where that is another, as those of users are. The row is the outbox of its own
 * mail, which is due until it is sent or found undeliverable. Once the person is erased, a closed
 * one names no address.
 */
const INVITES = `
  create table invites (
    id uuid primary key default gen_random_uuid(),
    tenant_id uuid not null references tenants,
    email text,
    ascii_email text,
    status text not null default 'pending'
      constraint invites_status_known check (status in
        ('pending', 'accepted', 'declined', 'withdrawn', 'lapsed')),
    email_status text not null
      constraint invites_email_status_known check (email_status in ('sent', 'existing_auth_user')),
    invited_by uuid not null references users,
    accepted_by uuid references users,
    sent_at timestamptz,
    undeliverable_at timestamptz,
    closed_at timestamptz,
    created_at timestamptz not null default now(),
    lapses_at timestamptz not null default now() + interval '30 days',
    constraint invites_accepted_by_someone
      check ((status = 'accepted') = (accepted_by is not null)),
    constraint invites_closed_unless_pending
      check ((status = 'pending') = (closed_at is null)),
    constraint invites_open_name_an_address check (status <> 'pending' or email is not null)
  );

  create unique index invites_one_pending_per_tenant_and_email
    on invites (coalesce(ascii_email, email), tenant_id) where status = 'pending';
  create index invites_newest_first on invites (tenant_id, created_at desc, id desc)
    where status = 'pending';
  create index invites_due on invites (id)
    where status = 'pending' and sent_at is null and undeliverable_at is null;
  -- Counts those of the last hour, whatever became of them.
  create index invites_by_tenant on invites (tenant_id, created_at);
`;

/**
 * The last mail to an address, as it is compared, on behalf of a tenant, whichever invite it was
 * for, since there is at most one a day.
 */
const INVITE_MAILS = `
  create table invite_mails (
    tenant_id uuid not null references tenants,
    email text not null,
    invite_id uuid not null references invites,
    directory_asked boolean not null default false,
    tried_at timestamptz not null default now(),
    constraint invite_mails_one_per_tenant_and_address primary key (tenant_id, email)
  );

  create index invite_mails_by_age on invite_mails (tried_at);
`;

/**
 * A removal records that a user is no longer a store operator, and who, if anybody signed in,
 * removed them.
 */
const OPERATOR_REMOVALS = `
  create table operator_removals (
    tenant_id uuid not null references tenants,
    user_id uuid not null references users,
    removed_by uuid references users,
    removed_at timestamptz not null default now()
  );

  create index operator_removals_of_user on operator_removals (user_id, tenant_id);
`;
