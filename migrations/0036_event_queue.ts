import type { Knex } from 'knex';

/**
 * The queue of webhook events. A row of `pending_events` is an event that is still to be ingested,
 * with the time of its next attempt and its lease; it is deleted when the event is done. A row of
 * `stalled_events` is an event that no sweep takes: nobody has connected its merchant (it has no
 * tenant), or it was given up. A row of `last_events` says when a connection's newest event
 * arrived, to within ten seconds.
 *
 * `webhook_events` stays for the release before and as an archive of what it processed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table pending_events (
      id uuid primary key,
      tenant_id uuid not null,
      received_at timestamptz not null default now(),
      next_attempt_at timestamptz not null default now(),
      leased_until timestamptz,
      lease_holder uuid,
      attempts integer not null default 0,
      awaits_connection boolean not null default false,
      is_doubtful boolean not null default false,
      provider text not null
        constraint pending_events_provider_known check (provider in ('alpha', 'beta')),
      merchant_id text not null,
      event_type text not null,
      correlation_id text not null,
      lease_run text,
      last_error text
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000,
      autovacuum_vacuum_cost_delay = 0);

    create index pending_events_due on pending_events (next_attempt_at);
    create index pending_events_failing on pending_events (tenant_id, received_at)
      where last_error is not null;
    create index pending_events_backing_off on pending_events (awaits_connection, received_at)
      where attempts > 0;
    create index pending_events_poisoned on pending_events (id) where attempts >= 5;
    create index pending_events_awaiting_connection on pending_events (tenant_id, provider)
      where awaits_connection;

    create table stalled_events (
      id uuid primary key,
      tenant_id uuid,
      received_at timestamptz not null default now(),
      attempts integer not null default 0,
      provider text not null
        constraint stalled_events_provider_known check (provider in ('alpha', 'beta')),
      merchant_id text not null,
      event_type text not null,
      correlation_id text not null,
      last_error text
    );

    create index stalled_events_given_up on stalled_events (received_at)
      where tenant_id is not null;
    create index stalled_events_of_tenant on stalled_events (tenant_id, received_at)
      where tenant_id is not null;
    create index stalled_events_failing on stalled_events (tenant_id, received_at)
      where last_error is not null;
    create index stalled_events_unclaimed on stalled_events (provider, merchant_id, received_at)
      where tenant_id is null;
    create index stalled_events_unclaimed_oldest on stalled_events (received_at)
      where tenant_id is null;

    create table last_events (
      tenant_id uuid not null,
      provider text not null,
      received_at timestamptz not null default now(),
      primary key (tenant_id, provider)
    ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
  `);
}

/** Drops tables that the next migration has emptied. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table pending_events, stalled_events, last_events');
}
