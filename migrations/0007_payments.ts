import type { Knex } from 'knex';

/**
 * A payment is one settled sale of a tenant, stored once whether it arrived by webhook or by poll,
 * with its outcome and the record of that decision. The record contains no personal data.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(PAYMENTS);
  await knex.raw(LISTS);
  await knex.raw(WORK);
  await knex.raw(ATTACHMENTS);
  await knex.raw(CAMPAIGN_AWARDS);
  await knex.raw(AWARDS_ARE_WRITTEN);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table campaign_sums, campaign_awards, sale_attachments, payments;
    drop function write_awards;
  `);
}

/**
 * A payment may change after it was stored: a refund reverses points, and an anonymous payment may
 * be matched to a consumer later. While it is anonymous it keeps fingerprints of its contacts
 * (never the contacts), by which it is matched to a user who signs up with them.
 *
 * What a refund asks of points that have expired is absorbed, and what it could not take from the
 * balance is owed, `points_owed`, since `owed_since`; what
 * the wallet gets next pays it. `refunded_as_of` is the provider's time of the report that the
 * refunded sum is from, so that a refund that failed after all can be told from an older report.
 *
 * `decision_facts` says which contacts the payment had and how it was matched, and names the
 * version of the calculation (domain/decision-record.ts); `rule_in_effect` is the version of the
 * tenant's rule where `rule_version` is null, since nobody earned by it. `decision` keeps only what
 * refunds did, what was earned besides the rule's points, and a foreign tenant's currency.
 *
 * A sale from before the tenant had the account is credited with nothing and names no consumer: it
 * was made in another shop.
 */
const PAYMENTS = `
  create table payments (
    id uuid primary key,
    tenant_id uuid not null,
    user_id uuid,
    wallet_id uuid,

    amount_minor_units bigint not null
      constraint payments_amount_not_negative check (amount_minor_units >= 0),
    tip_minor_units bigint not null,
    refunded_minor_units bigint not null,
    points_awarded bigint not null
      constraint payments_points_not_negative check (points_awarded >= 0),
    points_reversed bigint not null default 0,
    points_written_off bigint not null default 0,
    points_owed bigint not null default 0,
    points_absorbed bigint not null default 0,

    occurred_at timestamptz not null,
    changed_at timestamptz not null,
    refunded_as_of timestamptz not null,
    owed_since timestamptz,
    created_at timestamptz not null default now(),

    rule_version integer,
    rule_in_effect integer,
    decision_facts smallint not null,

    provider provider_name not null,
    provider_payment_id text not null,
    provider_customer_id text,
    location_id text,
    currency text not null,
    outcome text not null
      constraint payments_outcome_known
      check (outcome in ('credited', 'stored_anonymous', 'no_rule_no_credit')),
    outcome_reason text,
    email_fingerprint bytea,
    phone_fingerprint bytea,
    decision jsonb not null,

    constraint payments_once_per_provider unique (tenant_id, provider, provider_payment_id),
    constraint payments_points_have_a_wallet check (points_awarded = 0 or wallet_id is not null),
    constraint payments_credited_have_a_rule
      check (outcome <> 'credited' or (rule_version is not null
        and (user_id is null) = (outcome_reason is not distinct from 'before_connection'))),
    constraint payments_reversed_at_most_awarded check (
      points_reversed >= 0 and points_written_off >= 0
      and points_reversed + points_written_off <= points_awarded
    ),
    constraint payments_owed_at_most_awarded check (
      points_owed >= 0 and (points_owed > 0) = (owed_since is not null)
      and points_reversed + points_written_off + points_owed + points_absorbed <= points_awarded
    ),
    constraint payments_absorbed_not_negative check (points_absorbed >= 0)
  ) with (
    -- The defaults wait for a fifth of the table to change, or to be added. In a large table that
    -- is a vacuum of months of rows at once, with statistics as old as that.
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_insert_scale_factor = 0.01,
    autovacuum_analyze_scale_factor = 0.005
  )
`;

/**
 * What a tenant's statistics and filtered lists read. Sales are in the order in which they
 * occurred, those of each outcome and those of each consumer. The columns that are summed are in
 * the index, so that the sums of a year read no row of the table.
 */
const LISTS = `
  create index payments_newest_first on payments (tenant_id, created_at desc, id desc);
  create index payments_by_time on payments (tenant_id, outcome, occurred_at, id)
    include (amount_minor_units, currency, points_awarded, points_reversed);
  create index payments_of_consumer on payments (tenant_id, user_id, occurred_at, id)
    where user_id is not null;
  create index payments_before_connection on payments (tenant_id, occurred_at)
    include (amount_minor_units, currency) where outcome_reason = 'before_connection';
`;

