import type { Knex } from 'knex';

/** Validates constraints on the rows that are older than them, while the tables are written to. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table pos_connections validate constraint pos_connections_poll_leases_are_whole;
    alter table payments validate constraint payments_reversed_at_most_awarded;
    alter table webhook_events validate constraint webhook_events_outcome_known;
  `);
}

/** A validated constraint needs no reversal. */
export async function down(): Promise<void> {}
