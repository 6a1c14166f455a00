import type { Knex } from 'knex';

/**
 * A tenant is a merchant's workspace. A membership gives a user access to it, as the merchant
 * (client) or as a store operator.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(TENANTS);
  await knex.raw(MEMBERSHIPS);
  await knex.raw(TENANT_COUNTS);
  await knex.raw(TENANT_BALANCES);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table tenant_balances, tenant_counts, memberships, tenants');
}

/**
 * A tenant has one currency, that of its connected account, or null until it is known. Its time
 * zone is null while that of its country will do. Where `has_programme` is false, no statement
 * reads `programme_versions`. The onboarding profile is merged key by key. Events are written for a
 * tenant that has had an endpoint (`tells_events`). Its owners were last mailed about unusual
 * movements at `unusual_told_at`, and the tiers of its customers were last decided for the day
 * `tiers_decided_on`. While it is suspended, since `suspended_at`, nobody earns or
 * redeems there; who has left is closed, at `closed_at`, and stays suspended.
 */
const TENANTS = `
  create table tenants (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    country text
      constraint tenants_country_is_alpha_2 check (country ~ '^[A-Z]{2}$'),
    time_zone text
      constraint tenants_time_zone_is_a_name check (time_zone ~ '^[A-Z][A-Za-z0-9_+/-]+$'),
    has_programme boolean not null default false,
    currency text
      constraint tenants_currency_is_a_code check (currency ~ '^[A-Z]{3}$'),
    logo_path text,
    color text
      constraint tenants_color_is_hex check (color ~ '^#[0-9a-f]{6}$'),
    onboarding jsonb not null default '{}',
    tells_events boolean not null default false,
    unusual_told_at timestamptz,
    tiers_decided_on date,
    suspended_at timestamptz,
    closed_at timestamptz,
    status text not null generated always as (
      case when suspended_at is null then 'active' else 'suspended' end
    ) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint tenants_closed_are_suspended check (closed_at is null or suspended_at is not null)
  );

  create index tenants_newest_first on tenants (created_at desc, id desc);
  create index tenants_with_programme on tenants (id) where has_programme;
`;

const MEMBERSHIPS = `
  create table memberships (
    tenant_id uuid not null references tenants,
    user_id uuid not null references users,
    role text not null
      constraint memberships_role_known check (role in ('client', 'pos_operator')),
    created_at timestamptz not null default now(),
    constraint memberships_once_per_tenant_and_user primary key (tenant_id, user_id)
  );

  create index memberships_of_user on memberships (user_id);
  create index memberships_of_tenant
    on memberships (tenant_id, role, created_at desc, user_id desc);
`;

/**
 * How many wallets or payments of a tenant were created before a moment, so that whoever counts
 * them needs to count only those since. Nothing is written here for a sale: the service settles a
 * count when it is read and much has come since, in bounded steps that begin with the first row. A
 * tenant without a row is counted from the beginning.
 */
const TENANT_COUNTS = `
  create table tenant_counts (
    tenant_id uuid not null references tenants,
    counted text not null
      constraint tenant_counts_known check (counted in ('wallets', 'payments')),
    number bigint not null
      constraint tenant_counts_not_negative check (number >= 0),
    created_before timestamptz not null,
    constraint tenant_counts_once_per_tenant primary key (tenant_id, counted)
  ) with (fillfactor = 80)
`;

/**
 * The sum of the balances of a tenant with very many wallets, as it was at `added_up_at`: adding
 * them up takes too long for a report. It is worked out anew each hour, and nothing depends on it
 * but what reports show.
 */
const TENANT_BALANCES = `
  create table tenant_balances (
    tenant_id uuid primary key references tenants,
    balances bigint not null
      constraint tenant_balances_not_negative check (balances >= 0),
    added_up_at timestamptz not null
  )
`;
