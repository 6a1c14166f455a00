import type { Knex } from 'knex';

/**
 * A ledger entry is one movement of points and is never changed. Each hash covers the previous one,
 * so that a removed, changed or inserted entry breaks the chain; if the last entry is removed, the
 * chain no longer ends at the wallet's head.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ledger_entries (
      id uuid primary key,
      wallet_id uuid not null references wallets,
      seq bigint not null,
      entry_type text not null
        constraint ledger_entries_type_known check (entry_type in ('credit', 'debit')),
      points bigint not null
        constraint ledger_entries_points_positive check (points > 0),
      balance_after bigint not null
        constraint ledger_entries_balance_not_negative check (balance_after >= 0),
      reason text not null
        constraint ledger_entries_reason_known check (reason in
          ('purchase', 'redemption', 'redemption_expired', 'payment_refunded', 'admin_adjustment')),
      source_type text not null
        constraint ledger_entries_source_known
        check (source_type in ('payment', 'redemption', 'adjustment')),
      source_id uuid not null,
      created_at timestamptz not null,
      hash bytea not null
        constraint ledger_entries_hash_is_sha256 check (length(hash) = 32),
      constraint ledger_entries_one_per_wallet_and_seq unique (wallet_id, seq)
    );

    -- A payment may be refunded in parts; every other reason occurs once per source.
    create unique index ledger_entries_once_per_source
      on ledger_entries (source_id, reason) where reason <> 'payment_refunded';

    create trigger ledger_entries_append_only
      before update or delete or truncate on ledger_entries
      for each statement execute function refuse_change();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ledger_entries');
}
