import type { Knex } from 'knex';

/** Checks existing rows against the constraint. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table pending_events validate constraint pending_events_notes_are_short');
}

/** Does nothing: a constraint stays validated. */
export async function down(): Promise<void> {}
