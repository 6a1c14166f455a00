import type { Knex } from 'knex';

/**
 * A wallet holds the points of one user at one tenant. Its balance, sequence number and chain head
 * are a snapshot of its last ledger entry; they change only together with a new entry, in one
 * statement. A balance stays within the integers that a JSON number represents exactly.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table wallets (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users,
      tenant_id uuid not null references tenants,
      balance bigint not null default 0
        constraint wallets_balance_not_negative check (balance >= 0)
        constraint wallets_balance_exact_in_json check (balance <= 9007199254740991),
      seq bigint not null default 0,
      head bytea not null default decode(repeat('00', 32), 'hex')
        constraint wallets_head_is_sha256 check (length(head) = 32),
      status text not null default 'active'
        constraint wallets_status_known check (status in ('active', 'frozen')),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint wallets_one_per_user_and_tenant unique (user_id, tenant_id)
    ) with (fillfactor = 70);

    create index wallets_of_tenant on wallets (tenant_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table wallets');
}
