import type { Knex } from 'knex';

/**
 * A user is a person known to the identity provider: one row per issuer and subject. Role, status
 * and tenants are ours; the contacts are copied from the access token at each sign-in.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table users (
      id uuid primary key default gen_random_uuid(),
      iss text not null,
      sub text not null,
      role text not null
        constraint users_role_known
        check (role in ('consumer', 'client', 'pos_operator', 'admin')),
      status text not null
        constraint users_status_known
        check (status in ('active', 'pending_approval', 'suspended')),
      email text,
      email_verified boolean not null default false,
      phone text,
      phone_verified boolean not null default false,
      name text,
      bootstrapped_as text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint users_one_per_subject unique (iss, sub),
      constraint users_bootstrap_once_per_email unique (bootstrapped_as)
    );

    -- Payments are matched to users by these; only verified contacts count.
    create index users_verified_email on users (email, created_at) where email_verified;
    create index users_verified_phone on users (phone, created_at) where phone_verified;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table users');
}
