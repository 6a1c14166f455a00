import { type Db, oneSession } from '../../../db/connection.ts';
import { EVENTS } from './event-data.ts';
import { OUTGOING } from './outgoing-data.ts';
import { PEOPLE } from './people-data.ts';
import { ID_OF, id, into, tenantOf } from './rows.ts';
import { STATEMENTS } from './statement-data.ts';

// Tables that are as large as the plan is to be judged by, with rows that each filter has to skip.
// The first tenant, user and wallet have nearly everything, all others next to nothing.

/**
 * Fills every table with about `rows` rows, as the owner. Each is committed for itself: events of
 * every database of the server wait for the oldest transaction that is open.
 */
export async function fill(owner: Db, rows: number): Promise<void> {
  const session = oneSession(owner);
  const tables = [USERS, PEOPLE, CONNECTIONS, POINTS, STATEMENTS, OUTGOING, EVENTS];
  try {
    // The service's limit is for its own statements; a busy machine fills a table more slowly.
    await session.raw('set statement_timeout = 0');
    await session.raw(ID_OF);
    for (const statement of tables.flat()) {
      await session.raw(statement.replaceAll('ROWS', String(rows)));
    }
  } finally {
    await session.destroy();
  }
}

/** The nth of a few users who have a wallet of the first tenant. */
const FEW = '2 + 2 * (n % least(ROWS / 4, 1000))';
const SEALED = `'v1.k1.' || n`;
const USERS = [
  into('users', {
    id: id('user'),
    iss: `'https://many.test'`,
    sub: 'n::text',
    role: `case when n % 1000 = 999 then 'admin' else 'consumer' end`,
    status: `case when n % 100 = 0 then 'pending_approval' else 'active' end`,
    email: `n || '@' || (array['many', 'other', 'third'])[1 + n % 3] || '.test'`,
    email_verified: 'true',
    phone: `'+1' || (2000000000 + n)`,
    phone_verified: 'true',
    created_at: `now() - n * interval '1 minute'`,
  }),
  into('tenants', {
    id: id('tenant'),
    name: `'Shop ' || n`,
    currency: `case when n % 2 = 1 then 'EUR' end`,
    has_programme: 'n % 100 = 3',
    created_at: `now() - n * interval '1 minute'`,
  }),
  into('memberships', {
    tenant_id: tenantOf('n'),
    user_id: id('user'),
    role: `case when n = 1 then 'client' else 'pos_operator' end`,
    created_at: `now() - n * interval '1 minute'`,
  }),
  into('notice_choices', {
    user_id: id('user'),
    points: `case when n % 1000 = 0 then 'each' else 'never' end`,
  }),
  into('audit_log', {
    id: id('audit'),
    tenant_id: tenantOf('n'),
    actor_user_id: `case when n % 10 < 9 then ${id('user', '1')} else ${id('user', '2')} end`,
    action: `case when n % 100 = 50 then 'wallet.freeze' else 'connection.disconnect' end`,
    target_type: `'wallet'`,
    target_id: `case when n % 10 < 9 then ${id('wallet', '2 + n % 100')} else ${id('wallet')} end`,
    before: `'{}'`,
    after: `'{}'`,
    request_id: `case when n % 2 = 0 then 'many' else 'request ' || n end`,
    generated_request_id: id('request'),
    created_at: `now() - (ROWS - n) * interval '1 minute'`,
  }),
  into('change_mails', { entry_id: id('audit'), user_id: id('user', '1') }),
  into('idempotency_keys', {
    user_id: id('user', '1'),
    method: `'POST'`,
    path: `'/many'`,
    key: 'n::text',
    request_hmac: `'\\x00'`,
    status: '200',
    body: `'{}'`,
    body_sealed: 'false',
    created_at: `now() - n * interval '1 minute'`,
  }),
];

