import type { Knex } from 'knex';

/**
 * A payment is one settled sale of a tenant, stored once whether it arrived by webhook or by poll,
 * with its outcome and the record of that decision. The record contains no personal data.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table payments (
      id uuid primary key,
      tenant_id uuid not null references tenants,
      provider text not null
        constraint payments_provider_known check (provider in ('alpha', 'beta')),
      provider_payment_id text not null,
      provider_customer_id text,
      location_id text,
      amount_minor_units bigint not null
        constraint payments_amount_not_negative check (amount_minor_units >= 0),
      tip_minor_units bigint not null,
      refunded_minor_units bigint not null,
      currency text not null,
      occurred_at timestamptz not null,
      changed_at timestamptz not null,
      outcome text not null
        constraint payments_outcome_known
        check (outcome in ('credited', 'stored_anonymous', 'no_rule_no_credit')),
      outcome_reason text,
      points_awarded bigint not null
        constraint payments_points_not_negative check (points_awarded >= 0),
      user_id uuid references users,
      wallet_id uuid references wallets,
      rule_version integer,
      decision jsonb not null,
      created_at timestamptz not null default now(),
      constraint payments_once_per_provider unique (tenant_id, provider, provider_payment_id),
      constraint payments_points_have_a_wallet check (points_awarded = 0 or wallet_id is not null),
      constraint payments_credited_have_a_rule
        check (outcome <> 'credited' or (user_id is not null and rule_version is not null))
    );

    create index payments_newest_first on payments (tenant_id, created_at desc, id desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table payments');
}
