import type { Knex } from 'knex';

/** Old rows are looked at. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_events validate constraint webhook_events_notes_are_short');
}

/** What was looked at stays so. */
export async function down(): Promise<void> {}
