import type { Knex } from 'knex';

/** Adds a constraint that does not check existing rows yet. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table pending_events
      add constraint pending_events_notes_are_short check (length(note) < 100) not valid
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table pending_events drop constraint pending_events_notes_are_short');
}
