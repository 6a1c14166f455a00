import type { Knex } from 'knex';

/**
 * A redemption is points exchanged for a single-use code. The points are debited from the wallet
 * when it is issued, and it is closed once: used at a point of sale, or expired. The code is stored
 * as an HMAC, for look-ups, and until the redemption is closed also as a sealed copy, for the mail.
 * The row is the outbox of its workflow and of its mails: `followed_at` is set once a run follows
 * it, `expiry_told_at` once the owner has been mailed about the expiry or cannot be.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(TABLE);
  await knex.raw(GUARDS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table redemptions;
    drop function refuse_second_closing;
    alter table wallets drop constraint wallets_known_with_their_owner;
  `);
}

const TABLE = `
  alter table wallets
    add constraint wallets_known_with_their_owner unique (id, tenant_id, user_id);

  create table redemptions (
    id uuid primary key,
    wallet_id uuid not null,
    tenant_id uuid not null,
    user_id uuid not null,
    points bigint not null
      constraint redemptions_points_positive check (points > 0),
    discount_value_minor_units bigint not null
      constraint redemptions_discount_positive check (discount_value_minor_units > 0),
    rule_version integer not null,
    status text not null default 'issued'
      constraint redemptions_status_known check (status in ('issued', 'used', 'expired')),
    code_key_id text not null,
    code_hmac bytea not null
      constraint redemptions_code_hmac_is_sha256 check (length(code_hmac) = 32),
    sealed_code text,
    created_at timestamptz not null,
    expires_at timestamptz not null
      constraint redemptions_expire_after_issue check (expires_at > created_at),
    used_at timestamptz
      constraint redemptions_used_before_expiry check (used_at < expires_at),
    used_by uuid references users,
    expired_at timestamptz
      constraint redemptions_expired_when_due check (expired_at >= expires_at),
    points_returned boolean not null default false,
    followed_at timestamptz,
    code_mailed_at timestamptz,
    expiry_told_at timestamptz,
    constraint redemptions_of_the_wallets_owner
      foreign key (wallet_id, tenant_id, user_id) references wallets (id, tenant_id, user_id),
    constraint redemptions_code_once unique (code_hmac),
    constraint redemptions_used_say_when_and_by_whom
      check ((status = 'used') = (used_at is not null)
        and (status = 'used') = (used_by is not null)),
    constraint redemptions_expired_say_when check ((status = 'expired') = (expired_at is not null)),
    constraint redemptions_closed_hold_no_code
      check ((status = 'issued') = (sealed_code is not null)),
    constraint redemptions_only_expired_return_points
      check (status = 'expired' or not points_returned)
  );
`;

const GUARDS = `
  create index redemptions_open on redemptions (expires_at) where status = 'issued';
  create index redemptions_unfollowed on redemptions (id)
    where status <> 'used' and followed_at is null;
  create index redemptions_untold on redemptions (id)
    where status = 'expired' and expiry_told_at is null;

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
