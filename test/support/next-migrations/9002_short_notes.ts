import type { Knex } from 'knex';

/** Adds a constraint that does not check existing rows yet. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_events
      add constraint webhook_events_notes_are_short check (length(note) < 100) not valid
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_events drop constraint webhook_events_notes_are_short');
}
