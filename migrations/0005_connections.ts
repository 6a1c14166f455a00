import type { Knex } from 'knex';

/** The merchants' accounts at point-of-sale providers, and how they are connected. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(PROVIDERS);
  await knex.raw(CONNECTIONS);
  await knex.raw(FOUND_WHEN_DUE);
  await knex.raw(TENURES);
  await knex.raw(TENURES_ARE_KEPT);
  await knex.raw(TRUTH_DAYS);
  await knex.raw(CONNECTION_COUNTS);
  await knex.raw(counting('insert', 'new table as after_it', AFTER));
  await knex.raw(counting('delete', 'old table as before_it', BEFORE));
  await knex.raw(
    counting(
      'update',
      'old table as before_it new table as after_it',
      `${AFTER} union all ${BEFORE}`,
    ),
  );
  await knex.raw(AUTHORIZATIONS);
}

/** Deletes every authorization in progress: those merchants have to start over. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table truth_days, oauth_attempts, oauth_states, connection_counts, account_tenures,
      pos_connections;
    drop function keep_account_tenures;
    drop function count_connections_at_insert;
    drop function count_connections_at_delete;
    drop function count_connections_at_update;
    drop domain provider_name;
  `);
}

/** The point-of-sale providers, wherever a row names one of its own. */
const PROVIDERS = `
  create domain provider_name as text
    constraint provider_name_known check (value in ('alpha', 'beta'))
`;

/**
 * A connection is a merchant's account at a provider: one per tenant and provider, reused when the
 * merchant reconnects. Tokens are sealed, and removed when it is disconnected.
 * `needs_reconnect_since` is set while its merchant has to reconnect.
 *
 * It shows the account's name, read with its token, and knows the countries of the account's
 * locations by their ids, as far as the provider tells them; that of the account is under ''.
 *
 * It remembers when its provider may be asked next (`ask_again_at`, null while it answers), and who
 * probes it or refreshes its tokens until when. Of an account whose webhooks are missed it knows
 * since when, when that was found, and when it was last looked for and told.
 */
const CONNECTIONS = `
  create table pos_connections (
    id uuid primary key default gen_random_uuid(),
    tenant_id uuid not null references tenants,
    provider provider_name not null,
    merchant_id text not null,
    status text not null
      constraint pos_connections_status_known check (status in ('active', 'disconnected')),

    sealed_access_token text,
    sealed_refresh_token text,
    token_expires_at timestamptz,
    token_refreshed_at timestamptz not null default now(),
    refresh_holder uuid,
    refreshing_until timestamptz,
    needs_reconnect_since timestamptz,

    account_name text,
    location_countries jsonb not null default '{}',

    last_error text,
    ask_again_at timestamptz,
    away_at timestamptz,
    away_count integer not null default 0,
    probing_until timestamptz,

    gap_since timestamptz,
    gap_found_at timestamptz,
    gap_payments integer,
    gap_asked_at timestamptz,
    gap_told_at timestamptz,

    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint pos_connections_one_per_tenant_and_provider unique (tenant_id, provider),
    constraint pos_connections_active_have_a_token
      check (status <> 'active' or sealed_access_token is not null)
  );

  create unique index pos_connections_one_active_per_merchant
    on pos_connections (provider, merchant_id) where status = 'active';
  create index pos_connections_polled on pos_connections (id)
    where status = 'active';
`;

/** By when each is due, so that those that are postponed are not passed over. */
const FOUND_WHEN_DUE = `
  create index pos_connections_away on pos_connections (provider, ask_again_at)
    where ask_again_at is not null;
  create index pos_connections_lost on pos_connections (needs_reconnect_since)
    where needs_reconnect_since is not null;
`;

/**
 * A tenure is a time in which a tenant has an account: its sales from `earns_from` on, and before
 * `ended_at`, earn at that tenant. It begins seven days before the connection, but never before
 * another tenant's has ended, so that those of two tenants never overlap. Its times are as exact as
 * those of sales. Of one that has ended it says whether our access is still to be revoked.
 */
const TENURES = `
  create table account_tenures (
    id bigint generated always as identity primary key,
    provider provider_name not null,
    merchant_id text not null,
    tenant_id uuid not null references tenants,
    earns_from timestamptz not null,
    ended_at timestamptz,
    to_revoke boolean not null default false
  );

  create unique index account_tenures_one_open_per_account
    on account_tenures (provider, merchant_id) where ended_at is null;
  create index account_tenures_of_account on account_tenures (provider, merchant_id, earns_from);
  create index account_tenures_to_revoke on account_tenures (tenant_id, provider) where to_revoke;
`;

/**
 * What came of comparing a day of a connection with its provider's own list. Totals are those of
 * the last comparison; counts are the greatest that any of them found.
 */
