import type { Knex } from 'knex';

/**
 * Lets the planner forget that a partition of events was empty when somebody analysed the whole
 * database. To read an empty table as a whole costs it nothing, so a plan that is kept over the
 * turn of a month would read all events of the new month for each sale, until Postgres analyses
 * them again. Of a table that was never analysed it expects rows, and uses the index.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(EXPECT_EVENTS);
  await knex.raw('revoke execute on function expect_events_in_partitions from public');
}

// Runs as the owner, who may change statistics. It gives way: what is being vacuumed or analysed is
// left to the next call. Postgres 18 has the function that it calls; an earlier one does nothing.
const EXPECT_EVENTS = `
  create function expect_events_in_partitions() returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '200ms'
  as $$
  declare
    partition text;
    has_rows boolean;
  begin
    if to_regprocedure('pg_clear_relation_stats(text, text)') is null then
      return;
    end if;
    for partition in
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('public.webhook_bodies'::regclass, 'public.event_outcomes'::regclass)
        and c.reltuples = 0
      order by c.relname
    loop
      begin
        execute format('select exists (select from public.%I)', partition) into has_rows;
        continue when has_rows;
        perform pg_clear_relation_stats('public', partition);
      exception when lock_not_available then null;
      end;
    end loop;
  end
  $$`;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function expect_events_in_partitions');
}
