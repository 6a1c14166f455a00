import type { Knex } from 'knex';

/**
 * Wallets, the ledger of what moved their points, and what the verification of the ledger has
 * found.
 *
 * Neither has foreign keys. To check one, Postgres locks the row that it refers to, so each sale
 * would write to its tenant's and its consumer's row, where all other sales of the tenant did the
 * same. What is referred to is never deleted (db/schema/grants.ts), and every statement takes the
 * ids it stores from rows that its own transaction has read or written. The verification compares
 * them. The same goes for payments and redemptions.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(WALLETS);
  await knex.raw(LEDGER_ENTRIES);
  await knex.raw(EXPIRY);
  await knex.raw(STANDINGS);
  await knex.raw(VERIFICATION);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table ledger_problems, ledger_parts, ledger_checkpoints;
    drop table wallet_standings, liability_months, expiry_notices, expiry_runs, point_expiries;
    drop table ledger_entries, wallets;
  `);
}

/**
 * A wallet holds the points of one user at one tenant. Its balance, sequence number and chain head
 * are a snapshot of its last ledger entry; they change only together with a new entry, in one
 * statement. A balance stays within the integers that a JSON number represents exactly. `owed` is
 * the sum of what its payments owe for refunds; while there is any, the balance is 0. It is closed,
 * at `closed_at`, once its owner was erased: it then holds nothing, and takes no entry.
 */
const WALLETS = `
  create table wallets (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    tenant_id uuid not null,
    balance bigint not null default 0
      constraint wallets_balance_not_negative check (balance >= 0)
      constraint wallets_balance_exact_in_json check (balance <= 9007199254740991),
    owed bigint not null default 0
      constraint wallets_owed_not_negative check (owed >= 0),
    seq bigint not null default 0,
    head bytea not null default decode(repeat('00', 32), 'hex')
      constraint wallets_head_is_sha256 check (length(head) = 32),
    status text not null default 'active'
      constraint wallets_status_known check (status in ('active', 'frozen')),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    closed_at timestamptz,
    constraint wallets_closed_hold_nothing
      check (closed_at is null or (balance = 0 and owed = 0 and status = 'frozen')),
    constraint wallets_one_per_user_and_tenant unique (user_id, tenant_id)
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);

  create index wallets_newest_first on wallets (tenant_id, created_at desc, id desc);
  create index wallets_owing on wallets (tenant_id, created_at desc, id desc) include (owed)
    where owed > 0;
`;

/**
 * A ledger entry is one movement of points and is never changed. Each hash covers the previous one,
 * so that a removed, changed or inserted entry breaks the chain; if the last entry is removed, the
 * chain no longer ends at the wallet's head.
 *
 * The defaults of autovacuum wait for a fifth of a table to be added. In a large table that is a
 * vacuum of months of rows at once, with statistics as old as that.
 */
const LEDGER_ENTRIES = `
  create table ledger_entries (
    id uuid primary key,
    wallet_id uuid not null,
    source_id uuid not null,
    seq bigint not null,
    points bigint not null
      constraint ledger_entries_points_positive check (points > 0),
    balance_after bigint not null
      constraint ledger_entries_balance_not_negative check (balance_after >= 0),
    created_at timestamptz not null,
    entry_type text not null
      constraint ledger_entries_type_known check (entry_type in ('credit', 'debit')),
    reason text not null
      constraint ledger_entries_reason_known check (reason in
        ('purchase', 'redemption', 'redemption_expired', 'payment_refunded', 'admin_adjustment',
          'points_expired')),
    source_type text not null
      constraint ledger_entries_source_known
      check (source_type in ('payment', 'redemption', 'adjustment', 'expiry')),
    hash bytea not null
      constraint ledger_entries_hash_is_sha256 check (length(hash) = 32),
    constraint ledger_entries_one_per_wallet_and_seq unique (wallet_id, seq)
  ) with (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.005);

  -- A payment may be refunded in parts; every other reason occurs once per source.
  create unique index ledger_entries_once_per_source
    on ledger_entries (source_id, reason) where reason <> 'payment_refunded';
  -- For the verification of what moved: refunds are few, and no sale writes to this index.
  create index ledger_entries_refunds
    on ledger_entries (source_id) where reason = 'payment_refunded';

  create trigger ledger_entries_append_only
    before update or delete or truncate on ledger_entries
    for each statement execute function refuse_change();
`;

/**
 * Which tier of a shop the owner of a wallet has (domain/tiers.ts), by days on the shop's clocks.
 * The key stays when the shop's programme has it no more, and then counts as none.
 */
