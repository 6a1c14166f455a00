import type { Knex } from 'knex';

/**
 * What is kept of webhook events. A row of `webhook_bodies` is the bytes of one delivery, written
 * once; `encoding` says how they are stored (db/events/stored-bodies.ts), null is as received. A
 * row of `event_outcomes` says how an event ended, written once. Its `provider_payment_id` names a
 * payment that was reported as not settled, of which there may be no row.
 *
 * Both are partitioned by the month in which the id was made (UUIDs of version 7 start with their
 * time), so that a month is dropped at once and ids lead to their partition. Ids that no clock
 * made, those of failed payments, are nearly all greater than those of any clock of the next 80
 * years, and have a partition of their own. The default partition is there so that no event is
 * refused when its month is missing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(BODIES_AND_OUTCOMES);
  await knex.raw(PARTITIONS_WITHOUT_A_MONTH);
  await knex.raw(FIRST_EVENT_ID);
  await knex.raw(KEEP_PARTITIONS);
  await knex.raw(FORGET_UNORDERED);
  await knex.raw(EXPECT_EVENTS);
  await knex.raw(FORGET_BODIES);
  await knex.raw(`
    revoke execute on function keep_event_partitions, forget_unordered_events,
      expect_events_in_partitions, forget_bodies_of_erased from public;
    select keep_event_partitions();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table event_outcomes, webhook_bodies;
    drop function forget_bodies_of_erased;
    drop function expect_events_in_partitions;
    drop function forget_unordered_events;
    drop function keep_event_partitions;
    drop function first_event_id;
  `);
}

const BODIES_AND_OUTCOMES = `
  create table webhook_bodies (
    id uuid primary key,
    received_at timestamptz not null default now(),
    encoding smallint,
    body bytea not null
  ) partition by range (id);

  create table event_outcomes (
    id uuid primary key,
    tenant_id uuid,
    payment_id uuid,
    received_at timestamptz not null,
    processed_at timestamptz not null default now(),
    attempts integer not null,
    provider text not null,
    outcome text not null
      constraint event_outcomes_outcome_known check (outcome in ('credited', 'stored_anonymous',
        'duplicate', 'no_rule_no_credit', 'refund_reversed', 'ignored')),
    outcome_reason text,
    merchant_id text not null,
    event_type text not null,
    correlation_id text not null,
    last_error text,
    provider_payment_id text
  ) partition by range (id);

  create index event_outcomes_of_payment on event_outcomes (payment_id)
    where payment_id <> id;
  create index event_outcomes_not_settled on event_outcomes (provider_payment_id)
    where provider_payment_id is not null;

  create trigger webhook_bodies_stay_as_received
    before update or delete or truncate on webhook_bodies
    for each statement execute function refuse_change();
  create trigger event_outcomes_append_only
    before update or delete or truncate on event_outcomes
    for each statement execute function refuse_change();
`;

const PARTITIONS_WITHOUT_A_MONTH = `
  create table webhook_bodies_default partition of webhook_bodies default;
  create table webhook_bodies_unordered partition of webhook_bodies
    for values from ('04000000-0000-0000-0000-000000000000') to (maxvalue);
  create table event_outcomes_default partition of event_outcomes default;
  create table event_outcomes_unordered partition of event_outcomes
    for values from ('04000000-0000-0000-0000-000000000000') to (maxvalue);

  create index webhook_bodies_default_oldest on webhook_bodies_default (received_at);
  create index webhook_bodies_unordered_oldest on webhook_bodies_unordered (received_at);
  create index event_outcomes_default_oldest on event_outcomes_default (received_at);
  create index event_outcomes_unordered_oldest on event_outcomes_unordered (received_at);
`;

/** The smallest id that can be made at a time. */
const FIRST_EVENT_ID = `
  create function first_event_id(made_at timestamptz) returns uuid
  language sql immutable parallel safe return
    (lpad(to_hex(floor(extract(epoch from made_at) * 1000)::bigint), 12, '0')
      || repeat('0', 20))::uuid`;

