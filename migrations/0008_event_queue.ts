import type { Knex } from 'knex';

/** The queue of webhook events that are still to be ingested. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(PENDING_EVENTS);
  await knex.raw(STALLED_EVENTS);
  await knex.raw(LAST_EVENTS);
  await knex.raw(WAITING_CHECKS);
}

/** The events that were not ingested are lost. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger pos_connections_works_again on pos_connections;
    drop trigger pos_connections_works_at_once on pos_connections;
    drop function note_waiting_check;
    drop table waiting_checks, last_events, stalled_events, pending_events;
  `);
}

/**
 * A row is an event that is still to be ingested, with the time of its next attempt and its lease,
 * which may be held by one attempt of a run; it is deleted when the event is done. An event that
 * waits for its connection has no attempt of its own until the connection works again. One is
 * doubtful once the provider had an error about it although it answered a probe.
 */
const PENDING_EVENTS = `
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
    provider provider_name not null,
    merchant_id text not null,
    event_type text not null,
    correlation_id text not null,
    lease_run text,
    last_error text
  ) with (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_insert_threshold = 20000,
    autovacuum_vacuum_cost_delay = 0,
    -- A queue keeps its pages when it runs empty. Without any, to read the whole of it costs
    -- nothing, so a plan that is kept from then on would read it all for each batch of a backlog.
    vacuum_truncate = off
  );

  create index pending_events_due on pending_events (next_attempt_at);
  create index pending_events_failing on pending_events (tenant_id, received_at)
    where last_error is not null;
  create index pending_events_backing_off on pending_events (awaits_connection, received_at)
    where attempts > 0;
  create index pending_events_poisoned on pending_events (id) where attempts >= 5;
  create index pending_events_awaiting_connection on pending_events (tenant_id, provider)
    where awaits_connection;
`;

/**
 * A row is an event that no sweep takes: nobody has connected its merchant (it has no tenant), or
 * it was given up.
 */
const STALLED_EVENTS = `
  create table stalled_events (
    id uuid primary key,
    tenant_id uuid,
    received_at timestamptz not null default now(),
    attempts integer not null default 0,
    provider provider_name not null,
    merchant_id text not null,
    event_type text not null,
    correlation_id text not null,
    last_error text
  ) with (vacuum_truncate = off);

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
`;

/** A row says when a connection's newest event arrived, to within ten seconds. */
const LAST_EVENTS = `
  create table last_events (
    tenant_id uuid not null,
    provider text not null,
    received_at timestamptz not null default now(),
    primary key (tenant_id, provider)
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)
`;

const WORKS = (row: string) =>
  `${row}.status = 'active' and ${row}.ask_again_at is null
    and ${row}.needs_reconnect_since is null`;

/**
 * A row names a connection whose waiting events may have to be made due: events were left to wait
 * for it, or it works again, which a trigger notes.
 */
const WAITING_CHECKS = `
  create table waiting_checks (
    tenant_id uuid not null,
    provider text not null,
    changed_at timestamptz not null default clock_timestamp(),
    constraint waiting_checks_once_per_connection primary key (tenant_id, provider)
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 1000);

  create index waiting_checks_oldest on waiting_checks (changed_at);

  create function note_waiting_check() returns trigger language plpgsql as $$
    begin
      insert into waiting_checks (tenant_id, provider) values (new.tenant_id, new.provider)
      on conflict (tenant_id, provider) do update set changed_at = excluded.changed_at;
      return null;
    end
  $$;

  create trigger pos_connections_works_at_once
    after insert on pos_connections for each row
    when (${WORKS('new')})
    execute function note_waiting_check();

  create trigger pos_connections_works_again
    after update of status, ask_again_at, needs_reconnect_since, merchant_id
    on pos_connections for each row
    when (${WORKS('new')} and (not (${WORKS('old')}) or new.merchant_id <> old.merchant_id))
    execute function note_waiting_check();
`;
