import type { Knex } from 'knex';

/** Events that a tenant's own systems are told of, and how they are delivered. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(NEW_ROW_ID);
  await knex.raw(TENANT_EVENTS);
  await knex.raw(ENDPOINTS);
  await knex.raw(DELIVERIES);
  await knex.raw(EVENT_POSITIONS);
  await knex.raw(REDEMPTIONS_ARE_TOLD);
  await knex.raw(CONNECTIONS_ARE_TOLD);
  await knex.raw(OPERATORS_ARE_TOLD);
  await knex.raw(RULES_ARE_TOLD);
}

/** Endpoints and their secrets are lost, and what was not delivered yet. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger reward_rules_told_when_published on reward_rules;
    drop trigger memberships_told_when_changed on memberships;
    drop trigger memberships_told_when_joined on memberships;
    drop trigger pos_connections_told_when_changed on pos_connections;
    drop trigger pos_connections_told_when_made on pos_connections;
    drop trigger redemptions_told_when_closed on redemptions;
    drop trigger redemptions_told_when_issued on redemptions;
    drop function tell_rule;
    drop function tell_operator;
    drop function tell_connection;
    drop function tell_redemption;
    drop table event_positions, webhook_deliveries, webhook_endpoint_secrets, webhook_endpoints,
      tenant_events;
    drop function new_row_id;
  `);
}

/** A UUID of version 7, as the service makes them, for rows that the database itself writes. */
const NEW_ROW_ID = `
  create function new_row_id() returns uuid language sql volatile parallel safe return
    encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint)
        from 3)
      from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
`;

/**
 * A row is written in the transaction of what it tells, for tenants that have had an endpoint
 * (`tells_events`). `xid` is that transaction: a reader takes an event once no older transaction
 * is open, in the order of (xid, id), so that none is passed over. What happens to redemptions,
 * connections, operators and rules is told by triggers, whoever did it.
 */
const TENANT_EVENTS = `
  create table tenant_events (
    id uuid primary key default new_row_id(),
    tenant_id uuid not null,
    xid xid8 not null default pg_current_xact_id(),
    type text not null
      constraint tenant_events_type_known check (type in ('points.credited', 'points.reversed',
        'points.adjusted', 'points.expired', 'redemption.issued', 'redemption.used',
        'redemption.expired', 'connection.active', 'connection.lost', 'connection.gap',
        'operator.joined', 'rule.published', 'tier.changed')),
    occurred_at timestamptz not null default now(),
    data jsonb not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000);

  create index tenant_events_of_tenant on tenant_events (tenant_id, xid, id);
  create index tenant_events_settled on tenant_events (xid, id);
  -- For the verification, which compares each code with what was told of it.
  create index tenant_events_of_redemption on tenant_events ((data ->> 'redemptionId'))
    where (data ->> 'redemptionId') is not null;
`;

/**
 * An endpoint gets the events that its creation could not see (`created_in`). It has read them up
 * to (`read_xid`, `read_id`), with a row of `webhook_deliveries` for each that it is to get. One
 * attempt at a time claims an endpoint.
 */
const ENDPOINTS = `
  create table webhook_endpoints (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    url text not null,
    types text[],
    status text not null default 'active'
      constraint webhook_endpoints_status_known check (status in ('active', 'disabled')),
    disabled_reason text
      constraint webhook_endpoints_reason_known check (disabled_reason in ('gone', 'failing')),
    created_in pg_snapshot not null default pg_current_snapshot(),
    read_xid xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
    read_id uuid not null default '00000000-0000-0000-0000-000000000000',
    claim uuid,
    claimed_until timestamptz,
    failures integer not null default 0,
    attempted_at timestamptz,
    delivered_at timestamptz,
    failed_since timestamptz,
    active_since timestamptz not null default now(),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    constraint webhook_endpoints_reason_when_disabled check (
      disabled_reason is null or status = 'disabled'
    )
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000);

  create index webhook_endpoints_of_tenant on webhook_endpoints (tenant_id, created_at, id)
    where deleted_at is null;
  create index webhook_endpoints_failing on webhook_endpoints (failed_since)
    where failed_since is not null;

  create table webhook_endpoint_secrets (
    id uuid primary key,
    endpoint_id uuid not null references webhook_endpoints,
    sealed_secret text not null,
    created_at timestamptz not null default now(),
    ends_at timestamptz
  );

  create index webhook_endpoint_secrets_newest
    on webhook_endpoint_secrets (endpoint_id, created_at desc, id desc);
`;

/**
 * A delivery that waits is due at `next_attempt_at`; without one it waits for its endpoint to be
 * active again. `planned_at` is set once a delivery was made due before its time, because the
 * endpoint answers again.
 */
