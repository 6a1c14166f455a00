import type { Knex } from 'knex';

export const config = { transaction: false };

/** Adds an index on the notes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists pending_events_by_note');
  await knex.raw(
    'create index concurrently pending_events_by_note on pending_events (note, received_at)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index pending_events_by_note');
}
