import type { Knex } from 'knex';

/**
 * The defaults of autovacuum wait for a fifth of a table to change, or to be added. In a large
 * table that is a vacuum of months of rows at once, with statistics as old as that. A page of
 * redemptions keeps room for the later versions of its rows.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table payments set (autovacuum_vacuum_insert_scale_factor = 0.01,
      autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.005)
  `);
  await knex.raw(`
    alter table ledger_entries set (autovacuum_vacuum_insert_scale_factor = 0.01,
      autovacuum_analyze_scale_factor = 0.005)
  `);
  await knex.raw('alter table wallets set (autovacuum_vacuum_scale_factor = 0.01)');
  await knex.raw(`
    alter table redemptions set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01,
      autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.005)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table redemptions reset (fillfactor, autovacuum_vacuum_scale_factor,
      autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
    alter table wallets reset (autovacuum_vacuum_scale_factor);
    alter table ledger_entries reset (autovacuum_vacuum_insert_scale_factor,
      autovacuum_analyze_scale_factor);
    alter table payments reset (autovacuum_vacuum_insert_scale_factor,
      autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor);
  `);
}
