import type { Knex } from 'knex';

/** How far the payments of alpha's connections have been polled. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(POLLS);
  await knex.raw(POSITIONS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table poll_positions, connection_polls;
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