const TRUTH_DAYS = `
  create table truth_days (
    connection_id uuid not null references pos_connections,
    day date not null,
    tenant_id uuid not null references tenants,
    status text not null
      constraint truth_days_status_known
        check (status in ('agrees', 'repaired', 'differs', 'unavailable')),
    provider_count integer not null default 0,
    provider_amount_minor_units bigint not null default 0,
    provider_refunded_minor_units bigint not null default 0,
    our_count integer not null default 0,
    our_amount_minor_units bigint not null default 0,
    our_refunded_minor_units bigint not null default 0,
    missing integer not null default 0,
    changed integer not null default 0,
    unknown integer not null default 0,
    repaired integer not null default 0,
    checked_at timestamptz not null default now(),
    constraint truth_days_once_per_day primary key (connection_id, day)
  );

  create index truth_days_by_day on truth_days (day);
`;

// Each statement of a trigger sees what was committed while the connection waited for another
// tenant to disconnect.
const TENURES_ARE_KEPT = `
  create function keep_account_tenures() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and (new.status <> 'active' or new.merchant_id <> old.merchant_id) then
        update account_tenures set ended_at = date_trunc('milliseconds', now())
        where provider = old.provider and merchant_id = old.merchant_id
          and tenant_id = old.tenant_id and ended_at is null;
      end if;
      if new.status = 'active' then
        insert into account_tenures (provider, merchant_id, tenant_id, earns_from)
        select new.provider, new.merchant_id, new.tenant_id,
          greatest(date_trunc('milliseconds', now()) - interval '7 days', max(ended_at))
        from account_tenures
        where provider = new.provider and merchant_id = new.merchant_id
          and tenant_id <> new.tenant_id
        on conflict (provider, merchant_id) where ended_at is null do nothing;
      end if;
      return null;
    end
  $$;

  create trigger pos_connections_tenures_kept
    after insert or update of status, merchant_id on pos_connections for each row
    execute function keep_account_tenures();
`;

/**
 * How many connections are active, and how many of those must be connected again, for the service's
 * metrics: the sum over the rows of a provider. Triggers count, whoever writes connections, in the
 * transaction of the change. They take a row that no other transaction holds, or a new one, so that
 * they never wait; there are as many rows as there were changes at once. Slot 0 holds what the
 * service has counted itself, once, and again after its counts were deleted to be repaired.
 */
const CONNECTION_COUNTS = `
  create table connection_counts (
    provider text not null,
    slot bigint generated by default as identity,
    active bigint not null,
    reconnect bigint not null,
    constraint connection_counts_once_per_slot primary key (provider, slot)
  ) with (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0)
`;

const rowsOf = (table: string, sign: string) => `
  select provider, ${sign}1 as number, needs_reconnect_since from ${table} where status = 'active'`;
const AFTER = rowsOf('after_it', '+');
const BEFORE = rowsOf('before_it', '-');

// Once for each statement: a row that one transaction changes very often becomes slow.
const counting = (event: string, tables: string, rows: string) => `
  create function count_connections_at_${event}() returns trigger language plpgsql as $$
  declare
    change record;
  begin
    for change in
      select provider, sum(number) as active,
        coalesce(sum(number) filter (where needs_reconnect_since is not null), 0) as reconnect
      from (${rows}) changed
      group by provider
    loop
      continue when change.active = 0 and change.reconnect = 0;
      update connection_counts c
      set active = c.active + change.active, reconnect = c.reconnect + change.reconnect
      where c.provider = change.provider and c.slot = (
        select f.slot from connection_counts f where f.provider = change.provider
        order by f.slot limit 1 for no key update skip locked);
      if not found then
        insert into connection_counts (provider, active, reconnect)
        values (change.provider, change.active, change.reconnect);
      end if;
    end loop;
    return null;
  end
  $$;

  create trigger pos_connections_counted_at_${event}
    after ${event} on pos_connections referencing ${tables}
    for each statement execute function count_connections_at_${event}();
`;

/**
 * A state is an authorization that was started; its row is deleted on use, so that it is used only
 * once. An attempt is an authorization whose callback arrived: its code is stored sealed and
 * deleted when it is read, and its status decides whether a late exchange still counts. It names
 * its user and request, because another process makes the connection. Attempts keep their result
 * until they expire, and are then deleted.
 */
const AUTHORIZATIONS = `
  create table oauth_states (
    nonce uuid primary key,
    tenant_id uuid not null references tenants,
    user_id uuid not null references users,
    provider provider_name not null,
    expires_at timestamptz not null
  );

  create index oauth_states_by_expiry on oauth_states (expires_at);

  create table oauth_attempts (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    user_id uuid not null,
    provider provider_name not null,
    claimed_merchant_id text,
    sealed_code text,
    status text not null default 'waiting'
      constraint oauth_attempts_status_known
      check (status in ('waiting', 'exchanging', 'connected', 'failed')),
    error text,
    account_currency text,
    connection_id uuid not null,
    correlation_id text not null,
    request_id uuid not null,
    expires_at timestamptz not null,
    constraint oauth_attempts_hold_a_code_while_waiting
      check ((status = 'waiting') = (sealed_code is not null)),
    constraint oauth_attempts_failed_say_why check ((status = 'failed') = (error is not null))
  );

  create index oauth_attempts_by_expiry on oauth_attempts (expires_at);
`;
