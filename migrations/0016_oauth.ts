import type { Knex } from 'knex';

/**
 * A connection knows since when its tokens are the current ones, and since when its merchant has to
 * connect again, if so. A state is an authorization that was begun: its row is deleted when it is
 * used, so that it is used once. An attempt is an authorization that came back: its code is kept
 * sealed until it is read, which deletes it, and the row decides whether a late exchange still
 * counts. Attempts say what became of them for a while and are then forgotten.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table pos_connections
      add column token_refreshed_at timestamptz not null default now(),
      add column needs_reconnect_since timestamptz;

    create table oauth_states (
      nonce uuid primary key,
      tenant_id uuid not null references tenants,
      user_id uuid not null references users,
      provider text not null
        constraint oauth_states_provider_known check (provider in ('alpha', 'beta')),
      expires_at timestamptz not null
    );

    create index oauth_states_by_expiry on oauth_states (expires_at);

    create table oauth_attempts (
      id uuid primary key,
      tenant_id uuid not null references tenants,
      provider text not null
        constraint oauth_attempts_provider_known check (provider in ('alpha', 'beta')),
      claimed_merchant_id text,
      sealed_code text,
      status text not null default 'waiting'
        constraint oauth_attempts_status_known
        check (status in ('waiting', 'exchanging', 'connected', 'failed')),
      error text,
      connection_id uuid not null,
      expires_at timestamptz not null,
      constraint oauth_attempts_hold_a_code_while_waiting
        check ((status = 'waiting') = (sealed_code is not null)),
      constraint oauth_attempts_failed_say_why check ((status = 'failed') = (error is not null))
    );

    create index oauth_attempts_by_expiry on oauth_attempts (expires_at);
  `);
}

/** Forgets every authorization that is under way: those merchants have to begin again. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table oauth_attempts;
    drop table oauth_states;
    alter table pos_connections
      drop column token_refreshed_at,
      drop column needs_reconnect_since;
  `);
}
