import type { Knex } from 'knex';

/**
 * What the verification of the ledger has found, so that it does not start again each day.
 *
 * A checkpoint says that the entries of a wallet were verified up to `seq`, with the balance and
 * the hash after that entry. Later entries are verified from there; a verification of the whole
 * history compares with it.
 *
 * A part is a range of ids, `from_id` exclusive, that was walked from `verified_at` on, with
 * `row_count` rows. The parts of a walk do not overlap. The walk `moved` is one part: every entry
 * and source with an id up to its end was verified, those of transactions that had ended at
 * `verified_at`, and `row_count` wallets had moved.
 *
 * A problem is a row that was found wrong, last at `seen_at`. It is verified again each day until
 * it is right.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ledger_checkpoints (
      wallet_id uuid primary key,
      seq bigint not null,
      balance bigint not null,
      head bytea not null
        constraint ledger_checkpoints_head_is_sha256 check (length(head) = 32),
      verified_at timestamptz not null default now()
    ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

    create table ledger_parts (
      walk text not null
        constraint ledger_parts_walk_known check (walk in
          ('moved', 'wallets', 'payments', 'redemptions', 'adjustments')),
      from_id uuid not null,
      until_id uuid not null,
      row_count bigint not null,
      verified_at timestamptz not null,
      primary key (walk, from_id),
      constraint ledger_parts_ascend check (from_id < until_id)
    );

    create table ledger_problems (
      walk text not null
        constraint ledger_problems_walk_known check (walk in
          ('wallets', 'payments', 'redemptions', 'adjustments')),
      row_id uuid not null,
      seen_at timestamptz not null default now(),
      primary key (walk, row_id)
    );
  `);
}

/** The next verification of an earlier release begins with the whole. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table ledger_problems;
    drop table ledger_parts;
    drop table ledger_checkpoints;
  `);
}
