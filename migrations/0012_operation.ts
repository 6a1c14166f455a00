import type { Knex } from 'knex';

/** What the service keeps about its own use: who did what, and what requests and jobs leave. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(AUDIT_LOG);
  await knex.raw(LOST_CONNECTIONS_ARE_RECORDED);
  await knex.raw(CHANGE_MAILS);
  await knex.raw(IDEMPOTENCY_KEYS);
  await knex.raw(RATE_LIMITS);
  await knex.raw(CALL_SHARES);
  await knex.raw(JOB_RUNS);
}

/** A repeated request would be carried out again, and every caller starts with a full limit. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger pos_connections_recorded_when_lost on pos_connections;
    drop function record_lost_connection, take_call_share, record_backup;
    drop table job_runs, call_shares, rate_limits, idempotency_keys, change_mails, audit_log;
  `);
}

/**
 * A row records one action of an administrator, a merchant, a store operator, of whoever runs
 * commands, or of the service itself (`actor` is `ops`, without a user; `operator` is who ran the
 * command): the actor, the target, and the state before and after. It is written in the transaction
 * of the action and is never changed. The row of an adjustment has the adjustment's id, which is
 * also the source of its ledger entry. No caller can choose the generated id of the request.
 */
const AUDIT_LOG = `
  create table audit_log (
    id uuid primary key default gen_random_uuid(),
    seq bigint generated always as identity
      constraint audit_log_one_per_seq unique,
    actor text not null default 'user',
    actor_user_id uuid references users,
    operator text
      constraint audit_log_operator_is_ops check (operator is null or actor = 'ops'),
    action text not null
      constraint audit_log_action_known check (action in (
        'wallet.freeze', 'wallet.unfreeze', 'wallet.adjust',
        'user.approve', 'user.role', 'user.suspend', 'user.reinstate', 'user.grant_admin',
        'user.bootstrap', 'user.erase', 'key.rotate', 'connection.connect', 'connection.disconnect',
        'operator.invite', 'operator.withdraw_invite',
        'operator.accept', 'operator.remove', 'operator.leave',
        'tenant.set_currency', 'tenant.set_time_zone', 'tenant.update',
        'tenant.suspend', 'tenant.reinstate', 'tenant.close',
        'logo.update', 'logo.delete', 'rule.publish',
        'programme.publish', 'campaign.publish', 'campaign.end',
        'reward.publish', 'reward.end',
        'endpoint.create', 'endpoint.update', 'endpoint.delete', 'endpoint.rotate',
        'endpoint.test', 'endpoint.replay', 'event.replay', 'event.dismiss', 'count.repair',
        'day.bring_in', 'connection.lost', 'sale.attach',
        'import.upload', 'import.withdraw', 'import.approve', 'import.revert',
        'goodwill.ask', 'goodwill.withdraw', 'goodwill.decline', 'code.mail')),
    target_type text not null
      constraint audit_log_target_known check (target_type in ('wallet', 'user', 'key',
        'connection', 'invite', 'tenant', 'rule', 'programme', 'campaign', 'reward', 'endpoint',
        'event', 'transaction', 'import')),
    target_id uuid,
    tenant_id uuid references tenants,
    reason text,
    before jsonb not null,
    after jsonb not null,
    request_id text not null,
    generated_request_id uuid,
    created_at timestamptz not null default now(),
    constraint audit_log_actor_known
      check (actor = 'user' or (actor = 'ops' and actor_user_id is null)),
    constraint audit_log_adjustments_have_a_reason
      check (action <> 'wallet.adjust' or reason is not null)
  );

  create trigger audit_log_append_only
    before update or delete or truncate on audit_log
    for each statement execute function refuse_change();

  -- What an administrator adjusted in the last day.
  create index audit_log_by_actor on audit_log (actor_user_id, created_at);
  -- The filters of the log.
  create index audit_log_by_time on audit_log (created_at, seq);
  create index audit_log_by_target on audit_log (target_id, seq);
  create index audit_log_by_action on audit_log (action, seq);
  create index audit_log_of_actor on audit_log (actor_user_id, seq);
  create index audit_log_of_tenant on audit_log (tenant_id, seq);
  create index audit_log_of_tenant_by_action on audit_log (tenant_id, action, seq);
  create index audit_log_of_actor_by_action on audit_log (actor_user_id, action, seq);
  create index audit_log_of_request on audit_log (request_id, seq);
  -- What somebody found in our logs.
  create index audit_log_of_generated_request on audit_log (generated_request_id, seq)
    where generated_request_id is not null;
`;

