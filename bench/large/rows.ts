import { CANONICAL_ENTRY } from '../../db/ledger/postings.ts';
import { ISSUER } from '../settings.ts';
import { ENTRIES_PER_WALLET, type Size, tenantOfSql } from './sizes.ts';

// The rows of a built database. Every id and time is a function of the row's number, so that no
// statement has to look up what another one has written. Only columns of migrations 0001 to 0021
// are named, so that the same rows can be built for the release that is migrated.

export type Step = { name: string; sql: string };

/** Keeps Postgres from computing the columns of a subquery wherever they are used. */
const COMPUTED_ONCE = 'offset 0';

const SEED = 12;
/** The history is as long, and ends when it is built. */
const DAYS = 1_000;
const BODY_DAYS = 90;
const FINGERPRINT_DAYS = 30;

/**
 * Functions of the session, which Postgres inlines. The oldest tenth of the ids is random, as in a
 * database that is older than ascending ids; the others ascend with time.
 */
export function functionsOf({ wallets }: Size, builtAt: Date): string {
  const start = new Date(builtAt.getTime() - DAYS * 86_400_000).toISOString();
  const define = (signature: string, type: string, expression: string) =>
    `create function pg_temp.${signature} returns ${type} stable language sql return ${expression};`;
  const person = (name: string) =>
    `pg_temp.id('${name}', n, pg_temp.at(1, n), n < ${wallets / 10})`;
  return [
    define(
      'at(step int, n int)',
      'timestamptz',
      `timestamptz '${start}' + ((step - 1) + n::float8 / ${wallets})
         * interval '${DAYS / ENTRIES_PER_WALLET} days'`,
    ),
    define(
      'id(kind text, key bigint, at timestamptz, is_old boolean)',
      'uuid',
      `(case when is_old
         then overlay(overlay(md5('${SEED}' || kind || key::text) placing '4' from 13)
           placing '8' from 17)
         else lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
           || '7' || substr(md5('${SEED}' || kind || key::text), 1, 3)
           || '8' || substr(md5('${SEED}' || kind || key::text), 5, 15) end)::uuid`,
    ),
    define('person(n int)', 'uuid', person('person')),
    define('wallet(n int)', 'uuid', person('wallet')),
    define('tenant(n int)', 'uuid', `pg_temp.id('tenant', n, pg_temp.at(1, n), false)`),
    define('owner(n int)', 'uuid', `pg_temp.id('owner', n, pg_temp.at(1, n), false)`),
    define('administrator()', 'uuid', `pg_temp.id('administrator', 0, pg_temp.at(1, 0), false)`),
    define(
      'source(kind text, n int, step int)',
      'uuid',
      'pg_temp.id(kind, n::bigint * 16 + step, pg_temp.at(step, n), step = 1)',
    ),
    define('amount(n int, step int)', 'bigint', '100 + (n::bigint * 7919 + step * 104729) % 900'),
    define(
      'reason(n int, step int)',
      'text',
      `case when step = 5 then 'redemption'
         when step = 6 and n % 20 = 1 then 'redemption_expired'
         when step = 8 and n % 4 = 0 then 'payment_refunded'
         when step = 10 and n % 100 = 50 then 'admin_adjustment'
         else 'purchase' end`,
    ),
  ].join('\n');
}

