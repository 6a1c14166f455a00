import { CANONICAL_ENTRY } from '../../db/ledger/postings.ts';
import { ISSUER } from '../settings.ts';
import { COMPUTED_ONCE, type Step } from './row-functions.ts';
import { ENTRIES_PER_WALLET, type Size, tenantOfSql } from './sizes.ts';

// People and their ledger, as steps that build a database.

/** Tenants with their accounts, and people. */
export function peopleSteps(size: Size): Step[] {
  const { wallets, tenants } = size;
  return [
    ...accountSteps(size),
    {
      name: 'rules',
      sql: `insert into reward_rules (tenant_id, version, conversion_rate, min_spend_minor_units,
          min_balance_to_redeem, max_redemption_percentage, rounding_policy, effective_from)
        select pg_temp.tenant(n), 1, 1, 0, 0, 100, 'floor', pg_temp.at(1, n)
        from generate_series(0, ${tenants - 1}) n`,
    },
    {
      name: 'merchants',
      sql: `insert into users (id, iss, sub, role, status, email, email_verified, created_at)
        select pg_temp.owner(n), '${ISSUER}', 'client-' || n, 'client', 'active',
          'owner' || n || '@shop.example', true, pg_temp.at(1, n)
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
      sql: `insert into users (id, iss, sub, role, status, email, email_verified)
        values (pg_temp.administrator(), '${ISSUER}', 'admin', 'admin',
          'active', 'admin@bench.example', true)`,
    },
    {
      name: 'consumers',
      sql: `insert into users (id, iss, sub, role, status, email, email_verified, phone,
          phone_verified, created_at)
        select pg_temp.person(n), '${ISSUER}', n::text, 'consumer', 'active',
          'person' || n || '@example.com', true,
          case when n % 2 = 0 then '+49151' || lpad(n::text, 8, '0') end, n % 2 = 0,
          pg_temp.at(1, n)
        from generate_series(0, ${wallets - 1}) n`,
    },
    // No payment waits for any of them.
    { name: 'due work', sql: 'delete from due_work' },
  ];
}

/** Tenants, and their connections to the provider. */
function accountSteps({ tenants }: Size): Step[] {
  return [
    {
      name: 'tenants',
      sql: `insert into tenants (id, name, country, currency, created_at)
        select pg_temp.tenant(n), 'Shop ' || n, 'DE', 'EUR', pg_temp.at(1, n)
        from generate_series(0, ${tenants - 1}) n`,
    },
    {
      name: 'connections',
      sql: `insert into pos_connections (id, tenant_id, provider, merchant_id, status,
          sealed_access_token, created_at)
        select pg_temp.id('connection', n, pg_temp.at(1, n)), pg_temp.tenant(n), 'alpha',
          'MERCHANT' || n, 'active', 'sealed', pg_temp.at(1, n)
        from generate_series(0, ${tenants - 1}) n`,
    },
    {
      name: 'tenures',
      sql: `insert into account_tenures (provider, merchant_id, tenant_id, earns_from)
        select provider, merchant_id, tenant_id, created_at from pos_connections`,
    },
    {
      name: 'poll positions',
      sql: `insert into poll_positions (connection_id, location_id, at, is_at_end)
        select id, 'LOCATION1', now(), true from pos_connections`,
    },
    {
      name: 'polls',
      sql: `insert into connection_polls (connection_id, watermark, polled_from, last_polled_at)
        select id, now(), now(), now() from pos_connections`,
    },
    {
      name: 'newest events',
      sql: `insert into last_events (tenant_id, provider, received_at)
        select tenant_id, provider, now() from pos_connections`,
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
