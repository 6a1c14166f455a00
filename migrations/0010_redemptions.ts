import type { Knex } from 'knex';

/**
 * A redemption is points exchanged for a single-use code. The points are debited from the wallet
 * when it is issued, and it is closed once: used at a point of sale, or expired.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(REDEMPTIONS);
  await knex.raw(LISTS);
  await knex.raw(WORK);
  await knex.raw(GUARDS);
  await knex.raw(CODE_GUESSES);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table code_guesses, redemptions;
    drop function refuse_second_closing;
  `);
}

/**
 * The code is stored as an HMAC, for look-ups, and until the redemption is closed also as a sealed
 * copy, for the mail. `currency` is the tenant's when it was confirmed, if it was known: what the
 * code is worth stays so when that is corrected. One that its consumer cancelled is expired before
 * its time, at `cancelled_at`, with its points returned whatever the policy. A code that could not
 * be expired is tried again at `next_expiry_at`.
 *
 * The row is the outbox of its run and of its mails. `followed_by` is the run of Temporal that
 * follows it: one run follows many, so its name does not tell; and what another run follows, a run
 * leaves alone. `code_resent` is how often a merchant had the mail with the code sent again, by
 * another run each time. `expiry_told_at` is set once the owner has been mailed about the expiry,
 * cannot be, or has cancelled it.
 */
const REDEMPTIONS = `
  create table redemptions (
    id uuid primary key,
    tenant_id uuid not null,
    wallet_id uuid not null,
    user_id uuid not null,
    used_by uuid,
    reward_id uuid references rewards,
    followed_by uuid,

    points bigint not null
      constraint redemptions_points_positive check (points > 0),
    discount_value_minor_units bigint not null
      constraint redemptions_discount_positive check (
        discount_value_minor_units > 0
        or (discount_value_minor_units = 0 and reward_id is not null)
      ),

    created_at timestamptz not null,
    expires_at timestamptz not null
      constraint redemptions_expire_after_issue check (expires_at > created_at),
    used_at timestamptz
      constraint redemptions_used_before_expiry check (used_at < expires_at),
    expired_at timestamptz,
    cancelled_at timestamptz,
    next_expiry_at timestamptz,
    followed_at timestamptz,
    code_mailed_at timestamptz,
    expiry_told_at timestamptz,

    rule_version integer not null,
    failed_expiries integer not null default 0,
    code_resent integer not null default 0,
    points_returned boolean not null default false,
    status text not null default 'issued'
      constraint redemptions_status_known check (status in ('issued', 'used', 'expired')),
    currency text
      constraint redemptions_currency_is_a_code check (currency ~ '^[A-Z]{3}$'),
    code_key_id text not null,
    code_hmac bytea not null
      constraint redemptions_code_hmac_is_sha256 check (length(code_hmac) = 32),
    sealed_code text,

    constraint redemptions_code_once unique (code_hmac),
    constraint redemptions_used_say_when_and_by_whom
      check ((status = 'used') = (used_at is not null)
        and (status = 'used') = (used_by is not null)),
    constraint redemptions_expired_say_when check ((status = 'expired') = (expired_at is not null)),
    constraint redemptions_expired_when_due_or_cancelled
      check (expired_at >= expires_at or cancelled_at is not null),
    constraint redemptions_cancelled_expire_then check (
      cancelled_at is null or (
        cancelled_at < expires_at and expired_at is not distinct from cancelled_at
        and points_returned
      )
    ),
    constraint redemptions_closed_hold_no_code
      check ((status = 'issued') = (sealed_code is not null)),
    constraint redemptions_only_expired_return_points
      check (status = 'expired' or not points_returned)
  ) with (
    -- A page keeps room for the later versions of its rows.
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_insert_scale_factor = 0.01,
    autovacuum_analyze_scale_factor = 0.005
  )
`;

/**
 * Newest first: of a wallet, of a tenant, and of what a shop's tills have used. The status comes
 * before the time, because a list of one status must not read the others: nearly all are closed.
 * Statistics find codes by when they were used, or their points returned.
 */
const LISTS = `
  create index redemptions_of_wallet on redemptions (wallet_id, status, created_at, id);
  create index redemptions_of_tenant on redemptions (tenant_id, status, created_at, id);
  create index redemptions_used_in_shop on redemptions (tenant_id, used_at, id) include (points)
    where status = 'used';
  create index redemptions_returned on redemptions (tenant_id, expired_at) include (points)
    where points_returned;
  create index redemptions_of_reward on redemptions (reward_id, user_id)
    where reward_id is not null;
`;

const WORK = `
  create index redemptions_open on redemptions (expires_at) where status = 'issued';
  create index redemptions_unfollowed on redemptions (id)
    where status <> 'used' and followed_at is null;
  create index redemptions_unmailed on redemptions (id)
    where status = 'issued' and code_mailed_at is null;
  create index redemptions_untold on redemptions (id)
    where status = 'expired' and expiry_told_at is null;
`;

const GUARDS = `
  create function refuse_second_closing() returns trigger language plpgsql as $$
  begin
    raise exception 'redemption % is % and stays so', old.id, old.status
      using errcode = 'restrict_violation';
  end
  $$;

  create trigger redemptions_close_once
    before update on redemptions for each row
    when (old.status <> 'issued' and
      (new.status, new.used_at, new.used_by, new.expired_at, new.points_returned)
      is distinct from
      (old.status, old.used_at, old.used_by, old.expired_at, old.points_returned))
    execute function refuse_second_closing();

  create trigger redemptions_stay
    before delete or truncate on redemptions
    for each statement execute function refuse_change();
`;

/**
 * The unknown codes that an operator has tried in the last minutes. Unlogged: a crash of Postgres
 * empties it, which only starts the count again.
 */
const CODE_GUESSES = `
  create unlogged table code_guesses (
    user_id uuid primary key references users,
    codes jsonb not null default '{}',
    blocked_until timestamptz
  )
`;
