import type { Knex } from 'knex';

/** How far the payments of alpha's connections have been polled. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(POLLS);
  await knex.raw(POSITIONS);
  await knex.raw(SCHEDULE_CHANGES);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger pos_connections_schedule_changed on pos_connections;
    drop trigger pos_connections_schedule_created on pos_connections;
    drop function note_poll_schedule_change;
    drop table poll_schedule_changes, poll_positions, connection_polls;
  `);
}

/**
 * What each poll writes has a narrow row of its own, so that the connection's own row, with its
 * tokens, stays as it is: the lease, the time up to which payments have been polled (`watermark`),
 * the last complete poll, and in how many polls webhooks had brought all sales before. No payment
 * before `polled_from` is ever requested. A connection is polled by one run at a time: the holder
 * of its lease, until the lease expires.
 */
const POLLS = `
  create table connection_polls (
    connection_id uuid primary key references pos_connections,
    watermark timestamptz not null,
    polled_from timestamptz not null,
    last_polled_at timestamptz,
    leased_until timestamptz,
    lease_holder uuid,
    covered_polls smallint not null default 0,
    lease_run text,
    constraint connection_polls_leases_are_whole check (
      (lease_run is null) = (leased_until is null)
      and (lease_holder is null) = (leased_until is null)
    )
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000)
`;

/**
 * A position records how far the payments of one location of a connection have been ingested: up to
 * and including the payment that it names.
 */
const POSITIONS = `
  create table poll_positions (
    connection_id uuid not null references pos_connections,
    location_id text not null,
    at timestamptz not null,
    payment_id text,
    is_at_end boolean not null,
    polled_at timestamptz not null default now(),
    constraint poll_positions_one_per_location primary key (connection_id, location_id)
  )
`;

/**
 * A row names a connection whose Schedule may have to change. Triggers add those that were
 * connected, disconnected or refused, whoever did it.
 */
const SCHEDULE_CHANGES = `
  create table poll_schedule_changes (
    connection_id uuid primary key,
    changed_at timestamptz not null default clock_timestamp(),
    due_at timestamptz not null default clock_timestamp()
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 1000);

  create index poll_schedule_changes_due on poll_schedule_changes (due_at);

  create function note_poll_schedule_change() returns trigger language plpgsql as $$
    begin
      insert into poll_schedule_changes (connection_id) values (new.id)
      on conflict (connection_id) do update
        set changed_at = excluded.changed_at, due_at = excluded.due_at;
      return null;
    end
  $$;

  create trigger pos_connections_schedule_created
    after insert on pos_connections for each row
    when (new.provider = 'alpha')
    execute function note_poll_schedule_change();

  create trigger pos_connections_schedule_changed
    after update of status, needs_reconnect_since on pos_connections for each row
    when (new.provider = 'alpha' and (old.status <> new.status
      or (old.needs_reconnect_since is null) <> (new.needs_reconnect_since is null)))
    execute function note_poll_schedule_change();
`;