const WORK = `
  -- Anonymous payments to match with a user, and fingerprints that are due for deletion.
  create index payments_anonymous_by_email on payments (email_fingerprint)
    where outcome = 'stored_anonymous' and email_fingerprint is not null;
  create index payments_anonymous_by_phone on payments (phone_fingerprint)
    where outcome = 'stored_anonymous' and phone_fingerprint is not null;
  create index payments_with_fingerprints on payments (created_at)
    where email_fingerprint is not null or phone_fingerprint is not null;

  create index payments_owing on payments (wallet_id) where points_owed > 0;
  create index payments_absorbing on payments (wallet_id) where points_absorbed > 0;
  create index payments_to_decide_again on payments (tenant_id, id)
    where outcome_reason in ('currency_mismatch', 'tenant_suspended');
`;

/**
 * A row says that somebody attached an anonymous sale to a customer by the member number, and who.
 * What the sale earned by that is in its payment.
 */
const ATTACHMENTS = `
  create table sale_attachments (
    payment_id uuid primary key references payments,
    tenant_id uuid not null references tenants,
    user_id uuid not null references users,
    operator_id uuid not null references users,
    created_at timestamptz not null default now()
  );

  create index sale_attachments_newest_first
    on sale_attachments (tenant_id, created_at desc, payment_id desc);
  -- What somebody attached in the last hour, or to a member in the last 30 days.
  create index sale_attachments_by_operator
    on sale_attachments (operator_id, created_at desc, payment_id desc);
  create index sale_attachments_of_member
    on sale_attachments (user_id, created_at desc, payment_id desc);
`;

/**
 * What campaigns gave for sales, and what refunds took back of it. `campaign_sums` says what a
 * campaign gave before a moment, less that; what it gave since is added up when it is read, so that
 * no decision waits for another.
 */
const CAMPAIGN_AWARDS = `
  create table campaign_awards (
    campaign_id uuid not null references campaigns,
    payment_id uuid not null references payments,
    wallet_id uuid not null,
    user_id uuid not null,
    cause text not null
      constraint campaign_awards_cause_known check (cause in ('award', 'refund')),
    first_purchase boolean not null,
    points bigint not null
      constraint campaign_awards_not_nothing check (points <> 0),
    created_at timestamptz not null default now(),
    constraint campaign_awards_award_some check (cause = 'refund' or points > 0)
  );
  create unique index campaign_awards_once_per_payment
    on campaign_awards (campaign_id, payment_id) where cause = 'award';
  create unique index campaign_awards_one_first_purchase
    on campaign_awards (campaign_id, user_id) where cause = 'award' and first_purchase;
  create index campaign_awards_of_payment on campaign_awards (payment_id);
  create index campaign_awards_by_time
    on campaign_awards (campaign_id, created_at) include (points, cause);
  create trigger campaign_awards_append_only
    before update or delete on campaign_awards
    for each statement execute function refuse_change();

  create table campaign_sums (
    campaign_id uuid primary key references campaigns,
    points bigint not null,
    awards bigint not null,
    settled_before timestamptz not null
  ) with (fillfactor = 50);
`;

/**
 * Writes what a decision says of campaigns, where a stored payment is decided, and what its refunds
 * take of that: the same part of it as of the amount. A refund counts once its points are taken,
 * which never happens where refunds are ignored. Those of new payments are written with them.
 */
const AWARDS_ARE_WRITTEN = `
  create function write_awards() returns trigger language plpgsql as $$
    begin
      insert into campaign_awards
        (campaign_id, payment_id, wallet_id, user_id, cause, first_purchase, points)
      select c.id, new.id, new.wallet_id, new.user_id, 'award', c.audience = 'first_purchase',
        (given ->> 'points')::bigint
      from jsonb_array_elements(new.decision #> '{awards,campaigns}') given
      join campaigns c on c.id = (given ->> 'id')::uuid
      where not exists (
        select from campaign_awards a
        where a.payment_id = new.id and a.campaign_id = c.id and a.cause = 'award'
      );
      if new.points_reversed + new.points_owed + new.points_written_off + new.points_absorbed = div(
        new.points_awarded::numeric * least(new.refunded_minor_units, new.amount_minor_units),
        new.amount_minor_units
      ) then
        insert into campaign_awards
          (campaign_id, payment_id, wallet_id, user_id, cause, first_purchase, points)
        select a.campaign_id, a.payment_id, a.wallet_id, a.user_id, 'refund', a.first_purchase,
          -taken.due - taken.before
        from campaign_awards a
        cross join lateral (
          select div(
              a.points::numeric * least(new.refunded_minor_units, new.amount_minor_units),
              new.amount_minor_units
            )::bigint as due,
            (select coalesce(sum(r.points), 0)::bigint from campaign_awards r
             where r.payment_id = new.id and r.campaign_id = a.campaign_id and r.cause = 'refund')
              as before
        ) taken
        where a.payment_id = new.id and a.cause = 'award' and taken.due + taken.before <> 0;
      end if;
      return null;
    end
    $$;
  create trigger payments_write_awards
    after update on payments for each row
    when (new.decision -> 'awards' is not null)
    execute function write_awards();
`;