const STANDINGS = `
  create table wallet_standings (
    wallet_id uuid primary key,
    tenant_id uuid not null references tenants,
    tier_key text not null,
    since date not null,
    kept_until date not null
      constraint wallet_standings_kept_after_start check (kept_until > since),
    decided_on date not null
  );

  create index wallet_standings_by_term on wallet_standings (tenant_id, kept_until);
`;

/**
 * Points that have expired (domain/expiry.ts). A row of `point_expiries` is what the end of a month
 * took of a wallet, and the source of its entry; `earned_by` is the last month of the credits that
 * were due. Months are kept as their first days.
 *
 * A run goes through a tenant's wallets once a month has ended on its clocks; `after` is the last
 * wallet that is done. A month that is skipped takes nothing: what was due goes with the next one.
 * A run that has left out a wallet, which failed, starts over.
 *
 * `liability_months` has what became of the points that were earned in a month, and are due in the
 * run's or later, as each wallet was in the transaction that took what was due of it and moved
 * `after`. `read_at` is the time of the last one, and `open_codes` the points of codes that were
 * open: what is unused and what is in codes is what the shop owes.
 *
 * `expiry_notices` has the wallets whose owners were told what a month will take; once all were, it
 * has `told_at`, before its run begins.
 */
const EXPIRY = `
  create table point_expiries (
    id uuid primary key,
    tenant_id uuid not null,
    wallet_id uuid not null,
    month date not null,
    earned_by date not null
      constraint point_expiries_earned_before check (earned_by <= month),
    points bigint not null
      constraint point_expiries_points_positive check (points > 0),
    created_at timestamptz not null default now()
  );

  create index point_expiries_of_wallet on point_expiries (wallet_id, month);
  create index point_expiries_by_month on point_expiries (tenant_id, month) include (points);

  create trigger point_expiries_append_only
    before update or delete or truncate on point_expiries
    for each statement execute function refuse_change();

  create table expiry_runs (
    tenant_id uuid not null references tenants,
    month date not null,
    told_at timestamptz,
    begun_at timestamptz,
    after uuid,
    passed_over boolean not null default false,
    read_at timestamptz,
    open_codes bigint not null default 0,
    reward_factor numeric(8, 4),
    finished_at timestamptz,
    skipped text
      constraint expiry_runs_skipped_known check (skipped in ('suspended', 'no_rule')),
    constraint expiry_runs_once_per_month primary key (tenant_id, month)
  );

  create table liability_months (
    tenant_id uuid not null,
    month date not null,
    earned_in date not null,
    earned bigint not null,
    reversed bigint not null,
    used bigint not null,
    expired bigint not null,
    unused bigint not null,
    constraint liability_months_once_per_run primary key (tenant_id, month, earned_in),
    constraint liability_months_of_a_run foreign key (tenant_id, month) references expiry_runs,
    constraint liability_months_not_negative
      check (least(earned, reversed, used, expired, unused) >= 0),
    constraint liability_months_add_up check (earned - reversed - used - expired = unused)
  );

  create table expiry_notices (
    wallet_id uuid not null,
    month date not null,
    constraint expiry_notices_once_per_month primary key (wallet_id, month)
  );
`;

/**
 * What the verification has found, so that it does not start again each day.
 *
 * A checkpoint says that the entries of a wallet were verified up to `seq`, with the balance and
 * the hash after that entry. Later entries are verified from there; a verification of the whole
 * history compares with it.
 *
 * A part is a range of ids, `from_id` exclusive, that was walked from `verified_at` on, with
 * `row_count` rows. The parts of a walk do not overlap. The walk `moved` is one part: every entry
 * and source with an id up to its end was verified, those of transactions that had ended at
 * `verified_at`, and `row_count` wallets had moved. The walk `counts` is over the kept counts of
 * tenants.
 *
 * A problem is a row that was found wrong, last at `seen_at`. It is verified again each day until
 * it is right.
 */
const VERIFICATION = `
  create table ledger_checkpoints (
    wallet_id uuid primary key,
    seq bigint not null,
    balance bigint not null,
    verified_at timestamptz not null default now(),
    head bytea not null
      constraint ledger_checkpoints_head_is_sha256 check (length(head) = 32)
  ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

  create table ledger_parts (
    walk text not null
      constraint ledger_parts_walk_known check (walk in
        ('moved', 'wallets', 'payments', 'redemptions', 'adjustments', 'expiries', 'campaigns',
          'rewards', 'erasures', 'liability', 'imports', 'counts')),
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
        ('wallets', 'payments', 'redemptions', 'adjustments', 'expiries', 'campaigns',
          'rewards', 'erasures', 'liability', 'imports', 'counts')),
    row_id uuid not null,
    seen_at timestamptz not null default now(),
    primary key (walk, row_id)
  );
`;
