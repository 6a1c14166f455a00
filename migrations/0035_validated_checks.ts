import type { Knex } from 'knex';

/** Validates constraints on the rows that are older than them, while the tables are written to. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table payments validate constraint payments_owed_at_most_awarded;
    alter table invites validate constraint invites_status_known;
    alter table audit_log validate constraint audit_log_actor_known;
    alter table audit_log validate constraint audit_log_action_known;
    alter table audit_log validate constraint audit_log_target_known;
    alter table users validate constraint users_status_before_suspension_known;
    alter table pos_connections validate constraint pos_connections_active_have_a_token;
  `);
}

/** A validated constraint needs no reversal. */
export async function down(): Promise<void> {}
