import type { Knex } from 'knex';

/** Members of before, with the points that a merchant brings over. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(IMPORTS);
  await knex.raw(IMPORT_ROWS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table import_rows, imports');
}

/**
 * A file that a merchant uploaded: how many rows it had, what was wrong with some of them, and the
 * points of the others. The counts are foreseen while it is a draft, and from the approval on those
 * of what was done: they change with the rows. Who approved it, and who took it back, is in the
 * audit log.
 */
const IMPORTS = `
  create table imports (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    status text not null default 'draft'
      constraint imports_status_known
      check (status in ('draft', 'running', 'done', 'withdrawn', 'reverting', 'reverted')),
    row_count integer not null,
    points bigint not null
      constraint imports_points_positive check (points > 0),
    invalid jsonb not null,
    matched integer not null,
    waiting integer not null,
    repeated integer not null,
    not_taken bigint not null default 0
      constraint imports_taken_in_part check (not_taken between 0 and points),
    created_by uuid not null references users,
    created_at timestamptz not null default now(),
    approved_at timestamptz,
    constraint imports_counts_not_negative check (least(matched, waiting, repeated) >= 0),
    constraint imports_approved_unless_draft
      check ((status in ('draft', 'withdrawn')) = (approved_at is null))
  );

  create index imports_newest_first on imports (tenant_id, id);
`;

/**
 * A row that could be taken. It has no state until its import is approved and its turn comes. It
 * goes by a contact, of which it keeps a fingerprint until it is known what becomes of it, at most
 * until `waits_until`. `user_id` is who had verified that contact when it was last compared. The
 * id is that of the adjustment which credits the wallet.
 *
 * Nobody is brought over twice: of the credited rows of a tenant there is one for each wallet, and
 * of those that wait for their owners one for each contact.
 */
const IMPORT_ROWS = `
  create table import_rows (
    id uuid primary key,
    tenant_id uuid not null,
    import_id uuid not null references imports,
    line integer not null,
    points bigint not null
      constraint import_rows_points_positive check (points > 0),
    contact text not null
      constraint import_rows_contact_known check (contact in ('email', 'phone')),
    fingerprint bytea,
    user_id uuid,
    wallet_id uuid,
    state text
      constraint import_rows_state_known
      check (state in ('waiting', 'credited', 'repeated', 'dropped', 'reverted')),
    waits_until timestamptz,
    constraint import_rows_once_per_line unique (import_id, line),
    constraint import_rows_wallet_when_credited
      check ((wallet_id is not null) = (coalesce(state, '') in ('credited', 'reverted'))),
    constraint import_rows_contact_until_decided
      check ((fingerprint is not null) = (coalesce(state, 'waiting') = 'waiting')),
    constraint import_rows_wait_for_a_time
      check ((waits_until is not null) = (coalesce(state, '') = 'waiting'))
  );

  create unique index import_rows_once_per_wallet on import_rows (tenant_id, wallet_id)
    where state = 'credited';
  create unique index import_rows_once_per_contact on import_rows (tenant_id, fingerprint)
    where state = 'waiting';
  -- For whoever verifies a contact.
  create index import_rows_by_contact on import_rows (fingerprint) where fingerprint is not null;
  create index import_rows_overdue on import_rows (waits_until) where state = 'waiting';
`;
