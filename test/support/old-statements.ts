// The statements of the release of commit d586070, unchanged. They run on every later schema for as
// long as a rolling deploy from that release is supported.

/** Stores deliveries. */
export const INSERT_EVENTS = `
    insert into webhook_events
       (id, provider, tenant_id, merchant_id, event_type, body, correlation_id, outcome_reason)
     select n.id, n.provider, c.tenant_id, n.merchant_id, n.event_type, n.body, n.correlation_id,
       case when c.tenant_id is null then 'unknown_merchant' end
     from unnest(:ids::uuid[], :providers::text[], :merchantIds::text[], :eventTypes::text[],
         :bodies::bytea[], :correlationIds::text[])
       as n(id, provider, merchant_id, event_type, body, correlation_id)
     left join lateral (
       select tenant_id from pos_connections
       where pos_type = n.provider and merchant_id = n.merchant_id and status = 'active' limit 1
     ) c on true
     returning id, tenant_id`;

const OPEN_EVENTS = `
  select e.id, e.provider, t.id as tenant_id, t.country as tenant_country,
    e.received_at, e.body
  from webhook_events e
  left join lateral (
    select tenant_id from pos_connections
    where e.tenant_id is null and pos_type = e.provider and merchant_id = e.merchant_id
      and status = 'active' limit 1
  ) c on true
  join lateral (
    select id, country from tenants where id = coalesce(e.tenant_id, c.tenant_id) limit 1
  ) t on true
  where e.id = any(:ids) and not e.processed
  order by e.id`;

/** Takes open events until the transaction ends. */
export const HOLD_EVENTS = `${OPEN_EVENTS} for update of e skip locked`;

/** Records failures of events. */
export const FAIL_EVENTS = `
    update webhook_events e
     set attempts = e.attempts + 1, last_error = f.error,
       leased_until = now() + make_interval(secs => :leaseSeconds),
       next_attempt_at = now() + make_interval(secs =>
         least(:longest::float8, :first::float8 * power(2, least(e.attempts, 20))))
     from unnest(:ids::uuid[], :errors::text[]) as f(id, error)
     where e.id = f.id and not e.processed`;

/** Leases events to a sweep. */
export const TAKE_PENDING = `
    with due as (
       select id from webhook_events
       where not processed and tenant_id is not null and next_attempt_at <= now()
         and received_at > now() - make_interval(days => :days)
         and received_at < now() - make_interval(secs => :quiet)
         and (leased_until is null or leased_until < now())
       order by next_attempt_at, id
       limit :limit
       for update skip locked
     )
     update webhook_events e set leased_until = now() + make_interval(secs => :lease)
     from due where e.id = due.id
     returning e.id, e.provider, e.tenant_id`;

const CANONICAL_ENTRY = `convert_to(concat_ws('|', e.id, e.wallet_id, e.seq, e.entry_type,
  e.points, e.balance_after, e.reason, e.source_type, e.source_id,
  trunc(extract(epoch from e.created_at) * 1000000)), 'utf8')`;

const POSTING = `
  locked as (
    select id, balance, seq, head from wallets
    where id = any(array(select wallet_id from entry))
    order by id for update
  ),
  numbered as (
    select entry.*, gen_random_uuid() as id,
      row_number() over (partition by wallet_id order by entry.nth) as step
    from entry
  ),
  chained as (
    select l.id as wallet_id, 0::bigint as step, l.seq, l.balance as balance_after,
      l.head as hash, null::uuid as id
    from locked l
    union all
    select e.wallet_id, e.step, e.seq, e.balance_after, sha256(e.previous || ${CANONICAL_ENTRY}),
      e.id
    from (
      select n.*, c.seq + 1 as seq, c.hash as previous, now() as created_at,
        c.balance_after + case n.entry_type when 'credit' then n.points else -n.points end
          as balance_after
      from chained c join numbered n on n.wallet_id = c.wallet_id and n.step = c.step + 1
    ) e
  ),
  moved as (
    update wallets w
    set balance = last.balance_after, seq = last.seq, head = last.hash, updated_at = now()
    from (
      select distinct on (wallet_id) * from chained where step > 0 order by wallet_id, step desc
    ) last
    where w.id = any(array(select wallet_id from entry)) and w.id = last.wallet_id
  ),
  posted as (
    insert into ledger_entries (id, wallet_id, seq, entry_type, points, balance_after, reason,
      source_type, source_id, created_at, hash)
    select n.id, n.wallet_id, c.seq, n.entry_type, n.points, c.balance_after, n.reason,
      n.source_type, n.source_id, now(), c.hash
    from numbered n join chained c on c.id = n.id
    returning id, wallet_id, seq, entry_type, points, balance_after, reason, source_type, source_id,
      created_at
  )`;

