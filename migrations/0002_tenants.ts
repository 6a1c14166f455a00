import type { Knex } from 'knex';

/**
 * A tenant is a merchant's workspace. A membership gives a user access to it, as the merchant
 * (client) or as a store operator. The onboarding profile is merged key by key.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table tenants (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      country text
        constraint tenants_country_is_alpha_2 check (country ~ '^[A-Z]{2}$'),
      logo_path text,
      onboarding jsonb not null default '{}',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table memberships (
      tenant_id uuid not null references tenants,
      user_id uuid not null references users,
      role text not null
        constraint memberships_role_known check (role in ('client', 'pos_operator')),
      created_at timestamptz not null default now(),
      constraint memberships_once_per_tenant_and_user primary key (tenant_id, user_id)
    );

    create index memberships_of_user on memberships (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table memberships, tenants');
}
