import type { Knex } from 'knex';

/**
 * A connection remembers when its provider may be asked next (`ask_again_at`, null while it
 * answers), who probes it or refreshes its tokens until when, and its last complete poll. An event
 * that waits for its connection has no attempt of its own until the connection works again. One is
 * doubtful once the provider had an error about it although it answered a probe. A lease of an
 * event may be held by one attempt of a run.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table pos_connections
      add column ask_again_at timestamptz,
      add column away_at timestamptz,
      add column away_count integer not null default 0,
      add column probing_until timestamptz,
      add column refreshing_until timestamptz,
      add column refresh_holder uuid,
      add column last_polled_at timestamptz;

    alter table webhook_events
      add column awaits_connection boolean not null default false,
      add column is_doubtful boolean not null default false,
      add column lease_run text,
      add column lease_holder uuid;
  `);
}

/** Makes the events that wait for a connection due, as the previous release expects them. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update webhook_events set next_attempt_at = now() where awaits_connection and not processed;
    alter table webhook_events
      drop column awaits_connection,
      drop column is_doubtful,
      drop column lease_run,
      drop column lease_holder;
    alter table pos_connections
      drop column ask_again_at,
      drop column away_at,
      drop column away_count,
      drop column probing_until,
      drop column refreshing_until,
      drop column refresh_holder,
      drop column last_polled_at;
  `);
}