/** Tenants with their accounts, and people. */
export function peopleSteps(size: Size): Step[] {
  const { wallets, tenants } = size;
  return [
    {
      name: 'tenants',
      sql: `insert into tenants (id, name, country, created_at)
        select pg_temp.tenant(n), 'Shop ' || n, 'DE', pg_temp.at(1, n)
        from generate_series(0, ${tenants - 1}) n`,
    },
    {
      name: 'connections',
      sql: `insert into pos_connections (id, tenant_id, pos_type, merchant_id, status,
          sealed_access_token, watermark, polled_from, created_at)
        select pg_temp.id('connection', n, pg_temp.at(1, n), false), pg_temp.tenant(n), 'alpha',
          'MERCHANT' || n, 'active', 'sealed', now(), now(), pg_temp.at(1, n)
        from generate_series(0, ${tenants - 1}) n`,
    },
    {
      name: 'poll positions',
      sql: `insert into poll_positions (connection_id, location_id, at, is_at_end)
        select id, 'LOCATION1', now(), true from pos_connections`,
    },
    {
      name: 'rules',
      sql: `insert into reward_rules (tenant_id, version, conversion_rate, min_spend_minor_units,
          min_balance_to_redeem, max_redemption_percentage, rounding_policy, effective_from)
        select pg_temp.tenant(n), 1, 1, 0, 0, 100, 'floor', pg_temp.at(1, n)
        from generate_series(0, ${tenants - 1}) n`,
    },
    {
      name: 'merchants',
      sql: `insert into users (id, iss, sub, role, status, email, email_verified, created_at,
          contacts_changed_at)
        select pg_temp.owner(n), '${ISSUER}', 'client-' || n, 'client', 'active',
          'owner' || n || '@shop.example', true, pg_temp.at(1, n), null
        from generate_series(0, ${tenants - 1}) n`,
    },
    {
      name: 'memberships',
      sql: `insert into memberships (tenant_id, user_id, role)
        select pg_temp.tenant(n), pg_temp.owner(n), 'client'
        from generate_series(0, ${tenants - 1}) n`,
    },
    {
      name: 'administrator',
      sql: `insert into users (id, iss, sub, role, status, email, email_verified,
          contacts_changed_at)
        values (pg_temp.administrator(), '${ISSUER}', 'admin', 'admin',
          'active', 'admin@bench.example', true, null)`,
    },
    {
      name: 'consumers',
      sql: `insert into users (id, iss, sub, role, status, email, email_verified, phone,
          phone_verified, created_at, contacts_changed_at)
        select pg_temp.person(n), '${ISSUER}', n::text, 'consumer', 'active',
          'person' || n || '@example.com', true,
          case when n % 2 = 0 then '+49151' || lpad(n::text, 8, '0') end, n % 2 = 0,
          pg_temp.at(1, n), null
        from generate_series(0, ${wallets - 1}) n`,
    },
  ];
}

/** One entry of every wallet: the next link of each hash chain, from the last pass's. */
export function entrySteps(size: Size): Step[] {
  const start: Step = {
    name: 'chains',
    sql: `create unlogged table bench_pass_0 as
      select n, 0::bigint as balance_after, decode(repeat('00', 32), 'hex') as hash
      from generate_series(0, ${size.wallets - 1}) n`,
  };
  const passes = Array.from({ length: ENTRIES_PER_WALLET }, (_, nth) => passSteps(nth + 1));
  const end: Step = {
    name: 'wallets',
    sql: `insert into wallets (id, user_id, tenant_id, balance, seq, head, created_at)
      select wallet_id, pg_temp.person(n), pg_temp.tenant(${tenantOfSql('n', size)}),
        balance_after, seq, hash, pg_temp.at(1, n)
      from bench_pass_${ENTRIES_PER_WALLET}`,
  };
  const clear = { name: 'last pass', sql: `drop table bench_pass_${ENTRIES_PER_WALLET}` };
  return [start, ...passes.flat(), end, clear];
}

