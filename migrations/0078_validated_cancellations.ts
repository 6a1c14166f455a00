import type { Knex } from 'knex';

/** Checks the rows of releases without cancelled codes, after the constraints are in force. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table redemptions validate constraint redemptions_expired_when_due_or_cancelled;
    alter table redemptions validate constraint redemptions_cancelled_expire_then;
  `);
}

/** A validated constraint needs no reversal. */
export async function down(): Promise<void> {}