/** Stores payments, credits their wallets, and closes events. */
export const WRITE = `
  with recursive payment as (
    select * from rows from (jsonb_to_recordset(:payments) as (
      payment_id uuid, tenant_id uuid, provider text, provider_payment_id text,
      provider_customer_id text, location_id text, amount_minor_units bigint,
      tip_minor_units bigint, refunded_minor_units bigint, currency text, occurred_at timestamptz,
      changed_at timestamptz, outcome text, reason text, points bigint, points_reversed bigint,
      user_id uuid, rule_version integer, decision jsonb, email_fingerprint bytea,
      phone_fingerprint bytea
    )) with ordinality
    as p(payment_id, tenant_id, provider, provider_payment_id, provider_customer_id, location_id,
      amount_minor_units, tip_minor_units, refunded_minor_units, currency, occurred_at, changed_at,
      outcome, reason, points, points_reversed, user_id, rule_version, decision,
      email_fingerprint, phone_fingerprint, nth)
  ),
  closing as (
    select * from jsonb_to_recordset(:closings) as c(event_id uuid, tenant_id uuid, outcome text,
      reason text, payment_id uuid, awaits uuid[])
  ),
  stored as (
    insert into payments (id, tenant_id, provider, provider_payment_id, provider_customer_id,
      location_id, amount_minor_units, tip_minor_units, refunded_minor_units, currency,
      occurred_at, changed_at, outcome, outcome_reason, points_awarded, points_reversed, user_id,
      wallet_id, rule_version, decision, email_fingerprint, phone_fingerprint)
    select p.payment_id, p.tenant_id, p.provider, p.provider_payment_id, p.provider_customer_id,
      p.location_id, p.amount_minor_units, p.tip_minor_units, p.refunded_minor_units, p.currency,
      p.occurred_at, p.changed_at, p.outcome, p.reason, p.points, p.points_reversed, p.user_id,
      w.id, p.rule_version, p.decision, p.email_fingerprint, p.phone_fingerprint
    from payment p
    left join lateral (
      select id from wallets
      where p.points > 0 and user_id = p.user_id and tenant_id = p.tenant_id limit 1
    ) w on true
    order by p.tenant_id, p.provider, p.provider_payment_id
    on conflict on constraint payments_once_per_provider do nothing
    returning id, wallet_id, points_awarded, points_reversed
  ),
  entry as (
    select s.wallet_id, m.entry_type, m.points, m.reason, 'payment' as source_type,
      s.id as source_id, 2 * p.nth + m.step as nth
    from stored s join payment p on p.payment_id = s.id
    cross join lateral (values (0, 'credit', s.points_awarded, 'purchase'),
      (1, 'debit', s.points_reversed, 'payment_refunded')) as m(step, entry_type, points, reason)
    where m.points > 0
  ), ${POSTING},
  closed as (
    update webhook_events e
    set processed = true, processed_at = now(), outcome = c.outcome, outcome_reason = c.reason,
      tenant_id = coalesce(e.tenant_id, c.tenant_id), payment_id = c.payment_id,
      last_error = null, leased_until = null
    from closing c
    where e.id = any(array(select event_id from closing)) and e.id = c.event_id
      and c.awaits <@ array(select id from stored)
    returning e.id
  )
  select id as payment_id, null::uuid as event_id from stored
  union all select null, id from closed`;

/** Issues a code. */
export const ISSUE = `
  with recursive issued as (
    insert into redemptions (id, wallet_id, tenant_id, user_id, points, discount_value_minor_units,
      rule_version, code_key_id, code_hmac, sealed_code, created_at, expires_at)
    select :id::uuid, w.id, w.tenant_id, w.user_id, :points::bigint,
      :discountValueMinorUnits::bigint, :ruleVersion::integer, :keyId, :hmac::bytea, :sealed,
      statement_timestamp(), statement_timestamp() + :lifetimeMs * interval '1 millisecond'
    from wallets w
    where w.id = :walletId
      and not exists (select from redemptions where code_hmac = any(:hmacs::bytea[]))
    on conflict on constraint redemptions_code_once do nothing
    returning id, wallet_id, points, expires_at
  ),
  entry as (
    select wallet_id, 'debit' as entry_type, points, 'redemption' as reason,
      'redemption' as source_type, id as source_id, 1::bigint as nth
    from issued
  ), ${POSTING}
  select expires_at from issued`;
