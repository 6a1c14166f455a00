import type { Knex } from 'knex';

/**
 * A connection records when its tokens were last refreshed and, if its merchant has to reconnect,
 * since when. A state is an authorization that was started; its row is deleted on use, so that it
 * is used only once. An attempt is an authorization whose callback arrived: its code is stored
 * sealed and deleted when it is read, and its status decides whether a late exchange still counts.
 * Attempts keep their result until they expire, and are then deleted.
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

/** Deletes every authorization in progress: those merchants have to start over. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table oauth_attempts;
    drop table oauth_states;
    alter table pos_connections
      drop column token_refreshed_at,
      drop column needs_reconnect_since;
  `);
}