/** A trigger, because the tokens of a connection are refused to whoever uses them. */
const LOST_CONNECTIONS_ARE_RECORDED = `
  create function record_lost_connection() returns trigger language plpgsql as $$
    begin
      insert into audit_log
        (id, actor, action, target_type, target_id, tenant_id, before, after, request_id)
      values (new_row_id(), 'ops', 'connection.lost', 'connection', new.id, new.tenant_id,
        jsonb_build_object('provider', new.provider, 'merchantId', new.merchant_id,
          'status', 'active'),
        jsonb_build_object('provider', new.provider, 'merchantId', new.merchant_id,
          'status', 'lost'),
        gen_random_uuid());
      return null;
    end
  $$;

  create trigger pos_connections_recorded_when_lost
    after update of needs_reconnect_since on pos_connections for each row
    when (old.needs_reconnect_since is null and new.needs_reconnect_since is not null
      and new.status = 'active')
    execute function record_lost_connection();
`;

/**
 * A row says that a person was told of the change that an entry records, or cannot be; of a
 * connection that is still lost a second time, as a reminder.
 */
const CHANGE_MAILS = `
  create table change_mails (
    entry_id uuid not null,
    user_id uuid not null references users,
    is_reminder boolean not null default false,
    told_at timestamptz not null default now(),
    constraint change_mails_once_per_person primary key (entry_id, user_id, is_reminder)
  )
`;

/**
 * A row is the response to a request with an `Idempotency-Key`, committed together with the effect
 * of the request. For 24 hours a repeated request gets this response and has no further effect;
 * after that the row is ignored. A body that contains a secret is sealed.
 */
const IDEMPOTENCY_KEYS = `
  create table idempotency_keys (
    user_id uuid not null references users,
    method text not null,
    path text not null,
    key text not null,
    request_hmac bytea not null,
    status integer not null
      constraint idempotency_keys_status_final
      check (status between 200 and 299 or status in (404, 422)),
    body text not null,
    body_sealed boolean not null,
    created_at timestamptz not null default now(),
    constraint idempotency_keys_one_answer_per_request primary key (user_id, method, path, key)
  );

  create index idempotency_keys_by_age on idempotency_keys (created_at);
`;

/**
 * A row counts what one caller has used of one rate limit in the minute that ends at `expire`, in
 * milliseconds since 1970. The columns and their order are those of rate-limiter-flexible. The
 * table is unlogged: a crash of Postgres empties it, which only resets the limits. Free space on
 * each page lets Postgres update a count in place, without touching an index.
 */
const RATE_LIMITS = `
  create unlogged table rate_limits (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  ) with (fillfactor = 50)
`;

/**
 * A row says how many units of what a provider allows a process has until `ends_at`, and how many
 * it wants. `take_call_share` takes a row again, and leaves to each other process what that has, or
 * an even part if it wants one. The table is unlogged: after a crash of Postgres each process tells
 * of its units again within a second.
 */
const CALL_SHARES = `
  create unlogged table call_shares (
    name text not null,
    holder uuid not null,
    units integer not null,
    wants integer not null,
    ends_at timestamptz not null,
    constraint call_shares_once_per_holder primary key (name, holder)
  ) with (fillfactor = 50);

  -- The numbers: how many units there are, are in use and are wanted, and for how many seconds.
  create function take_call_share(its_name text, its_holder uuid, numbers integer[])
  returns integer language plpgsql as $$
    declare
      allowed integer;
    begin
      perform pg_advisory_xact_lock(704551209, hashtext(its_name));
      delete from call_shares where name = its_name and ends_at <= clock_timestamp();
      if numbers[3] = 0 then
        delete from call_shares where name = its_name and holder = its_holder;
        return 0;
      end if;
      with others as (
        select units, wants, greatest(1, numbers[1] / (count(*) over () + 1)) as part
        from call_shares where name = its_name and holder <> its_holder
      ),
      left_over as (
        select numbers[1] - coalesce(sum(units), 0) as free,
          numbers[1] - coalesce(sum(greatest(units, least(wants, part))), 0) as unclaimed
        from others
      )
      select greatest(0, least(numbers[3], greatest(unclaimed, least(1, free))))
      into allowed from left_over;
      -- What is in use beyond that is given back as calls end.
      insert into call_shares values (its_name, its_holder, greatest(numbers[2], allowed),
        numbers[3], clock_timestamp() + make_interval(secs => numbers[4]))
      on conflict on constraint call_shares_once_per_holder do update
        set units = excluded.units, wants = excluded.wants, ends_at = excluded.ends_at;
      return allowed;
    end
  $$;
`;

/**
 * A row says when a periodic job last ran to its end. The login of the backups may only say so of
 * its own: `log` is up to when all is in the bucket, `copy` and `check` are when they succeeded.
 * From its first word on all three are expected.
 */
const JOB_RUNS = `
  create table job_runs (
    job text primary key,
    completed_at timestamptz not null
  ) with (fillfactor = 50);

  create function record_backup(kind text, until timestamptz) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into public.job_runs (job, completed_at)
    select 'backup_' || each, until from unnest(array['log', 'copy', 'check']) each
    on conflict (job) do update set completed_at = excluded.completed_at
    where job_runs.job = 'backup_' || kind
  $$;
`;