const DELIVERIES = `
  create table webhook_deliveries (
    id uuid primary key default new_row_id(),
    tenant_id uuid not null,
    endpoint_id uuid not null,
    event_id uuid not null,
    type text not null,
    status text not null default 'pending'
      constraint webhook_deliveries_status_known
        check (status in ('pending', 'delivered', 'failed')),
    attempt integer not null default 0,
    step smallint not null default 0,
    milliseconds integer,
    response_status integer,
    response text,
    error text,
    next_attempt_at timestamptz default now(),
    planned_at timestamptz,
    created_at timestamptz not null default now(),
    constraint webhook_deliveries_once_per_endpoint unique (event_id, endpoint_id),
    constraint webhook_deliveries_due_when_pending check (
      next_attempt_at is null or status = 'pending'
    )
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000);

  create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, event_id);
  create index webhook_deliveries_due
    on webhook_deliveries (endpoint_id, next_attempt_at, event_id) where status = 'pending';
  create index webhook_deliveries_due_of_all on webhook_deliveries (next_attempt_at)
    where status = 'pending';
`;

/**
 * The only row, made with the first event, says how far the events of all tenants are: of the
 * transactions before `told`, each tenant's delivery was woken; those before `read` have been read
 * by all endpoints. One worker at a time wakes, until `taken_until`.
 */
const EVENT_POSITIONS = `
  create table event_positions (
    is_only boolean primary key default true
      constraint event_positions_one_row check (is_only),
    told xid8 not null default '0',
    read xid8 not null default '0',
    taken_by uuid,
    taken_until timestamptz
  ) with (fillfactor = 50);
`;

const REDEMPTIONS_ARE_TOLD = `
  create function tell_redemption() returns trigger language plpgsql as $$
    begin
      insert into tenant_events (tenant_id, type, data)
      select t.id, 'redemption.' || new.status, jsonb_build_object(
        'redemptionId', new.id, 'walletId', new.wallet_id, 'points', new.points,
        'discountValueMinorUnits', new.discount_value_minor_units, 'currency', new.currency,
        'cancelled', new.cancelled_at is not null, 'reward', (
          select jsonb_build_object('id', w.id, 'name', w.name, 'kind', w.kind)
          from rewards w where w.id = new.reward_id
        ))
      from tenants t where t.id = new.tenant_id and t.tells_events;
      return null;
    end
  $$;

  create trigger redemptions_told_when_issued
    after insert on redemptions for each row execute function tell_redemption();

  create trigger redemptions_told_when_closed
    after update of status on redemptions for each row
    when (old.status = 'issued' and new.status <> 'issued')
    execute function tell_redemption();
`;

const WORKS = (row: string) =>
  `(${row}.status = 'active' and ${row}.needs_reconnect_since is null)`;

const CONNECTIONS_ARE_TOLD = `
  create function tell_connection() returns trigger language plpgsql as $$
    begin
      insert into tenant_events (tenant_id, type, data)
      select t.id, case when ${WORKS('new')} then 'connection.active' else 'connection.lost' end,
        jsonb_strip_nulls(jsonb_build_object('connectionId', new.id, 'posType', new.provider,
          'reason', case when ${WORKS('new')} then null
            when new.status = 'disconnected' then 'disconnected' else 'revoked' end))
      from tenants t where t.id = new.tenant_id and t.tells_events;
      return null;
    end
  $$;

  create trigger pos_connections_told_when_made
    after insert on pos_connections for each row
    when ${WORKS('new')}
    execute function tell_connection();

  create trigger pos_connections_told_when_changed
    after update of status, needs_reconnect_since on pos_connections for each row
    when (${WORKS('old')} <> ${WORKS('new')})
    execute function tell_connection();
`;

const OPERATORS_ARE_TOLD = `
  create function tell_operator() returns trigger language plpgsql as $$
    begin
      insert into tenant_events (tenant_id, type, data)
      select t.id, 'operator.joined', jsonb_build_object('userId', new.user_id)
      from tenants t where t.id = new.tenant_id and t.tells_events;
      return null;
    end
  $$;

  create trigger memberships_told_when_joined
    after insert on memberships for each row
    when (new.role = 'pos_operator')
    execute function tell_operator();

  create trigger memberships_told_when_changed
    after update of role on memberships for each row
    when (new.role = 'pos_operator' and old.role <> 'pos_operator')
    execute function tell_operator();
`;

const RULES_ARE_TOLD = `
  create function tell_rule() returns trigger language plpgsql as $$
    begin
      insert into tenant_events (tenant_id, type, data)
      select t.id, 'rule.published', jsonb_build_object('ruleId', new.id, 'version', new.version,
        'effectiveFrom', to_char(new.effective_from at time zone 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from tenants t where t.id = new.tenant_id and t.tells_events;
      return null;
    end
  $$;

  create trigger reward_rules_told_when_published
    after insert on reward_rules for each row execute function tell_rule();
`;
