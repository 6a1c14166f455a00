import type { Knex } from 'knex';

/**
 * A row is one version of a tenant's reward rule and is never changed. The active rule is the
 * highest version; the rule in effect is the highest version whose effective date has passed.
 * So it is with the versions of its programme, which govern from their publication on.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(REFUSE_CHANGE);
  await knex.raw(REWARD_RULES);
  await knex.raw(PROGRAMME_VERSIONS);
  await knex.raw(CAMPAIGNS);
  await knex.raw(REWARDS);
  await knex.raw(REHEARSALS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table rehearsals, rewards, campaigns, programme_versions, reward_rules;
    drop function keep_reward, keep_campaign, refuse_change;
  `);
}

/** For append-only tables. It raises instead of ignoring the change: a mistake is noticed. */
const REFUSE_CHANGE = `
  create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% on % is refused: its rows are never changed', tg_op, tg_table_name
        using errcode = 'restrict_violation',
              hint = 'Correct it by adding another row.';
    end
    $$;
`;

const REWARD_RULES = `
  create table reward_rules (
    id uuid primary key default gen_random_uuid(),
    tenant_id uuid not null references tenants,
    version integer not null
      constraint reward_rules_version_from_one check (version >= 1),
    conversion_rate numeric(13, 6) not null
      constraint reward_rules_rate_positive check (conversion_rate > 0),
    min_spend_minor_units integer not null
      constraint reward_rules_min_spend_not_negative check (min_spend_minor_units >= 0),
    max_points_per_transaction integer
      constraint reward_rules_cap_not_negative check (max_points_per_transaction >= 0),
    min_balance_to_redeem integer not null
      constraint reward_rules_min_balance_not_negative check (min_balance_to_redeem >= 0),
    max_redemption_percentage numeric(9, 6) not null
      constraint reward_rules_percentage_in_range
      check (max_redemption_percentage > 0 and max_redemption_percentage <= 100),
    rounding_policy text not null
      constraint reward_rules_rounding_known check (rounding_policy in ('floor', 'ceil', 'round')),
    effective_from timestamptz not null,
    created_by uuid references users,
    created_at timestamptz not null default now(),
    constraint reward_rules_one_row_per_version unique (tenant_id, version)
  );

  create trigger reward_rules_append_only
    before update or delete or truncate on reward_rules
    for each statement execute function refuse_change();
`;

const PROGRAMME_VERSIONS = `
  create table programme_versions (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    version integer not null
      constraint programme_versions_version_from_one check (version >= 1),
    time_zone text not null
      constraint programme_versions_time_zone_is_a_name
      check (time_zone ~ '^[A-Z][A-Za-z0-9_+/-]+$'),
    validity_months integer
      constraint programme_versions_validity_in_range check (validity_months between 1 and 120),
    expiry_notice_days integer not null
      constraint programme_versions_notice_in_range check (expiry_notice_days between 7 and 60),
    return_window_days integer not null
      constraint programme_versions_window_in_range check (return_window_days between 0 and 90)
      constraint programme_versions_window_within_validity
      check (return_window_days <= 14 * validity_months),
    till_attach boolean not null,
    tiers jsonb not null default '[]'
      constraint programme_versions_tiers_few
      check (jsonb_typeof(tiers) = 'array' and jsonb_array_length(tiers) <= 5),
    created_by uuid references users,
    published_at timestamptz not null,
    constraint programme_versions_one_row_per_version unique (tenant_id, version)
  );

  -- Which version was in effect at a time: a higher one is never from an earlier time.
  create index programme_versions_by_time
    on programme_versions (tenant_id, published_at, version) include (return_window_days);

  create trigger programme_versions_append_only
    before update or delete or truncate on programme_versions
    for each statement execute function refuse_change();
`;

/**
 * A campaign gives more points for some sales: it multiplies them, or adds some. Its terms never
 * change, so that decisions can be made again. Hours are kept as `{from, to}`, times of the day.
 */
