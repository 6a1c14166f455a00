import type { Knex } from 'knex';

/** Validates constraints on the rows that are older than them, while the tables are written to. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenants validate constraint tenants_currency_is_a_code;
    alter table audit_log validate constraint audit_log_action_known;
    alter table audit_log validate constraint audit_log_target_known;
  `);
}

/** A validated constraint needs no reversal. */
export async function down(): Promise<void> {}
