import type { Knex } from 'knex';

/**
 * A position records how far the payments of one location of a connection have been ingested: up to
 * and including the payment that it names. A connection is polled from `polled_from`, or from its
 * watermark where that is null, and by one run at a time: the holder of its lease, until the lease
 * expires.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table pos_connections
      add column polled_from timestamptz,
      add column poll_lease_run text,
      add column poll_lease_holder uuid,
      add column poll_leased_until timestamptz,
      add constraint pos_connections_poll_leases_are_whole check (
        (poll_lease_run is null) = (poll_leased_until is null)
        and (poll_lease_holder is null) = (poll_leased_until is null)
      ) not valid;

    create table poll_positions (
      connection_id uuid not null references pos_connections,
      location_id text not null,
      at timestamptz not null,
      payment_id text,
      is_at_end boolean not null,
      polled_at timestamptz not null default now(),
      constraint poll_positions_one_per_location primary key (connection_id, location_id)
    );
  `);
}

/** Deletes the positions of the connections: the next polls start at the watermarks. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table poll_positions;
    alter table pos_connections
      drop constraint pos_connections_poll_leases_are_whole,
      drop column polled_from,
      drop column poll_lease_run,
      drop column poll_lease_holder,
      drop column poll_leased_until;
  `);
}