const CONNECTIONS = [
  into('pos_connections', {
    id: id('connection'),
    tenant_id: id('tenant'),
    provider: `'alpha'`,
    merchant_id: `'M' || n`,
    status: `case when n % 3 = 0 then 'disconnected' else 'active' end`,
    sealed_access_token: `case when n % 9 <> 0 then ${SEALED} end`,
    ask_again_at: `case when n % 200 = 1 then now() - n * interval '1 minute' end`,
    probing_until: `case when n % 30 = 1 then now() + interval '1 hour' end`,
    needs_reconnect_since: 'case when n % 30 = 11 then now() end',
  }),
  into('poll_positions', {
    connection_id: id('connection'),
    location_id: `'L1'`,
    at: 'now()',
    is_at_end: 'true',
  }),
  into('truth_days', {
    connection_id: id('connection'),
    tenant_id: id('tenant'),
    day: `current_date - (n % 500)::integer`,
    status: `'agrees'`,
  }),
  into('connection_polls', {
    connection_id: id('connection'),
    watermark: 'now()',
    polled_from: 'now()',
    covered_polls: 'n % 6',
  }),
  // Triggers have added all of them.
  'delete from due_work',
  into('due_work', {
    kind: `'update_poll_schedule'`,
    subject_id: id('connection'),
    due_at: `case when n % 2 = 0 then now() + interval '1 minute'
      else now() - n * interval '1 second' end`,
  }),
  into(
    'connection_counts',
    { provider: `'alpha'`, slot: '1 - n', active: '1', reconnect: '0' },
    '20',
  ),
  into('connection_counts', { provider: `'beta'`, slot: '0', active: '1', reconnect: '0' }, '1'),
  into('oauth_states', {
    nonce: id('state'),
    tenant_id: id('tenant', '1'),
    user_id: id('user', '1'),
    provider: `'alpha'`,
    expires_at: `now() - n * interval '1 second' + interval '1 hour'`,
  }),
  into('oauth_attempts', {
    id: id('attempt'),
    tenant_id: id('tenant', '1'),
    provider: `'alpha'`,
    sealed_code: SEALED,
    connection_id: id('connection', '1'),
    user_id: id('user', '1'),
    correlation_id: `'many'`,
    request_id: id('request'),
    expires_at: `now() - n * interval '1 second' + interval '1 hour'`,
  }),
];