const CAMPAIGNS = `
  create table campaigns (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    name text not null,
    multiplier numeric(5, 3)
      constraint campaigns_multiplier_in_range check (multiplier > 1 and multiplier <= 10),
    points integer
      constraint campaigns_points_in_range check (points between 1 and 1000000),
    starts_at timestamptz not null,
    ends_at timestamptz
      constraint campaigns_ends_after_start check (ends_at > starts_at),
    days integer[],
    hours jsonb,
    min_spend_minor_units integer not null
      constraint campaigns_min_spend_not_negative check (min_spend_minor_units >= 0),
    audience text not null
      constraint campaigns_audience_known check (audience in ('all', 'first_purchase')),
    budget_points bigint
      constraint campaigns_budget_positive check (budget_points > 0),
    created_by uuid references users,
    published_at timestamptz not null,
    ended_at timestamptz,
    constraint campaigns_multiply_or_add check ((multiplier is null) <> (points is null)),
    constraint campaigns_not_too_generous check (points <= min_spend_minor_units)
  );
  create index campaigns_newest_first on campaigns (tenant_id, published_at, id);
  -- Those that sales of the last days may get.
  create index campaigns_by_end
    on campaigns (tenant_id, least(ends_at, ended_at, 'infinity'::timestamptz));
  create function keep_campaign() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and old.ended_at is null
        and to_jsonb(old) - 'ended_at' = to_jsonb(new) - 'ended_at' then
        return new;
      end if;
      raise exception '% on campaigns is refused: a campaign can only be ended, once', tg_op
        using errcode = 'restrict_violation', hint = 'Publish another one.';
    end
    $$;
  create trigger campaigns_only_end
    before update or delete on campaigns
    for each row execute function keep_campaign();
`;

/**
 * A reward is something of a shop that customers get for points: an amount, or an item. Its terms
 * and its stock never change. `taken` are those of codes that are open or used.
 */
const REWARDS = `
  create table rewards (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    name text not null,
    kind text not null
      constraint rewards_kind_known check (kind in ('amount', 'item')),
    price_points integer not null
      constraint rewards_price_positive check (price_points > 0),
    value_minor_units integer not null
      constraint rewards_value_positive check (value_minor_units > 0),
    stock integer
      constraint rewards_stock_positive check (stock > 0),
    taken integer not null default 0
      constraint rewards_taken_in_stock check (taken >= 0 and taken <= stock),
    ends_at timestamptz,
    created_by uuid references users,
    created_at timestamptz not null,
    ended_at timestamptz,
    constraint rewards_not_too_generous check (value_minor_units <= 10 * price_points)
  );
  create index rewards_newest_first on rewards (tenant_id, created_at, id);
  create index rewards_by_end
    on rewards (tenant_id, least(ends_at, ended_at, 'infinity'::timestamptz));
  create function keep_reward() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and (old.ended_at is null or old.ended_at = new.ended_at)
        and to_jsonb(old) - 'ended_at' - 'taken' = to_jsonb(new) - 'ended_at' - 'taken' then
        return new;
      end if;
      raise exception '% on rewards is refused: a reward is taken, and can be ended once', tg_op
        using errcode = 'restrict_violation', hint = 'Publish another one.';
    end
    $$;
  create trigger rewards_keep_their_terms
    before update or delete on rewards
    for each row execute function keep_reward();
`;

/** A draft of a rule, and what it would have done over sales of the past. */
const REHEARSALS = `
  create table rehearsals (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    status text not null default 'running'
      constraint rehearsals_status_known
      check (status in ('running', 'done', 'failed', 'cancelled')),
    draft jsonb not null,
    result jsonb
      constraint rehearsals_result_when_done check ((result is not null) = (status = 'done')),
    created_by uuid references users,
    created_at timestamptz not null default now()
  );

  create index rehearsals_newest_first on rehearsals (tenant_id, id);
  create index rehearsals_by_age on rehearsals (created_at);
  create unique index rehearsals_one_running_per_tenant on rehearsals (tenant_id)
    where status = 'running';
`;