// The service may not change the schema, so these run as the owner. The caller gives no table and
// no time. They wait at most 200 ms for a lock, so that others wait no longer behind them. What
// could not be locked is left to the next call.
const KEEP_PARTITIONS = `
  create function keep_event_partitions() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '200ms'
  as $$
  declare
    this_month constant timestamp := date_trunc('month', now() at time zone 'UTC');
    parent text;
    kept interval;
    month timestamp;
    partition text;
    first_id uuid;
    end_id uuid;
    is_taken boolean;
    changed integer := 0;
  begin
    if not pg_try_advisory_xact_lock(6402318) then
      return 0;
    end if;
    for parent, kept in values ('webhook_bodies', interval '90 days'),
        ('event_outcomes', interval '24 months') loop
      for ahead in 0..2 loop
        month := this_month + make_interval(months => ahead);
        partition := parent || to_char(month, '_YYYY_MM');
        continue when to_regclass('public.' || partition) is not null;
        first_id := public.first_event_id(month at time zone 'UTC');
        end_id := public.first_event_id((month + interval '1 month') at time zone 'UTC');
        execute format('select exists (select from public.%I where id >= %L and id < %L)',
          parent || '_default', first_id, end_id) into is_taken;
        -- A month that has begun in the default partition stays there.
        continue when is_taken;
        begin
          execute format('create table public.%I (like public.%I including all)',
            partition, parent);
          execute format('alter table public.%I attach partition public.%I
            for values from (%L) to (%L)', parent, partition, first_id, end_id);
          changed := changed + 1;
        exception when lock_not_available then null;
        end;
      end loop;

      for partition in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = ('public.' || parent)::regclass and c.relname ~ '_\\d{4}_\\d{2}$'
          and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month'
            < (now() at time zone 'UTC') - kept
        order by c.relname
      loop
        begin
          execute format('drop table public.%I', partition);
          changed := changed + 1;
        exception when lock_not_available then null;
        end;
      end loop;
    end loop;
    return changed;
  end
  $$`;

const FORGET_UNORDERED = `
  create function forget_unordered_events(batch integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    parent text;
    kept interval;
    deleted integer;
    total integer := 0;
  begin
    for parent, kept in values
        ('webhook_bodies_default', interval '90 days'),
        ('webhook_bodies_unordered', interval '90 days'),
        ('event_outcomes_default', interval '24 months'),
        ('event_outcomes_unordered', interval '24 months') loop
      execute format('delete from public.%1$I where id = any(array(
          select id from public.%1$I where received_at < now() - $1
          order by received_at limit $2))', parent) using kept, least(batch, 10000) - total;
      get diagnostics deleted = row_count;
      total := total + deleted;
    end loop;
    return total;
  end
  $$`;

/**
 * Lets the planner forget that a partition of events was empty when somebody analysed the whole
 * database. To read an empty table as a whole costs it nothing, so a plan that is kept over the
 * turn of a month would read all events of the new month for each sale, until Postgres analyses
 * them again. Of a table that was never analysed it expects rows, and uses the index.
 *
 * It gives way: what is being vacuumed or analysed is left to the next call. Postgres 18 has the
 * function that it calls; an earlier one does nothing.
 */
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

/**
 * Deletes the bodies of events that report payments of a user who was erased, and of nobody else.
 * An event that stored its payment has the payment's id; one of a payment that had not settled is
 * found by the provider's. The tables of months are not guarded: they are reached through their
 * parent only.
 */
const FORGET_BODIES = `
  create function forget_bodies_of_erased(erased uuid) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    partition regclass;
    bodies uuid[];
    deleted integer;
    total integer := 0;
  begin
    for partition, bodies in
      with paid as (
        select p.* from public.users u
        cross join public.tenants t
        cross join lateral (
          select id, tenant_id, provider, provider_payment_id
          from public.payments where tenant_id = t.id and user_id = u.id
        ) p
        where u.id = erased and u.erased_at is not null
      )
      select b.tableoid::regclass, array_agg(b.id)
      from public.webhook_bodies b
      where b.id = any(array(
        select id from paid
        union
        select e.id from paid join public.event_outcomes e
          on e.payment_id = paid.id and e.payment_id <> e.id
        union
        select e.id from paid join public.event_outcomes e
          using (tenant_id, provider, provider_payment_id)))
      group by b.tableoid
    loop
      execute format('delete from %s where id = any($1)', partition) using bodies;
      get diagnostics deleted = row_count;
      total := total + deleted;
    end loop;
    return total;
  end
  $$`;