const POINTS = [
  into('reward_rules', {
    tenant_id: tenantOf('n'),
    version: 'n',
    conversion_rate: '1',
    min_spend_minor_units: '0',
    min_balance_to_redeem: '0',
    max_redemption_percentage: '100',
    rounding_policy: `'floor'`,
    effective_from: `now() - interval '1 day'`,
  }),
  into('programme_versions', {
    id: id('programme'),
    tenant_id: tenantOf('n'),
    version: 'n',
    time_zone: `'UTC'`,
    expiry_notice_days: '14',
    return_window_days: 'n % 2 * 14',
    till_attach: 'false',
    tiers: `'[{"key":"gold","name":"Gold","thresholdMinorUnits":1,"multiplier":2}]'`,
    published_at: `now() - (ROWS - n) * interval '1 minute'`,
  }),
  into('campaigns', {
    id: id('campaign'),
    tenant_id: tenantOf('n'),
    name: `'Campaign'`,
    multiplier: 'case when n % 2 = 0 then 2 end',
    points: 'case when n % 2 = 1 then 1 end',
    starts_at: `now() - interval '60 days'`,
    min_spend_minor_units: '1',
    audience: `case when n % 4 = 1 then 'first_purchase' else 'all' end`,
    budget_points: '1000000',
    published_at: `now() - interval '60 days' - n * interval '1 minute'`,
    ended_at: `case when n > 40 then now() - interval '30 days' end`,
  }),
  into('rehearsals', {
    id: id('rehearsal'),
    tenant_id: tenantOf('n'),
    // One at a time of each tenant, of which a few are due.
    status: `case when n % 100 = 99 then 'running' else 'failed' end`,
    draft: `'{}'`,
    created_at: `now() - n * interval '1 minute'`,
  }),
  into('wallets', {
    id: id('wallet'),
    tenant_id: tenantOf('n'),
    user_id: id('user'),
    balance: '1000',
    seq: 'case when n = 1 then ROWS else 0 end',
    created_at: `now() - n * interval '1 minute'`,
  }),
  into('ledger_entries', {
    id: id('entry', 'n - ROWS'),
    wallet_id: id('wallet', '1'),
    seq: 'n',
    entry_type: `'credit'`,
    points: '1',
    balance_after: 'n',
    reason: `'purchase'`,
    source_type: `'payment'`,
    source_id: id('payment'),
    created_at: `now() - (ROWS - n) * interval '1 day'`,
    hash: `sha256('many')`,
  }),
  into('point_expiries', {
    id: id('expiry'),
    tenant_id: tenantOf('n'),
    wallet_id: id('wallet'),
    month: `'2026-01-01'`,
    earned_by: `'2025-12-01'`,
    points: '1',
  }),
  into('expiry_runs', {
    tenant_id: id('tenant'),
    month: `'2026-01-01'`,
    begun_at: 'now()',
    read_at: 'now()',
    finished_at: 'now()',
  }),
  into('wallet_standings', {
    wallet_id: id('wallet'),
    tenant_id: tenantOf('n'),
    tier_key: `'gold'`,
    since: `'2026-01-01'`,
    kept_until: `'2027-01-01'`,
    decided_on: `'2026-01-01'`,
  }),
  into('liability_months', {
    tenant_id: id('tenant'),
    month: `'2026-01-01'`,
    earned_in: `'2026-01-01'`,
    earned: '1',
    reversed: '0',
    used: '0',
    expired: '0',
    unused: '1',
  }),
  into('expiry_notices', { wallet_id: id('wallet'), month: `'2026-01-01'` }),
  into('payments', {
    id: id('payment'),
    tenant_id: tenantOf('(1 + n / 2)'),
    provider: `'alpha'`,
    provider_payment_id: `'P' || n`,
    amount_minor_units: 'n',
    tip_minor_units: '0',
    refunded_minor_units: '0',
    currency: `'EUR'`,
    occurred_at: `now() - n * interval '1 minute'`,
    changed_at: 'now()',
    refunded_as_of: 'now()',
    outcome: `case when n % 2 = 0 then 'stored_anonymous' else 'credited' end`,
    outcome_reason: `case when n % 10 = 1 then 'currency_mismatch' end`,
    points_awarded: 'case when n % 2 = 0 then 0 else 10 end',
    points_owed: 'case when n % 1000 = 1 then 5 else 0 end',
    owed_since: 'case when n % 1000 = 1 then now() end',
    user_id: `case when n % 2 = 1 then ${id('user', '1')} end`,
    wallet_id: `case when n % 2 = 1 then ${id('wallet', '1 + n / 1000')} end`,
    rule_version: 'case when n % 2 = 1 then 1 end',
    decision: `'{}'`,
    decision_facts: '256',
    email_fingerprint: 'case when n % 2 = 0 then sha256(n::text::bytea) end',
    created_at: `now() - n * interval '1 minute'`,
  }),
  into('rewards', {
    id: id('reward'),
    tenant_id: tenantOf('n'),
    name: `'Reward'`,
    kind: `'item'`,
    price_points: '1',
    value_minor_units: '1',
    created_at: `now() - n * interval '1 minute'`,
    ended_at: `case when n > 40 then now() - interval '200 days' end`,
  }),
  // The first tenant has twenty that are open, the others one each.
  into('goodwill_requests', {
    id: id('goodwill'),
    tenant_id: tenantOf('n'),
    wallet_id: id('wallet'),
    requested_by: id('user'),
    points: '1',
    reason: `'A cold coffee.'`,
    status: `case when n % 2 = 1 or n <= 40 then 'open' else 'granted' end`,
    closed_at: 'case when n % 2 = 0 and n > 40 then now() end',
  }),
  into('imports', {
    id: id('import'),
    tenant_id: tenantOf('n'),
    status: `'done'`,
    row_count: '1',
    points: '1',
    invalid: `'[]'`,
    matched: '0',
    waiting: '1',
    repeated: '0',
    created_by: id('user'),
    approved_at: 'now()',
  }),
  // Half of the rows are of the first import, and a third of all were credited.
  into('import_rows', {
    id: id('import row'),
    tenant_id: `case when n % 2 = 0 then ${id('tenant', '1')} else ${tenantOf('n')} end`,
    import_id: `case when n % 2 = 0 then ${id('import', '1')} else ${id('import')} end`,
    line: 'n',
    points: '1',
    contact: `'email'`,
    fingerprint: 'case when n % 3 <> 0 then sha256(n::text::bytea) end',
    wallet_id: `case when n % 3 = 0 then ${id('wallet')} end`,
    state: `case n % 3 when 0 then 'credited' when 1 then 'waiting' end`,
    waits_until: `case n % 3 when 1 then now() + n * interval '1 minute' end`,
  }),
  into('campaign_awards', {
    campaign_id: id('campaign', '1 + n % least(40, ROWS)'),
    payment_id: id('payment'),
    wallet_id: id('wallet'),
    user_id: id('user'),
    cause: `'award'`,
    first_purchase: 'false',
    points: '1',
    created_at: `now() - n * interval '1 minute'`,
  }),
  into('campaign_sums', {
    campaign_id: id('campaign'),
    points: '0',
    awards: '0',
    settled_before: `now() - interval '1 hour'`,
  }),
  into('sale_attachments', {
    payment_id: id('payment'),
    tenant_id: id('tenant', '1'),
    user_id: id('user', '1 + n % (ROWS / 4)'),
    operator_id: id('user', '3'),
    created_at: `now() - n * interval '1 hour'`,
  }),
  into('redemptions', {
    id: id('redemption'),
    tenant_id: id('tenant', '1'),
    user_id: id('user', FEW),
    wallet_id: id('wallet', FEW),
    points: '1',
    discount_value_minor_units: '1',
    rule_version: '1',
    status: `(array['issued', 'used', 'expired'])[1 + n % 3]`,
    code_key_id: `'k1'`,
    code_hmac: 'sha256(n::text::bytea)',
    sealed_code: `case when n % 3 = 0 then ${SEALED} end`,
    created_at: `now() - n * interval '1 minute'`,
    expires_at: `now() + interval '10 minutes' - n * interval '1 minute'`,
    used_at: `case when n % 3 = 1 then now() - n * interval '1 minute' end`,
    used_by: `case when n % 3 = 1 then ${id('user', '3')} end`,
    expired_at: `case when n % 3 = 2 then now() + interval '10 minutes' end`,
    points_returned: 'n % 6 = 2',
    followed_at: 'case when n % 300 > 1 then now() end',
    expiry_told_at: 'case when n % 300 <> 2 then now() end',
    next_expiry_at: `case when n % 9 = 0 then now() + interval '1 day' end`,
  }),
  ...['wallets', 'payments'].map((counted) =>
    into('tenant_counts', {
      tenant_id: id('tenant'),
      counted: `'${counted}'`,
      number: 'n',
      created_before: `now() - interval '500 minutes'`,
    }),
  ),
  into('ledger_checkpoints', {
    wallet_id: id('wallet'),
    seq: 'case when n = 1 then ROWS - 10 else 1 end',
    balance: 'case when n = 1 then ROWS - 10 else 1 end',
    head: `sha256('many')`,
  }),
  into(
    'ledger_parts',
    {
      walk: `case when n = 1 then 'moved'
        else (array['wallets', 'payments', 'redemptions', 'adjustments', 'expiries'])[1 + n % 5]
        end`,
      from_id: `lpad(to_hex(n), 32, '0')::uuid`,
      until_id: `lpad(to_hex(n + 1), 32, '0')::uuid`,
      row_count: '1',
      verified_at: `now() - n * interval '1 hour'`,
    },
    '140',
  ),
  into('ledger_problems', {
    walk: `(array['wallets', 'payments', 'redemptions', 'adjustments', 'expiries'])[1 + n % 5]`,
    row_id: id('wallet', '2 + n'),
    seen_at: `now() - interval '1 day'`,
  }),
  into('rate_limits', { key: `'many ' || n`, points: '1', expire: 'n' }),
];
