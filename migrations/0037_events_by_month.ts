import type { Knex } from 'knex';

/**
 * What is kept of webhook events. A row of `webhook_bodies` is the bytes of one delivery, written
 * once. A row of `event_outcomes` says how an event ended, written once.
 *
 * Both are partitioned by the month in which the id was made (UUIDs of version 7 start with their
 * time), so that a month is dropped at once and ids lead to their partition. Ids that no clock
 * made, of earlier releases and of failed payments, are nearly all greater than those of any clock
 * of the next 80 years, and have a partition of their own. The default partition is there so that
 * no event is refused when its month is missing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhook_bodies (
      id uuid primary key,
      received_at timestamptz not null default now(),
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
      last_error text
    ) partition by range (id);

    create index event_outcomes_of_payment on event_outcomes (payment_id)
      where payment_id <> id;

    create trigger webhook_bodies_stay_as_received
      before update or delete or truncate on webhook_bodies
      for each statement execute function refuse_change();
    create trigger event_outcomes_append_only
      before update or delete or truncate on event_outcomes
      for each statement execute function refuse_change();

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
  `);
  await knex.raw(FIRST_EVENT_ID);
  await knex.raw(KEEP_PARTITIONS);
  await knex.raw(FORGET_UNORDERED);
  await knex.raw(`
    revoke execute on function keep_event_partitions, forget_unordered_events from public;
    select keep_event_partitions();
  `);
}

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

/** Moves every event back to where the release before looks for it. */
export async function down(knex: Knex): Promise<void> {
  const columns = `id, provider, tenant_id, merchant_id, event_type, correlation_id, received_at,
    attempts, last_error`;
  await knex.raw(`
    insert into webhook_events (${columns}, body, next_attempt_at, leased_until, awaits_connection,
      is_doubtful, lease_run, lease_holder)
    select ${columns}, coalesce(b.body, ''), next_attempt_at, leased_until, awaits_connection,
      is_doubtful, lease_run, lease_holder
    from pending_events left join (select id, body from webhook_bodies) b using (id);

    insert into webhook_events (${columns}, body, next_attempt_at, outcome_reason)
    select ${columns}, coalesce(b.body, ''),
      case when tenant_id is null then received_at else 'infinity' end,
      case when tenant_id is null then 'unknown_merchant' end
    from stalled_events left join (select id, body from webhook_bodies) b using (id);

    insert into webhook_events (${columns}, body, processed, processed_at, outcome, outcome_reason,
      payment_id)
    select ${columns}, coalesce(b.body, ''), true, processed_at, outcome, outcome_reason, payment_id
    from event_outcomes left join (select id, body from webhook_bodies) b using (id);

    delete from pending_events;
    delete from stalled_events;
    drop table webhook_bodies, event_outcomes;
    drop function forget_unordered_events;
    drop function keep_event_partitions;
    drop function first_event_id;
  `);
}
