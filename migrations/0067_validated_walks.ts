import type { Knex } from 'knex';

/** Checks the rows of releases without the walk over counts, after the constraints are in force. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table ledger_parts validate constraint ledger_parts_walk_known;
    alter table ledger_problems validate constraint ledger_problems_walk_known;
  `);
}

/** A validated constraint needs no reversal. */
export async function down(): Promise<void> {}
