import type { Knex } from 'knex';

/** Checks existing rows against the constraint. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_events validate constraint webhook_events_notes_are_short');
}

/** Does nothing: a constraint stays validated. */
export async function down(): Promise<void> {}
