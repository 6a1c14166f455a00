import type { Knex } from 'knex';

/**
 * A connection is a merchant's account at a point-of-sale provider: one per tenant and provider,
 * reused when the merchant reconnects. Tokens are sealed; `watermark` is the time up to which
 * alpha's payments have been polled.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table pos_connections (
      id uuid primary key default gen_random_uuid(),
      tenant_id uuid not null references tenants,
      pos_type text not null
        constraint pos_connections_type_known check (pos_type in ('alpha', 'beta')),
      merchant_id text not null,
      status text not null
        constraint pos_connections_status_known check (status in ('active', 'disconnected')),
      sealed_access_token text not null,
      sealed_refresh_token text,
      token_expires_at timestamptz,
      watermark timestamptz,
      last_error text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint pos_connections_one_per_tenant_and_provider unique (tenant_id, pos_type)
    );

    create unique index pos_connections_one_active_per_merchant
      on pos_connections (pos_type, merchant_id) where status = 'active';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table pos_connections');
}