function passSteps(step: number): Step[] {
  return [
    {
      name: `entries, pass ${step}`,
      sql: `create unlogged table bench_pass_${step} as
        select e.*, sha256(e.previous || ${CANONICAL_ENTRY}) as hash
        from (
          select m.*, ${step}::bigint as seq, before.hash as previous,
            before.balance_after + case m.entry_type when 'credit' then m.points else -m.points end
              as balance_after
          from bench_pass_${step - 1} before
          cross join lateral (
            select before.n, pg_temp.source('entry', before.n, ${step}) as id,
              pg_temp.wallet(before.n) as wallet_id, r.reason,
              case when r.reason in ('redemption', 'payment_refunded') then 'debit' else 'credit'
                end as entry_type,
              case r.reason when 'redemption' then 100 when 'redemption_expired' then 100
                when 'payment_refunded' then pg_temp.amount(before.n, 7) / 2
                when 'admin_adjustment' then 500
                else pg_temp.amount(before.n, ${step}) end as points,
              case r.reason when 'admin_adjustment' then 'adjustment'
                when 'redemption' then 'redemption' when 'redemption_expired' then 'redemption'
                else 'payment' end as source_type,
              case r.reason when 'admin_adjustment' then pg_temp.source('audit', before.n, ${step})
                when 'redemption' then pg_temp.source('redemption', before.n, ${step})
                when 'redemption_expired' then pg_temp.source('redemption', before.n, 5)
                when 'payment_refunded' then pg_temp.source('payment', before.n, 7)
                else pg_temp.source('payment', before.n, ${step}) end as source_id,
              pg_temp.at(${step}, before.n) as created_at
            from (select pg_temp.reason(before.n, ${step}) as reason) r
          ) m
          ${COMPUTED_ONCE}
        ) e`,
    },
    {
      name: `ledger, pass ${step}`,
      sql: `insert into ledger_entries (id, wallet_id, seq, entry_type, points, balance_after,
          reason, source_type, source_id, created_at, hash)
        select id, wallet_id, seq, entry_type, points, balance_after, reason, source_type,
          source_id, created_at, hash
        from bench_pass_${step}`,
    },
    { name: `pass ${step - 1}`, sql: `drop table bench_pass_${step - 1}` },
  ];
}

/** What else the entries come from than payments. */
export function sourceSteps(size: Size): Step[] {
  return [
    { name: 'redemptions', sql: redemptionsOf(size) },
    { name: 'audit log', sql: auditOf(size) },
  ];
}

/** Payments, and the deliveries that reported them. */
export function paymentSteps(size: Size): Step[] {
  const steps = Array.from({ length: ENTRIES_PER_WALLET }, (_, nth) => nth + 1);
  return [
    ...steps.map((step) => ({ name: `payments ${step}`, sql: paymentsOf(size, step) })),
    ...steps.map((step) => ({ name: `events ${step}`, sql: eventsOf(size, step) })),
  ];
}

const DECISION = `format('{"amountMinorUnits": %s, "tipMinorUnits": 0, "currency": "EUR",
  "contacts": {"email": true, "phone": false},
  "match": {"by": %s, "conflict": false, "late": false}, "rule": %s, "earning": %s,
  "reversals": []}', amount, case when is_known then '"email"' else 'null' end,
  case when is_known then '{"version": 1, "currency": "EUR", "conversionRate": "1.000000",
    "minSpendMinorUnits": 0, "maxPointsPerTransaction": null, "roundingPolicy": "floor"}'
    else 'null' end,
  case when is_known then format('{"points": %s, "exact": "%s",
    "rounded": %s, "zeroReason": null}', amount, amount, amount)
    else 'null' end)::jsonb`;

/** Sales of one pass: those of every wallet, and one in twenty more whose buyer nobody knows. */
const salesOf = ({ wallets }: Size, step: number) => `(
  select n, true as is_known, pg_temp.source('payment', n, ${step}) as id,
    pg_temp.amount(n, ${step}) as amount, pg_temp.at(${step}, n) as at,
    case when ${step} = 7 and n % 4 = 0 then pg_temp.amount(n, ${step}) / 2 else 0 end as refunded
  from generate_series(0, ${wallets - 1}) n where pg_temp.reason(n, ${step}) = 'purchase'
  union all
  select n, false, pg_temp.source('stranger', n, ${step}), pg_temp.amount(n, ${step}),
    pg_temp.at(${step}, n), 0
  from generate_series(3, ${wallets - 1}, 20) n
  ${COMPUTED_ONCE}
) s`;

