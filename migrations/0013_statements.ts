import type { Knex } from 'knex';

/**
 * Signed statements about the ledger, which a ledger that is rewritten as a whole contradicts.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(STATEMENTS);
  await knex.raw(NEXT_STATEMENT);
}

/** The statements are lost, but for the copies in the object store. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table statement_progress, moved_wallets, signed_heads;
    drop table unstored_statements, ledger_statements;
  `);
}

/**
 * A statement is of a tenant: its `text` names the root of a tree over the wallets that have moved
 * since the one before it, and the hash of that one. Nothing of it ever changes. Its `body`, with
 * the wallets, is in `unstored_statements` until the object store has it.
 */
const STATEMENTS = `
  create table ledger_statements (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    number bigint not null
      constraint ledger_statements_number_positive check (number > 0),
    day date not null,
    size bigint not null
      constraint ledger_statements_size_positive check (size > 0),
    text text not null,
    signature bytea not null
      constraint ledger_statements_signature_is_ed25519 check (length(signature) = 64),
    created_at timestamptz not null default now(),
    constraint ledger_statements_one_per_number unique (tenant_id, number)
  );

  create trigger ledger_statements_append_only
    before update or delete or truncate on ledger_statements
    for each statement execute function refuse_change();

  create table unstored_statements (
    statement_id uuid primary key,
    body text not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
`;

/**
 * `signed_heads` holds the newest entry of each wallet that a statement names. `moved_wallets` are
 * those that the next one is to name; `statement_progress` says up to which entry they have been
 * collected for which day, and up to which statement all were verified.
 */
const NEXT_STATEMENT = `
  create table signed_heads (
    wallet_id uuid primary key,
    tenant_id uuid not null,
    number bigint not null,
    seq bigint not null,
    head bytea not null
      constraint signed_heads_head_is_sha256 check (length(head) = 32)
  ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

  create table moved_wallets (
    tenant_id uuid not null,
    wallet_id uuid not null,
    constraint moved_wallets_once_per_wallet primary key (tenant_id, wallet_id)
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

  create table statement_progress (
    is_only boolean primary key default true
      constraint statement_progress_is_one_row check (is_only),
    day date not null,
    next_id uuid not null,
    until_id uuid,
    following_id uuid not null,
    verified_id uuid
  ) with (fillfactor = 50);
`;
