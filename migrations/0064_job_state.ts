import type { Knex } from 'knex';

/**
 * What periodic jobs keep, so that a tick costs what has changed.
 *
 * A row of `waiting_checks` names a connection whose waiting events may have to be made due: events
 * were left to wait for it, or it works again, which a trigger of pos_connections notes. A row
 * of `job_runs` says when a job last ran to its end.
 *
 * The verification of the ledger has one more walk, over the kept counts of tenants.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table waiting_checks (
      tenant_id uuid not null,
      provider text not null,
      changed_at timestamptz not null default clock_timestamp(),
      constraint waiting_checks_once_per_connection primary key (tenant_id, provider)
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0,
      autovacuum_vacuum_threshold = 1000);

    create index waiting_checks_oldest on waiting_checks (changed_at);

    create table job_runs (
      job text primary key,
      completed_at timestamptz not null
    ) with (fillfactor = 50);
  `);
  await knex.raw(RECOVERIES_ARE_NOTED);
  await knex.raw(`
    alter table ledger_parts
      drop constraint ledger_parts_walk_known,
      add constraint ledger_parts_walk_known check (walk in
        ('moved', 'wallets', 'payments', 'redemptions', 'adjustments', 'counts')) not valid;
  `);
  await knex.raw(`
    alter table ledger_problems
      drop constraint ledger_problems_walk_known,
      add constraint ledger_problems_walk_known check (walk in
        ('wallets', 'payments', 'redemptions', 'adjustments', 'counts')) not valid;
  `);
}

const WORKS = (row: string) =>
  `${row}.status = 'active' and ${row}.ask_again_at is null
    and ${row}.needs_reconnect_since is null`;

const RECOVERIES_ARE_NOTED = `
  create function note_waiting_check() returns trigger language plpgsql as $$
    begin
      insert into waiting_checks (tenant_id, provider) values (new.tenant_id, new.pos_type)
      on conflict (tenant_id, provider) do update set changed_at = excluded.changed_at;
      return null;
    end
  $$;

  create trigger pos_connections_works_at_once
    after insert on pos_connections for each row
    when (${WORKS('new')})
    execute function note_waiting_check();

  create trigger pos_connections_works_again
    after update of status, ask_again_at, needs_reconnect_since on pos_connections for each row
    when (${WORKS('new')} and not (${WORKS('old')}))
    execute function note_waiting_check();
`;

/** What is verified of the counts is forgotten. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from ledger_problems where walk = 'counts';
    delete from ledger_parts where walk = 'counts';
    alter table ledger_problems
      drop constraint ledger_problems_walk_known,
      add constraint ledger_problems_walk_known check (walk in
        ('wallets', 'payments', 'redemptions', 'adjustments'));
    alter table ledger_parts
      drop constraint ledger_parts_walk_known,
      add constraint ledger_parts_walk_known check (walk in
        ('moved', 'wallets', 'payments', 'redemptions', 'adjustments'));
    drop trigger pos_connections_works_again on pos_connections;
    drop trigger pos_connections_works_at_once on pos_connections;
    drop function note_waiting_check;
    drop table job_runs, waiting_checks;
  `);
}