function paymentsOf(size: Size, step: number): string {
  const fingerprint = `case when not is_known
    and at > now() - interval '${FINGERPRINT_DAYS} days'
    then sha256(convert_to('stranger' || n, 'utf8')) end`;
  return `insert into payments (id, tenant_id, provider, provider_payment_id, location_id,
      amount_minor_units, tip_minor_units, refunded_minor_units, currency, occurred_at, changed_at,
      outcome, outcome_reason, points_awarded, points_reversed, user_id, wallet_id, rule_version,
      decision, created_at, email_fingerprint)
    select id, pg_temp.tenant(${tenantOfSql('n', size)}), 'alpha',
      'built-' || case when is_known then '' else 's' end || n || '-${step}', 'LOCATION1', amount,
      0, refunded, 'EUR', at, at, case when is_known then 'credited' else 'stored_anonymous' end,
      case when is_known then null else 'no_match' end, case when is_known then amount else 0 end,
      refunded, case when is_known then pg_temp.person(n) end,
      case when is_known then pg_temp.wallet(n) end, case when is_known then 1 end, ${DECISION}, at,
      ${fingerprint}
    from ${salesOf(size, step)}`;
}

function eventsOf(size: Size, step: number): string {
  const body = `case when at < now() - interval '${BODY_DAYS} days' then ''
    else convert_to(format('{"merchant_id":"MERCHANT%s","type":"payment.updated",'
      '"event_id":"event-%s","created_at":"2026-01-15T10:00:02.308Z","data":{"type":"payment",'
      '"id":"built-%s-${step}","object":{"payment":{"id":"built-%s-${step}",'
      '"created_at":"2026-01-15T10:00:00.086Z","updated_at":"2026-01-15T10:00:02.100Z",'
      '"amount_money":{"amount":%s,"currency":"EUR"},"status":"COMPLETED","source_type":"CARD",'
      '"location_id":"LOCATION1","buyer_email_address":"person%s@example.com"}}}}',
      ${tenantOfSql('n', size)}, id, n, n, amount, n), 'utf8') end`;
  return `insert into webhook_events (id, provider, tenant_id, merchant_id, event_type, body,
      correlation_id, received_at, processed, processed_at, outcome, payment_id, next_attempt_at)
    select pg_temp.source(case when is_known then 'event' else 'stranger event' end, n, ${step}),
      'alpha', pg_temp.tenant(${tenantOfSql('n', size)}), 'MERCHANT' || ${tenantOfSql('n', size)},
      'payment.updated', ${body}, 'built', at, true, at,
      case when is_known then 'credited' else 'stored_anonymous' end, id, at
    from ${salesOf(size, step)}`;
}

function redemptionsOf(size: Size): string {
  const tenant = tenantOfSql('n', size);
  return `insert into redemptions (id, wallet_id, tenant_id, user_id, points,
      discount_value_minor_units, rule_version, status, code_key_id, code_hmac, created_at,
      expires_at, used_at, used_by, expired_at, points_returned, followed_at, code_mailed_at,
      expiry_told_at)
    select pg_temp.source('redemption', n, 5), pg_temp.wallet(n), pg_temp.tenant(${tenant}),
      pg_temp.person(n), 100, 100, 1, case when is_used then 'used' else 'expired' end, 'k1',
      sha256(convert_to('code' || n, 'utf8')), at, at + interval '15 minutes',
      case when is_used then at + interval '5 minutes' end,
      case when is_used then pg_temp.owner(${tenant}) end,
      case when not is_used then pg_temp.at(6, n) end, not is_used, at, at,
      case when not is_used then pg_temp.at(6, n) end
    from (select n, pg_temp.at(5, n) as at, n % 20 <> 1 as is_used
      from generate_series(0, ${size.wallets - 1}) n) r`;
}

function auditOf(size: Size): string {
  return `insert into audit_log (id, actor_user_id, action, target_type, target_id, tenant_id,
      reason, before, after, request_id, created_at)
    select pg_temp.source('audit', n, 10), pg_temp.administrator(), 'wallet.adjust',
      'wallet', pg_temp.wallet(n), pg_temp.tenant(${tenantOfSql('n', size)}), 'Built.', '{}',
      jsonb_build_object('points', 500, 'balance', 0, 'ledgerEntryId',
        pg_temp.source('entry', n, 10)),
      'built', pg_temp.at(10, n)
    from generate_series(50, ${size.wallets - 1}, 100) n`;
}
